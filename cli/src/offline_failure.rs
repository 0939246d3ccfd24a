//! What work on a state root in this process fails with, as a person reads it.

use std::io::ErrorKind;

use maka_runtime_host::StartError;
use maka_runtime_host::offline::{BackupError, OfflineError};

use crate::exit::Exit;
use crate::failure::{Failure, explain};

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let exit = match &error {
            StartError::Held(_) | StartError::Upgrade(_) => Exit::Refused,
            StartError::NeedsUpgrade { .. } | StartError::Blocked { .. } => Exit::WorkspaceBlocked,
            StartError::Root(_)
            | StartError::Lease(_)
            | StartError::Socket(_)
            | StartError::Config(_)
            | StartError::Log(_)
            | StartError::Store(_) => Exit::HostUnavailable,
        };
        Self::new(exit, format!("failed to {}", explain(&error))).with_hint_if(error.hint())
    }
}

/// No Host is wanted here, so none is unavailable: what the machine refuses is a refusal.
impl From<OfflineError> for Failure {
    fn from(error: OfflineError) -> Self {
        let exit = match &error {
            OfflineError::Workspace(error) if error.is_blocked() => Exit::WorkspaceBlocked,
            OfflineError::Backup(BackupError::Io { cause, .. })
                if cause.kind() == ErrorKind::NotFound =>
            {
                Exit::NotFound
            }
            OfflineError::Workspace(_) | OfflineError::Backup(_) => Exit::Refused,
        };
        Self::new(exit, format!("failed to {}", explain(&error))).with_hint_if(error.hint())
    }
}
