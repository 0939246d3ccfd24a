//! The one place where a failed operation becomes an error on the wire. `docs/protocol.md` has the
//! same as a table.

use maka_core::ports::TodoPortError;
use maka_core::{EnvironmentFault, SessionId, StoreError};
use maka_host_protocol::{ErrorBody, ErrorCode};
use maka_storage::BackupError;

use crate::server::StopReason;

/// Why an operation did not do what it was asked.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Already in the words of the wire.
    Refused(ErrorBody),
    /// The store failed.
    Store(StoreError),
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<ErrorBody> for Failure {
    fn from(body: ErrorBody) -> Self {
        Self::Refused(body)
    }
}

impl From<TodoPortError> for Failure {
    fn from(error: TodoPortError) -> Self {
        match error {
            TodoPortError::NotFound(session) => Self::Refused(not_found(&session)),
            TodoPortError::Draining => Self::Refused(draining()),
            TodoPortError::Store(error) => Self::Store(error),
        }
    }
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let code = match error {
            BackupError::Store(error) => return Self::Store(error),
            BackupError::TargetExists(_) => ErrorCode::OperationConflict,
            BackupError::Io { .. } | BackupError::Fault(_) => ErrorCode::PersistenceFailed,
            BackupError::Corrupt { .. }
            | BackupError::UnsupportedSchema { .. }
            | BackupError::NewerThanSupported { .. } => ErrorCode::InternalFailure,
        };
        tracing::warn!(error = %causes(&error), "no backup was made");
        Self::Refused(ErrorBody::new(code, failed_to(&error)))
    }
}

impl Failure {
    /// The error on the wire, and the reason to drain where the failure ends the Host.
    pub(crate) fn into_body(self) -> (ErrorBody, Option<StopReason>) {
        match self {
            Self::Refused(body) => (body, None),
            Self::Store(error) => store_failure(&error),
        }
    }
}

fn store_failure(error: &StoreError) -> (ErrorBody, Option<StopReason>) {
    let message = failed_to(error);
    match error {
        StoreError::CorruptDocument { .. } => {
            tracing::warn!(error = %causes(error), "a stored list is damaged");
            let body = ErrorBody::new(ErrorCode::InternalFailure, message);
            (body.with_hint("the row stays as it is; the next todo_write replaces it"), None)
        }
        StoreError::CorruptDatabase { .. } => {
            tracing::error!(error = %causes(error), "the database is damaged");
            let body = ErrorBody::new(ErrorCode::InternalFailure, message);
            let hint =
                "stop the Host and restore a backup: `maka backup list`, `maka backup restore`";
            (body.with_hint(hint), None)
        }
        StoreError::Environment { fault, .. } => {
            tracing::error!(error = %causes(error), ?fault, "the machine refused");
            let body = ErrorBody::new(ErrorCode::PersistenceFailed, message);
            (body.with_hint(environment_hint(*fault)), None)
        }
        StoreError::CommitOutcomeUnknown { .. } => {
            tracing::error!(error = %causes(error), "the outcome of a commit is unknown");
            let body = ErrorBody::new(ErrorCode::CommitOutcomeUnknown, message);
            let hint = "it may or may not have been saved: read the list before writing it again";
            (body.with_hint(hint), Some(StopReason::CommitOutcomeUnknown))
        }
        StoreError::InvalidLease => {
            tracing::error!("the owner lease is lost");
            let body = ErrorBody::new(ErrorCode::HostDraining, message);
            let hint = "nothing was changed; connect again to the Host that owns the state root";
            (body.with_hint(hint), Some(StopReason::LeaseLost))
        }
        StoreError::InvalidCursor => {
            let body = ErrorBody::new(ErrorCode::InvalidRequest, message);
            (body.with_hint("send the nextCursor of a page of the same list, or none"), None)
        }
        StoreError::Internal { .. } => {
            tracing::error!(error = %causes(error), "a defect");
            (ErrorBody::new(ErrorCode::InternalFailure, message), None)
        }
    }
}

