//! Backups of the database.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use maka_core::{StoreError, Timestamp};
use rusqlite::Connection;

use crate::sqlite_error::store_error;
use crate::{Faults, InjectedFault};

/// Why a backup was not made.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The folder could not be made.
    #[error("create the backup folder")]
    Folder(#[source] std::io::Error),
    /// The database could not be copied.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A test asked the backup to fail here.
    #[error(transparent)]
    Fault(#[from] InjectedFault),
}

/// A backup that was made.
#[derive(Debug, Clone)]
pub struct BackupInfo {
    /// Its folder.
    pub path: PathBuf,
}

/// Copies a consistent snapshot of the database.
pub(crate) fn snapshot(
    source: &Connection,
    target_dir: &Path,
    _now: Timestamp,
    faults: &Faults,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, BackupError> {
    DirBuilder::new().mode(0o700).create(target_dir).map_err(BackupError::Folder)?;
    let file = target_dir.join("runtime.sqlite");
    source
        .execute("VACUUM INTO ?1", (file.to_string_lossy(),))
        .map_err(|cause| store_error("copy the database", cause))?;
    progress(1, 1);
    faults.at("backup.copied")?;
    Ok(BackupInfo { path: target_dir.to_owned() })
}
