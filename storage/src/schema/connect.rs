//! Connections to the live database. Only SQLite opens it.

use std::fs;
use std::path::Path;
use std::time::Duration;

use maka_core::StoreError;
use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::inspect::read_error;
use super::open::beside;
use crate::OpenError;
use crate::sqlite_error::store_error;

/// Versions before this one can damage a database in WAL mode when a writer, readers and a backup
/// meet.
const OLDEST_SQLITE: i32 = 3_051_003;

/// Pages of the log after which a commit folds it into the database. Twice SQLite's own number: a
/// group of 64 writers fills hundreds of pages, and the same pages again and again.
const LOG_PAGES: u32 = 2_000;

/// How long SQLite waits for another program's lock.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// The linked SQLite is too old.
#[derive(Debug, thiserror::Error)]
#[error("it is version {0}, which can damage a database; 3.51.3 is the oldest that is safe")]
struct UnsafeSqlite(i32);

/// Opens a connection that writes, without changing a byte yet: the file must exist, nothing is
/// created in it, and a log that another program left is not folded in by closing the connection
/// until [`checkpoint_on_close`] allows it.
pub(crate) fn own_connection(path: &Path) -> Result<Connection, OpenError> {
    set_up_owner(connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?, path)
}

/// Opens a connection like [`own_connection`] that from its first read to its end is the only one
/// on the database: a program that has used it and is still there makes that first read fail as
/// busy, and none gets in later.
pub(crate) fn sole_connection(path: &Path) -> Result<Connection, OpenError> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Before anything is read: later it would take effect only with the first write.
    connection.pragma_update(None, "locking_mode", "EXCLUSIVE").map_err(read_error)?;
    set_up_owner(connection, path)
}

fn set_up_owner(connection: Connection, path: &Path) -> Result<Connection, OpenError> {
    let log = fs::metadata(beside(path, "-wal"));
    keep_log_on_close(&connection, log.is_ok_and(|log| log.len() > 0))?;
    connection
        .pragma_update(None, "foreign_keys", true)
        .and_then(|()| connection.pragma_update(None, "synchronous", "FULL"))
        .and_then(|()| {
            connection.pragma_update_and_check(None, "wal_autocheckpoint", LOG_PAGES, |_| Ok(()))
        })
        .map_err(read_error)?;
    Ok(connection)
}

/// Opens a connection for queries; every write through it is refused.
pub(crate) fn open_reader(path: &Path) -> Result<Connection, StoreError> {
    // Opened for writing, because only so can it take part in the shared index of the log.
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection
        .pragma_update(None, "query_only", true)
        .map_err(|cause| store_error("set up a connection for reading", cause))?;
    Ok(connection)
}

/// Opens a connection that leaves the database and its log as they are, for a look at a workspace
/// that is not ours to change. With `quiet` nobody else may be writing: no lock is taken and the
/// log is not looked at.
pub(crate) fn open_observer(path: &Path, quiet: bool) -> Result<Connection, StoreError> {
    let mode = if quiet { "immutable=1" } else { "mode=ro" };
    let uri = format!("file:{}?{mode}", escape(path));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = connect(Path::new(&uri), flags)?;
    keep_log_on_close(&connection, true)?;
    Ok(connection)
}

/// Lets SQLite fold the log into the database when the last connection closes, as it does by
/// itself.
pub(crate) fn checkpoint_on_close(connection: &Connection) -> Result<(), StoreError> {
    keep_log_on_close(connection, false)
}

fn keep_log_on_close(connection: &Connection, keep: bool) -> Result<(), StoreError> {
    connection
        .set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, keep)
        .map_err(|cause| store_error("set up the database connection", cause))?;
    Ok(())
}

fn connect(path: &Path, flags: OpenFlags) -> Result<Connection, StoreError> {
    check_version(rusqlite::version_number())?;
    let flags = flags | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)
        .map_err(|cause| store_error("open the database", cause))?;
    let failed = |cause| store_error("set up the database connection", cause);
    connection.busy_timeout(BUSY_TIMEOUT).map_err(failed)?;
    // Otherwise the planner looks at the values bound to some statements, and a cached statement
    // is compiled again at each new one.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(failed)?;
    Ok(connection)
}

fn check_version(linked: i32) -> Result<(), StoreError> {
    if linked >= OLDEST_SQLITE {
        return Ok(());
    }
    let cause = Box::new(UnsafeSqlite(linked));
    Err(StoreError::Internal { act: "trust the linked SQLite", cause })
}

/// Percent-encodes a path for an SQLite URI.
fn escape(path: &Path) -> String {
    let mut out = String::new();
    for byte in std::os::unix::ffi::OsStrExt::as_bytes(path.as_os_str()) {
        match byte {
            b'/' | b'.' | b'-' | b'_' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => {
                out.push(char::from(*byte));
            }
            other => out.push_str(&format!("%{other:02X}")),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{check_version, escape};

    #[test]
    fn an_sqlite_that_can_damage_the_file_is_refused() {
        assert!(check_version(3_051_002).is_err());
        assert!(check_version(3_051_003).is_ok());
        assert!(check_version(rusqlite::version_number()).is_ok());
    }

    #[test]
    fn a_path_is_safe_in_a_uri() {
        assert_eq!(escape(Path::new("/a b/ü?#%")), "/a%20b/%C3%BC%3F%23%25");
    }
}
