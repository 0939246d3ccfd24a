//! Why an upgrade was not done.

use maka_core::{EnvironmentFault, StoreError};

use crate::backup::BackupError;
use crate::{InjectedFault, OpenError};

/// Why an upgrade was not done. The workspace is as it was, except where
/// [`StoreError::CommitOutcomeUnknown`] says that this cannot be known.
#[derive(Debug, thiserror::Error)]
pub enum UpgradeError {
    /// The workspace is blocked, or the machine refused.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Another program uses the database now.
    #[error("upgrade the workspace: another program has its database open; quit that first")]
    InUse,
    /// The backup could not be made, so that nothing else was tried.
    #[error("back the workspace up before its upgrade")]
    Backup(#[source] BackupError),
    /// The lease was lost while the upgrade ran.
    #[error("upgrade the workspace: this process no longer holds its owner lease")]
    LeaseLost,
    /// A test asked the upgrade to fail here.
    #[error(transparent)]
    Fault(#[from] InjectedFault),
}

impl UpgradeError {
    /// Says in plain words what a lock means that somebody else holds.
    pub(super) fn from_locking(error: OpenError) -> Self {
        let busy = matches!(
            error,
            OpenError::Store(StoreError::Environment { fault: EnvironmentFault::Busy, .. })
        );
        if busy { Self::InUse } else { Self::Open(error) }
    }
}
