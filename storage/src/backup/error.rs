//! Why a backup was not made, not accepted or not restored.

use std::io;
use std::path::{Path, PathBuf};

use maka_core::StoreError;

use crate::InjectedFault;

/// Why a backup was not made, not accepted or not restored. The workspace and the backups that
/// were there are as they were.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// Something stands where the backup, or the restored state root, should come to be.
    #[error("write to {}: something is there already; name a path that does not exist", .0.display())]
    TargetExists(PathBuf),
    /// The folder is not a backup, or not as it was when it was made.
    #[error("accept the backup {}: {fault}", path.display())]
    Corrupt {
        /// The backup's folder.
        path: PathBuf,
        /// What is wrong with it.
        fault: String,
    },
    /// The manifest is of another version.
    #[error(
        "accept the backup {}: its manifest has the version {found}, this program reads 3",
        path.display()
    )]
    UnsupportedSchema {
        /// The backup's folder.
        path: PathBuf,
        /// The manifest's `schemaVersion`.
        found: String,
    },
    /// The database in it was written by a newer program than its manifest and registry tell of.
    #[error(
        "accept the backup {}: its database is at version {found}, newer than the supported \
         {supported}",
        path.display()
    )]
    NewerThanSupported {
        /// The backup's folder.
        path: PathBuf,
        /// The database's `user_version`.
        found: i64,
        /// The highest version that is accepted.
        supported: i64,
    },
    /// A file could not be read or written.
    #[error("{act} {}", path.display())]
    Io {
        /// The act that failed, as a lowercase fragment that the path follows.
        act: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the machine said.
        #[source]
        cause: io::Error,
    },
    /// The database could not be read or copied.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A test asked the backup to fail here.
    #[error(transparent)]
    Fault(#[from] InjectedFault),
}

impl BackupError {
    pub(super) fn corrupt(path: &Path, fault: impl Into<String>) -> Self {
        Self::Corrupt { path: path.to_owned(), fault: fault.into() }
    }

    pub(super) fn io(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |cause| Self::Io { act, path, cause }
    }
}
