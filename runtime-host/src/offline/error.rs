//! Why work without a Host was not done.

use maka_storage::BackupError;

use crate::start_error::StartError;

/// Why work without a Host was not done. Nothing in the workspace was changed.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The workspace is held, blocked or damaged, or the machine refused.
    #[error(transparent)]
    Workspace(#[from] StartError),
    /// A backup was not made, not accepted or not restored.
    #[error(transparent)]
    Backup(#[from] BackupError),
}

impl OfflineError {
    /// What a person can do about it, where anything helps.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Workspace(error) => error.hint(),
            Self::Backup(BackupError::Corrupt { .. }) => Some(
                "use another backup; `maka backup list` shows those of the state root".to_owned(),
            ),
            Self::Backup(
                BackupError::TargetExists(_)
                | BackupError::UnsupportedSchema { .. }
                | BackupError::NewerThanSupported { .. }
                | BackupError::Io { .. }
                | BackupError::Store(_)
                | BackupError::Fault(_),
            ) => None,
        }
    }
}
