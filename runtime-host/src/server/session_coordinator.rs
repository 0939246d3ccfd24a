//! The Session coordinator: creates, opens and renames Sessions, and signals that it did.
//!
//! Each change is a task of its own, like a write of a list: what was committed is signalled, also
//! when the caller went away.

use std::future::Future;
use std::sync::Arc;

use maka_core::ports::{CreateOutcome, OpenOutcome, RenameOutcome, SessionStore};
use maka_core::{NewSession, SessionId, SessionName, StoreError};
use maka_host_protocol::Domain;
use tracing::instrument::WithSubscriber;

use super::draining::Draining;
use super::session_todo_coordinator::signal_or_drain;
use super::subscriptions::ChangeSignal;
use crate::admission::Admission;

/// The coordinator. Clones are the same one.
#[derive(Clone)]
pub(crate) struct SessionCoordinator {
    pub(crate) admission: Admission,
    pub(crate) sessions: Arc<dyn SessionStore>,
    pub(crate) signal: Arc<dyn ChangeSignal>,
    pub(crate) draining: Draining,
}

impl SessionCoordinator {
    pub(crate) async fn create(&self, new: NewSession) -> Result<CreateOutcome, StoreError> {
        let own = self.clone();
        let id = new.session_id.clone();
        self.owned(id, async move { own.sessions.create(new).await }, |outcome| {
            matches!(outcome, CreateOutcome::Created(_))
        })
        .await
    }

    pub(crate) async fn open_by_name(&self, new: NewSession) -> Result<OpenOutcome, StoreError> {
        let own = self.clone();
        let id = new.session_id.clone();
        self.owned(id, async move { own.sessions.open_by_name(new).await }, |outcome| {
            matches!(outcome, OpenOutcome::Created(_))
        })
        .await
    }

    pub(crate) async fn rename(
        &self,
        session: SessionId,
        name: SessionName,
    ) -> Result<RenameOutcome, StoreError> {
        let own = self.clone();
        let id = session.clone();
        self.owned(id, async move { own.sessions.rename(&session, name).await }, |outcome| {
            matches!(outcome, RenameOutcome::Renamed(_))
        })
        .await
    }

    /// Runs `work` in the lane of `session` as a task of its own; signals if `changed` says so.
    async fn owned<T: Send + 'static>(
        &self,
        session: SessionId,
        work: impl Future<Output = Result<T, StoreError>> + Send + 'static,
        changed: fn(&T) -> bool,
    ) -> Result<T, StoreError> {
        let guard = self.draining.hold().ok_or(StoreError::InvalidLease)?;
        let own = self.clone();
        let task = async move {
            let id = session.clone();
            let done = own.admission.within(&id, |lease| async move {
                let outcome = work.await?;
                if changed(&outcome) {
                    let (signal, draining) = (Arc::clone(&own.signal), own.draining.clone());
                    lease.after_release(move || {
                        signal_or_drain(signal.as_ref(), &draining, &session, Domain::Session);
                    });
                }
                Ok(outcome)
            });
            let done = done.await.map_err(internal)?;
            drop(guard);
            done
        };
        tokio::spawn(task.with_current_subscriber()).await.map_err(internal)?
    }
}

fn internal(fault: impl std::error::Error + Send + Sync + 'static) -> StoreError {
    StoreError::Internal { act: "end the change of a Session", cause: Box::new(fault) }
}