fn environment_hint(fault: EnvironmentFault) -> &'static str {
    match fault {
        EnvironmentFault::Busy => {
            "nothing was changed; another program holds the database: end it, then try again"
        }
        EnvironmentFault::Full => "nothing was changed; free some disk space, then try again",
        EnvironmentFault::ReadOnly => {
            "nothing was changed; make the state root writable for you, then try again"
        }
        EnvironmentFault::CannotOpen => {
            "nothing was changed; check the state root's permissions and the limit of open files"
        }
        EnvironmentFault::NoMemory => "nothing was changed; free some memory, then try again",
        EnvironmentFault::Io => "nothing was changed; check the disk, then try again",
    }
}

/// `failed to …`, without the causes.
pub(crate) fn failed_to(error: &dyn std::error::Error) -> String {
    format!("failed to {error}")
}

/// The error and its causes in one line, for the log.
pub(crate) fn causes(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        line.push_str(": ");
        line.push_str(&error.to_string());
        cause = error.source();
    }
    line
}

/// The error for an id that stands for no Session.
pub(crate) fn not_found(session: &SessionId) -> ErrorBody {
    ErrorBody::new(ErrorCode::NotFound, format!("there is no Session {session}"))
        .with_hint("list the Sessions with `maka session list`")
}

/// The error for a request that comes while the Host stops.
pub(crate) fn draining() -> ErrorBody {
    ErrorBody::new(ErrorCode::HostDraining, "the Host is stopping and takes no new requests")
        .with_hint("connect again; a new Host serves the same lists")
}

/// The error for input that breaks the operation's rules.
pub(crate) fn invalid_request(message: impl Into<String>) -> ErrorBody {
    ErrorBody::new(ErrorCode::InvalidRequest, message)
}

/// The error for a defect of this program.
pub(crate) fn defect(act: &'static str, cause: impl std::error::Error) -> ErrorBody {
    tracing::error!(error = %causes(&cause), "a defect: failed to {act}");
    ErrorBody::new(ErrorCode::InternalFailure, format!("failed to {act}"))
}

#[cfg(test)]
mod tests {
    use maka_core::session_todo::RecordFault;
    use maka_core::{EnvironmentFault, SessionId, StoreError};
    use maka_host_protocol::ErrorCode;

    use super::Failure;
    use crate::server::StopReason;

    fn io() -> Box<dyn std::error::Error + Send + Sync> {
        Box::new(std::io::Error::other("below"))
    }

    #[test]
    fn every_store_error_has_its_code_and_only_two_end_the_host() {
        let session = SessionId::parse("s").expect("valid");
        let environment = |fault| StoreError::Environment { act: "commit", fault, cause: io() };
        let table = [
            (
                StoreError::CorruptDocument { session, cause: RecordFault::NotJson },
                ErrorCode::InternalFailure,
                None,
            ),
            (
                StoreError::CorruptDatabase { detail: "page 3".into() },
                ErrorCode::InternalFailure,
                None,
            ),
            (environment(EnvironmentFault::Busy), ErrorCode::PersistenceFailed, None),
            (environment(EnvironmentFault::Full), ErrorCode::PersistenceFailed, None),
            (
                StoreError::CommitOutcomeUnknown { cause: io() },
                ErrorCode::CommitOutcomeUnknown,
                Some(StopReason::CommitOutcomeUnknown),
            ),
            (StoreError::InvalidCursor, ErrorCode::InvalidRequest, None),
            (StoreError::InvalidLease, ErrorCode::HostDraining, Some(StopReason::LeaseLost)),
            (StoreError::Internal { act: "do it", cause: io() }, ErrorCode::InternalFailure, None),
        ];
        for (error, code, stop) in table {
            let shown = error.to_string();
            let (body, reason) = Failure::from(error).into_body();
            assert_eq!((body.code, reason), (code, stop), "{shown}");
            assert_eq!(body.message, format!("failed to {shown}"));
        }
    }

    #[test]
    fn a_damaged_row_says_what_mends_it() {
        let session = SessionId::parse("s").expect("valid");
        let error = StoreError::CorruptDocument { session, cause: RecordFault::Shape };
        let (body, _) = Failure::from(error).into_body();
        assert!(body.hint.expect("a hint").contains("todo_write replaces it"));
    }
}
