//! Whether a database that stands still is whole.

use std::path::Path;

use maka_core::StoreError;
use rusqlite::{Connection, OptionalExtension};

use super::error::BackupError;
use crate::schema::open_observer;
use crate::sqlite_error::store_error;

/// Memory for pages while a check runs, in KiB; negative is how SQLite tells KiB from pages. The
/// check looks rows up in the order of each index, which halves its time over SQLite's own 2 MiB.
const CACHE_KIB: i64 = -65_536;

/// Checks a staged or sealed database. It is opened as immutable: no lock is taken and no file
/// comes to stand beside it. `dir` is what an error names.
///
/// # Errors
/// [`BackupError::Corrupt`] or [`BackupError::NewerThanSupported`].
pub(super) fn database(
    dir: &Path,
    path: &Path,
    native_version: Option<i64>,
) -> Result<i64, BackupError> {
    let damaged = |error: StoreError| {
        if let StoreError::CorruptDatabase { detail } = &error {
            return BackupError::corrupt(dir, format!("its database is damaged ({detail})"));
        }
        BackupError::Store(error)
    };
    let connection = open_observer(path, true).map_err(damaged)?;
    let version = user_version(&connection).map_err(damaged)?;
    let registered = registered_version(&connection).map_err(damaged)?;
    // The reference implementation may have left a version above its registered one: what was
    // sealed when the backup was made counts, and the registry where nothing was.
    let supported = native_version.unwrap_or(registered);
    if version > supported {
        let path = dir.to_owned();
        return Err(BackupError::NewerThanSupported { path, found: version, supported });
    }
    connection
        .pragma_update(None, "cache_size", CACHE_KIB)
        .map_err(|cause| damaged(store_error("set up the check of the database", cause)))?;
    let faults = first_fault(&connection).map_err(|cause| {
        damaged(store_error("check the integrity of the backup's database", cause))
    })?;
    match faults {
        None => Ok(version),
        Some(fault) => Err(BackupError::corrupt(dir, format!("its database is damaged ({fault})"))),
    }
}

/// The version of the reference implementation's runtime, which a database of ours alone lacks.
pub(super) fn user_version(connection: &Connection) -> Result<i64, StoreError> {
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .map_err(|cause| store_error("read the database's version", cause))
}

/// What the registry says that version is; 0 where it says nothing.
fn registered_version(connection: &Connection) -> Result<i64, StoreError> {
    let failed = |cause| store_error("read the database's registry", cause);
    if !connection.table_exists(None, "operational_schema_migrations").map_err(failed)? {
        return Ok(0);
    }
    connection
        .query_row(
            "SELECT version FROM operational_schema_migrations WHERE scope = 'runtime'",
            (),
            |row| row.get(0),
        )
        .optional()
        .map(Option::unwrap_or_default)
        .map_err(failed)
}

fn first_fault(connection: &Connection) -> rusqlite::Result<Option<String>> {
    let verdict: String =
        connection.query_row("PRAGMA integrity_check(1)", (), |row| row.get(0))?;
    if verdict != "ok" {
        return Ok(Some(verdict));
    }
    connection
        .query_row("PRAGMA foreign_key_check", (), |row| {
            let table: String = row.get(0)?;
            Ok(format!("a row of {table} refers to one that is not there"))
        })
        .optional()
}
