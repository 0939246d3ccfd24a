//! Making a backup, of a database that a Host serves or of one that stands still.

use std::path::Path;
use std::sync::Arc;

use maka_core::{StoreError, Timestamp};
use rusqlite::config::DbConfig;

use super::error::BackupError;
use super::manifest::BackupInfo;
use super::snapshot;
use crate::schema::open_reader;
use crate::sqlite_error::store_error;
use crate::{Database, Faults, RootLease};

/// Makes a backup of an open database while its writers go on. Blocks for as long as the copy, its
/// hash and its check take. `progress` hears pages done of pages in all, once a mebibyte.
///
/// # Errors
/// [`BackupError`]; nothing stands at `target`.
pub fn create(
    database: &Database,
    target: &Path,
    now: Timestamp,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, BackupError> {
    let source = database.open_reader()?;
    snapshot(&source, target, now, database.faults(), progress)
}

/// Makes a backup of a database that no Host serves: the caller owns the root. The database may be
/// of any version, and is left as it is. `progress` as for [`create`].
///
/// # Errors
/// [`BackupError`]; nothing stands at `target`.
pub fn create_offline(
    lease: &Arc<RootLease>,
    target: &Path,
    now: Timestamp,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, BackupError> {
    if !lease.is_held() {
        return Err(BackupError::Store(StoreError::InvalidLease));
    }
    let source = open_reader(&lease.root().database())?;
    source
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .map_err(|cause| store_error("set up a connection for reading", cause))?;
    snapshot(&source, target, now, &Faults::default(), progress)
}
