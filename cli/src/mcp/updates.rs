//! Word of changes for clients of the older revisions, which subscribe once and hear until they
//! unsubscribe.

use std::sync::{Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::ResourceUpdatedNotificationParam;
use rmcp::service::Peer;
use tokio::sync::watch;
use tokio::task::AbortHandle;

/// The client's one subscription, if it has subscribed.
#[derive(Debug, Default)]
pub(super) struct Updates(Mutex<Option<AbortHandle>>);

impl Updates {
    /// Tells `peer` of every later change. Subscribing twice is subscribing once.
    pub(super) fn start(&self, peer: Peer<RoleServer>, uri: String, changes: watch::Receiver<u64>) {
        let task = tokio::spawn(forward(peer, uri, changes));
        self.replace(Some(task.abort_handle()));
    }

    /// Ends the subscription, if there is one.
    pub(super) fn stop(&self) {
        self.replace(None);
    }

    fn replace(&self, task: Option<AbortHandle>) {
        let mut current = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(before) = std::mem::replace(&mut *current, task) {
            before.abort();
        }
    }
}

async fn forward(peer: Peer<RoleServer>, uri: String, mut changes: watch::Receiver<u64>) {
    while changes.changed().await.is_ok() {
        let update = ResourceUpdatedNotificationParam::new(uri.clone());
        if peer.notify_resource_updated(update).await.is_err() {
            return;
        }
    }
}
