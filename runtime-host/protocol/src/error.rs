//! Error codes, and the body that carries one.

use serde::{Deserialize, Serialize};

/// What went wrong, for a program. `docs/protocol.md` says which outcome maps to which code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorCode {
    /// The Host is stopping and takes no new work.
    HostDraining,
    /// The input of the operation is wrong.
    InvalidRequest,
    /// There is no such operation.
    UnknownOperation,
    /// The operation exists, but not for this role.
    Unauthorized,
    /// There is no such Session.
    NotFound,
    /// A Turn is running in the Session.
    SessionBusy,
    /// The state of the Session forbids it.
    OperationConflict,
    /// The machine refused to store it; nothing was changed.
    PersistenceFailed,
    /// Whether it was stored cannot be known; read before trying again.
    CommitOutcomeUnknown,
    /// The workspace is of an older schema and waits for a person to upgrade it.
    WorkspaceNeedsUpgrade,
    /// A stored row is damaged, or the Host has a defect.
    InternalFailure,
    /// A line is over the limit. Closes the connection.
    FrameTooLarge,
    /// A line is not UTF-8. Closes the connection.
    InvalidUtf8,
    /// A line is not a frame that may stand here. Closes the connection.
    InvalidFrame,
    /// The peer does not read what it is sent. Closes the connection.
    SlowConsumer,
    /// The protocol number is not spoken here. Refuses the connection.
    UnsupportedProtocol,
}

/// What an error reply carries.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ErrorBody {
    /// The code.
    pub code: ErrorCode,
    /// What went wrong, for a person, without any list content.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
}

impl ErrorBody {
    /// An error without a hint.
    #[must_use]
    pub fn new(code: ErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: None }
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}
