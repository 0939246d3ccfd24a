//! Why work without a Host was not done.

use crate::start_error::StartError;

/// Why work without a Host was not done. Nothing in the workspace was changed.
#[derive(Debug, thiserror::Error)]
pub enum OfflineError {
    /// The workspace is held, blocked or damaged, or the machine refused.
    #[error(transparent)]
    Workspace(#[from] StartError),
}

impl OfflineError {
    /// What a person can do about it, where anything helps.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Workspace(error) => error.hint(),
        }
    }
}
