//! What the ways to a Host fail with, as a person reads it.

use std::io::ErrorKind;

use maka_host_client::{CallError, ConnectError, ErrorCode, Refused, StartRefusal};

use crate::exit::Exit;
use crate::failure::{Failure, explain};

/// What to do about an older workspace.
pub(crate) const UPGRADE_HINT: &str =
    "see what an upgrade does with `maka upgrade --plan`, then run `maka upgrade`";
const NO_ACCESS: &str =
    "the state root or its Host is not yours to use: name another with --root DIR or MAKA_ROOT";
const LOOK_FIRST: &str = "it may have been done: look before you try again";

impl From<ConnectError> for Failure {
    fn from(error: ConnectError) -> Self {
        match error {
            ConnectError::Refused(Refused { code, message, .. }) => of_code(code, message, None),
            ConnectError::StartRefused(refusal) => of_start(refusal),
            ConnectError::NotRunning { .. } => {
                unavailable(&error).with_hint("start one: maka host start")
            }
            ConnectError::Io(ref cause) if cause.kind() == ErrorKind::PermissionDenied => {
                unavailable(&error).with_hint(NO_ACCESS)
            }
            ConnectError::Closed(_)
            | ConnectError::Timeout
            | ConnectError::BadHandshake
            | ConnectError::Io(_)
            | ConnectError::Spawn { .. }
            | ConnectError::StartFailed
            | ConnectError::StartTimeout => {
                unavailable(&error).with_hint("see host.log in the state root")
            }
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        match error {
            CallError::Refused(body) => of_code(body.code, body.message, body.hint),
            CallError::Unreachable(error) => Self::from(*error),
            CallError::Closed { sent: false, .. } => unavailable(&error),
            CallError::Closed { sent: true, .. } | CallError::Timeout => {
                unavailable(&error).with_hint(LOOK_FIRST)
            }
            CallError::BadReply(_) | CallError::BadRequest(_) => {
                Self::refused(format!("failed to {}", explain(&error)))
            }
        }
    }
}

fn unavailable(error: &(dyn std::error::Error + 'static)) -> Failure {
    Failure::new(Exit::HostUnavailable, format!("failed to {}", explain(error)))
}

/// A spawned Host knows best why it did not start, and which exit code that is.
fn of_start(refusal: StartRefusal) -> Failure {
    let exit = Exit::from_code(refusal.exit_code).unwrap_or(Exit::HostUnavailable);
    Failure::new(exit, refusal.message).with_hint_if(refusal.hint)
}

fn of_code(code: ErrorCode, message: String, hint: Option<String>) -> Failure {
    let (exit, usual) = match code {
        ErrorCode::NotFound => (Exit::NotFound, Some("see what there is: maka session list")),
        ErrorCode::HostDraining => (Exit::HostUnavailable, Some("try again: it is stopping")),
        ErrorCode::WorkspaceNeedsUpgrade => (Exit::WorkspaceBlocked, Some(UPGRADE_HINT)),
        ErrorCode::InvalidRequest
        | ErrorCode::UnknownOperation
        | ErrorCode::Unauthorized
        | ErrorCode::SessionBusy
        | ErrorCode::OperationConflict
        | ErrorCode::PersistenceFailed
        | ErrorCode::CommitOutcomeUnknown
        | ErrorCode::InternalFailure
        | ErrorCode::FrameTooLarge
        | ErrorCode::InvalidUtf8
        | ErrorCode::InvalidFrame
        | ErrorCode::SlowConsumer
        | ErrorCode::UnsupportedProtocol => (Exit::Refused, None),
    };
    Failure::new(exit, message).with_hint_if(hint.or_else(|| usual.map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use maka_host_client::{CallError, ConnectError, ErrorBody, ErrorCode, StartRefusal};

    use super::{Exit, Failure};

    #[test]
    fn the_hosts_codes_become_exit_codes() {
        for (code, exit) in [
            (ErrorCode::NotFound, Exit::NotFound),
            (ErrorCode::HostDraining, Exit::HostUnavailable),
            (ErrorCode::WorkspaceNeedsUpgrade, Exit::WorkspaceBlocked),
            (ErrorCode::OperationConflict, Exit::Refused),
        ] {
            let failure = Failure::from(CallError::Refused(ErrorBody::new(code, "why")));
            assert_eq!((failure.exit(), failure.message()), (exit, Some("why")));
        }
    }

    #[test]
    fn a_hosts_own_reason_not_to_start_is_kept() {
        let refusal = StartRefusal {
            code: "workspace_needs_upgrade".to_owned(),
            message: "why".to_owned(),
            hint: Some("what".to_owned()),
            exit_code: 5,
        };
        let failure = Failure::from(ConnectError::StartRefused(refusal));
        assert_eq!(failure.exit(), Exit::WorkspaceBlocked);
        assert_eq!((failure.message(), failure.hint()), (Some("why"), Some("what")));
    }

    #[test]
    fn no_host_is_4_and_the_causes_are_said_once() {
        let cause = std::io::Error::other("the disk is on fire");
        let failure = Failure::from(ConnectError::Io(cause));
        assert_eq!(failure.exit(), Exit::HostUnavailable);
        assert_eq!(
            failure.message(),
            Some("failed to connect to the Runtime Host: the disk is on fire")
        );
        let denied = std::io::Error::from(std::io::ErrorKind::PermissionDenied);
        let failure = Failure::from(ConnectError::Io(denied));
        assert_eq!(failure.exit(), Exit::HostUnavailable);
        assert!(failure.hint().unwrap().contains("--root"));
    }
}
