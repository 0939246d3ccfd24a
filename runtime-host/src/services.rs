//! What the operations work with, and who calls them.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;

use maka_core::ports::{Clock, IdSource, SessionStore, SessionTodoStore};
use maka_core::{ClientName, SessionId};
use maka_host_protocol::{Accepted, HostState, PROTOCOL_VERSION, Role};
use maka_runtime::ToolRegistry;
use maka_storage::Database;

use crate::server::{
    Draining, SessionCoordinator, SessionTodoCoordinator, Subscriber, Subscriptions,
};

/// The facts of this run of the Host.
#[derive(Debug)]
pub(crate) struct HostFacts {
    pub(crate) epoch: Arc<str>,
    pub(crate) socket: PathBuf,
    pub(crate) root: PathBuf,
    pub(crate) started: Instant,
    pub(crate) connections: AtomicU32,
}

/// The program's version.
pub(crate) const HOST_VERSION: &str = env!("CARGO_PKG_VERSION");

/// Everything that serves. One a Host, built by the composition root.
pub(crate) struct Services {
    pub(crate) facts: HostFacts,
    pub(crate) draining: Draining,
    pub(crate) subscriptions: Arc<Subscriptions>,
    pub(crate) sessions: Arc<dyn SessionStore>,
    pub(crate) todos: Arc<dyn SessionTodoStore>,
    pub(crate) session_changes: SessionCoordinator,
    pub(crate) todo: SessionTodoCoordinator,
    pub(crate) tools: ToolRegistry,
    pub(crate) database: Database,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) ids: Arc<dyn IdSource>,
}

impl Services {
    pub(crate) fn state(&self) -> HostState {
        if self.draining.is_draining() { HostState::Draining } else { HostState::Ready }
    }

    pub(crate) fn accepted(&self) -> Accepted {
        Accepted {
            protocol: PROTOCOL_VERSION,
            host_epoch: self.facts.epoch.to_string(),
            host_version: HOST_VERSION.to_owned(),
            state: self.state(),
        }
    }

    pub(crate) fn connections(&self) -> u32 {
        self.facts.connections.load(Ordering::Relaxed)
    }
}

/// What a connection said that it is.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    pub(crate) role: Role,
    pub(crate) client: ClientName,
    /// The one Session of a model connection.
    pub(crate) session: Option<SessionId>,
}

/// A connection, as the operations see it.
pub(crate) struct Caller {
    pub(crate) services: Arc<Services>,
    pub(crate) peer: Peer,
    pub(crate) subscriber: Subscriber,
}
