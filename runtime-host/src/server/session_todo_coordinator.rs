//! The Todo coordinator: the Host's tool port and the door of `session.todo.query`.
//!
//! lane of the Session → presence → one store call → (after a write) change signal. The signal
//! comes after the commit and outside the lane. A write is a task of its own, so a caller that
//! goes away can neither undo a commit nor swallow its signal. Where a signal fails, the write
//! has still succeeded, and the Host drains: subscribers read anew when they have reconnected.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use async_trait::async_trait;
use maka_core::ports::{
    Clock, IdSource, Replaced, SessionStore, SessionTodoPort, SessionTodoStore, TodoPortError,
};
use maka_core::session_todo::SessionTodo;
use maka_core::{ClientName, Presence, SessionId, StoreError, ToolTurn};
use maka_host_protocol::Domain;
use tracing::instrument::WithSubscriber;

use super::draining::{Draining, StopReason};
use super::subscriptions::ChangeSignal;
use crate::admission::{Admission, Reentry};

/// What the coordinator works with.
#[derive(Clone)]
pub struct TodoParts {
    /// The lanes.
    pub admission: Admission,
    /// Says whether a Session is there.
    pub sessions: Arc<dyn SessionStore>,
    /// Holds the lists.
    pub todos: Arc<dyn SessionTodoStore>,
    /// Hears of committed changes.
    pub signal: Arc<dyn ChangeSignal>,
    /// Stops the Host where a signal fails.
    pub draining: Draining,
    /// Dates the Turn of a write.
    pub clock: Arc<dyn Clock>,
    /// Names the Turn of a write.
    pub ids: Arc<dyn IdSource>,
}

/// The coordinator. Clones are the same one.
#[derive(Debug, Clone)]
pub struct SessionTodoCoordinator {
    parts: Arc<TodoParts>,
}

impl fmt::Debug for TodoParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { admission, draining, .. } = self;
        f.debug_struct("TodoParts")
            .field("admission", admission)
            .field("draining", draining)
            .finish_non_exhaustive()
    }
}

impl SessionTodoCoordinator {
    /// Puts a coordinator over its parts.
    #[must_use]
    pub fn new(parts: TodoParts) -> Self {
        Self { parts: Arc::new(parts) }
    }
}

#[async_trait]
impl SessionTodoPort for SessionTodoCoordinator {
    async fn read(&self, session: &SessionId) -> Result<SessionTodo, TodoPortError> {
        let parts = &self.parts;
        let read = parts.admission.within(session, |_lease| async move {
            parts.require_present(session).await?;
            Ok(parts.todos.read_or_init(session).await?)
        });
        read.await.map_err(reentry)?
    }

    async fn write(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        client: &ClientName,
    ) -> Result<Replaced, TodoPortError> {
        let guard = self.parts.draining.hold().ok_or(TodoPortError::Draining)?;
        let parts = Arc::clone(&self.parts);
        let (session, client) = (session.clone(), client.clone());
        let owned = async move {
            let written = parts.commit_then_signal(&session, todo, client).await;
            drop(guard);
            written
        };
        tokio::spawn(owned.with_current_subscriber()).await.map_err(|fault| {
            StoreError::Internal { act: "end the write of a list", cause: Box::new(fault) }
        })?
    }
}

impl TodoParts {
    async fn commit_then_signal(
        self: &Arc<Self>,
        session: &SessionId,
        todo: SessionTodo,
        client: ClientName,
    ) -> Result<Replaced, TodoPortError> {
        let written = self.admission.within(session, |lease| async move {
            self.require_present(session).await?;
            let turn = ToolTurn { turn_id: self.ids.turn_id(), client, at: self.clock.now() };
            let replaced = self.todos.replace(session, todo, turn).await?;
            let (parts, session) = (Arc::clone(self), session.clone());
            lease.after_release(move || parts.publish(&session));
            Ok(replaced)
        });
        written.await.map_err(reentry)?
    }

    async fn require_present(&self, session: &SessionId) -> Result<(), TodoPortError> {
        match self.sessions.presence(session).await? {
            Presence::Present => Ok(()),
            Presence::Removed | Presence::Absent => Err(TodoPortError::NotFound(session.clone())),
        }
    }

    fn publish(&self, session: &SessionId) {
        signal_or_drain(self.signal.as_ref(), &self.draining, session, Domain::Todo);
    }
}

/// Signals a committed change. A signal that fails, in whatever way, costs the Host its life and
/// not the caller its success.
pub(crate) fn signal_or_drain(
    signal: &dyn ChangeSignal,
    draining: &Draining,
    session: &SessionId,
    domain: Domain,
) {
    let published = catch_unwind(AssertUnwindSafe(|| signal.publish(session, domain)));
    if !matches!(published, Ok(Ok(()))) {
        tracing::error!(%session, ?domain, "a committed change could not be signalled");
        draining.begin(StopReason::SignalFailed);
    }
}

fn reentry(fault: Reentry) -> TodoPortError {
    StoreError::Internal { act: "admit work on a Session", cause: Box::new(fault) }.into()
}
