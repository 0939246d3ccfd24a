//! What the server needs of a Host: one Session's tools, its list, and word of its changes.

use maka_core::session_todo::TodoView;
use maka_host_client::{ToolCallResult, ToolDescription};
use serde_json::value::RawValue;
use tokio::sync::watch;

/// Why the Host did not do what it was asked. Carries no list content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(super) struct DoorFault {
    message: String,
    hint: Option<String>,
}

impl DoorFault {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None }
    }

    pub(super) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// What went wrong and, on a line of its own, what to do about it.
    pub(super) fn text(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{}\n{hint}", self.message),
            None => self.message.clone(),
        }
    }
}

/// One Session of a Host that may come and go.
pub(super) trait Door: Send + Sync + 'static {
    /// The tools, as the Host describes them to the program called `client`, if it gave a name.
    fn tools(
        &self,
        client: Option<&str>,
    ) -> impl Future<Output = Result<Vec<ToolDescription>, DoorFault>> + Send;

    /// Calls a tool on behalf of `client`.
    fn call(
        &self,
        client: Option<&str>,
        name: String,
        arguments: Option<Box<RawValue>>,
    ) -> impl Future<Output = Result<ToolCallResult, DoorFault>> + Send;

    /// The whole current list, projected.
    fn todo(&self) -> impl Future<Output = Result<TodoView, DoorFault>> + Send;

    /// Counts the changes that were signalled or may have been missed.
    fn changes(&self) -> watch::Receiver<u64>;
}
