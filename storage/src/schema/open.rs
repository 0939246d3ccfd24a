//! Opens the database for its owner.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use maka_core::{EnvironmentFault, StoreError};
use rusqlite::Connection;

use super::connect::{checkpoint_on_close, own_connection};
use super::fresh;
use super::inspect::{Standing, inspect};
use crate::root::{create_private_file, restrict_file};
use crate::sqlite_error::store_error;
use crate::{Faults, OpenError, StateRoot};

/// Opens the database for writing. An absent or empty one is made in one transaction; a current
/// one is not written to. The caller owns the root's lease.
///
/// # Errors
/// [`OpenError`]; the database is as it was.
pub(crate) fn open_writer(root: &StateRoot, faults: &Faults) -> Result<Connection, OpenError> {
    let path = root.database();
    prepare_files(root, &path)?;
    let connection = own_connection(&path)?;
    check_writable(&connection)?;
    match inspect(&connection)? {
        Standing::Old(old) => return Err(OpenError::NeedsUpgrade { from: old.from }),
        Standing::Current => set_log_mode(&connection)?,
        Standing::Fresh => {
            set_log_mode(&connection)?;
            create(&connection, faults)?;
        }
    }
    checkpoint_on_close(&connection)?;
    Ok(connection)
}

/// Creates the file where it is absent and makes it and its companions private, before SQLite
/// opens them; SQLite gives the companions that it makes the permissions of the database.
pub(crate) fn prepare_files(root: &StateRoot, path: &Path) -> Result<(), StoreError> {
    if fs::symlink_metadata(path).is_err() {
        let made = create_private_file(path)
            .and_then(|file| file.sync_all())
            .and_then(|()| File::open(root.path())?.sync_all());
        match made {
            Err(cause) if cause.kind() != io::ErrorKind::AlreadyExists => {
                return Err(io_error("create the database", cause));
            }
            _ => {}
        }
    }
    for suffix in ["", "-wal", "-shm", "-journal"] {
        restrict_file(&beside(path, suffix))
            .map_err(|cause| io_error("make the database private", cause))?;
    }
    Ok(())
}

/// The file that SQLite keeps beside the database under this suffix.
pub(crate) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// SQLite opens a file that it may not write for reading, without a word.
pub(crate) fn check_writable(connection: &Connection) -> Result<(), StoreError> {
    let act = "open the database for writing";
    match connection.is_readonly("main") {
        Ok(false) => Ok(()),
        Ok(true) => {
            let cause = "its file is write-protected".into();
            Err(StoreError::Environment { act, fault: EnvironmentFault::ReadOnly, cause })
        }
        Err(cause) => Err(store_error(act, cause)),
    }
}

/// Makes the database keep a write-ahead log. One that does already is not written to.
pub(crate) fn set_log_mode(connection: &Connection) -> Result<(), StoreError> {
    let mode: String = connection
        .pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))
        .map_err(|cause| store_error("switch the database to a write-ahead log", cause))?;
    if mode.eq_ignore_ascii_case("wal") {
        return Ok(());
    }
    let cause = format!("the file system allows only the journal mode {mode}");
    Err(StoreError::Environment {
        act: "switch the database to a write-ahead log",
        fault: EnvironmentFault::Io,
        cause: cause.into(),
    })
}

fn create(connection: &Connection, faults: &Faults) -> Result<(), OpenError> {
    let failed = |cause| OpenError::Store(store_error("create the database", cause));
    connection.execute_batch("BEGIN IMMEDIATE").map_err(failed)?;
    let made = create_within(connection, faults, failed);
    if made.is_err() {
        // Where SQLite has rolled back by itself there is nothing left to undo.
        let _ = connection.execute_batch("ROLLBACK");
    }
    made
}

fn create_within(
    connection: &Connection,
    faults: &Faults,
    failed: impl Fn(rusqlite::Error) -> OpenError + Copy,
) -> Result<(), OpenError> {
    // Asked again, because another program may have been faster.
    match inspect(connection)? {
        Standing::Old(old) => return Err(OpenError::NeedsUpgrade { from: old.from }),
        Standing::Current => {}
        Standing::Fresh => fresh::create_all(connection, now()).map_err(failed)?,
    }
    faults.at("schema.created").map_err(|cause| StoreError::Internal {
        act: "create the database",
        cause: Box::new(cause),
    })?;
    connection.execute_batch("COMMIT").map_err(failed)
}

fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// What the file system refused, as the store's error.
pub(crate) fn io_error(act: &'static str, cause: io::Error) -> StoreError {
    use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
    let kind = cause.kind();
    let fault = if [StorageFull, QuotaExceeded].contains(&kind) {
        EnvironmentFault::Full
    } else if kind == ReadOnlyFilesystem {
        EnvironmentFault::ReadOnly
    } else if kind == PermissionDenied {
        EnvironmentFault::CannotOpen
    } else {
        EnvironmentFault::Io
    };
    StoreError::Environment { act, fault, cause: Box::new(cause) }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::{beside, open_writer};
    use crate::schema::open_reader;
    use crate::{Faults, OpenError, StateRoot};

    fn root() -> (tempfile::TempDir, StateRoot) {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(dir.path()).expect("root");
        (dir, root)
    }

    #[test]
    fn a_fresh_database_is_made_whole_private_and_with_both_scopes() {
        let (_dir, root) = root();
        let writer = open_writer(&root, &Faults::default()).expect("made");
        for suffix in ["", "-wal", "-shm"] {
            let metadata = fs::metadata(beside(&root.database(), suffix)).expect("there");
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "{suffix}");
        }
        let scopes: Vec<(String, u32)> = writer
            .prepare("SELECT scope, version FROM operational_schema_migrations ORDER BY scope")
            .and_then(|mut all| all.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?.collect())
            .expect("read");
        assert_eq!(scopes, [("maka".to_owned(), 1), ("workflow".to_owned(), 12)]);
        let reader = open_reader(&root.database()).expect("opened");
        assert!(reader.execute_batch("DELETE FROM maka_sessions").is_err());
    }

    #[test]
    fn opening_a_current_database_again_writes_nothing() {
        let (_dir, root) = root();
        drop(open_writer(&root, &Faults::default()).expect("made"));
        let before = fs::read(root.database()).expect("read");
        drop(open_writer(&root, &Faults::default()).expect("opened"));
        assert_eq!(fs::read(root.database()).expect("read"), before);
        assert!(!beside(&root.database(), "-wal").exists());
    }

    #[test]
    fn a_creation_that_fails_leaves_an_empty_database() {
        let (_dir, root) = root();
        let faults = Faults::parse("schema.created=fail").expect("syntax");
        assert!(matches!(open_writer(&root, &faults), Err(OpenError::Store(_))));
        let reader = open_reader(&root.database()).expect("opened");
        let objects: u32 = reader
            .query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0))
            .expect("counted");
        assert_eq!(objects, 0);
        drop(reader);
        assert!(open_writer(&root, &Faults::default()).is_ok());
    }

    #[test]
    fn a_file_that_is_no_database_is_blocked_and_stays_as_it_is() {
        let (_dir, root) = root();
        let text = b"this is somebody's diary, not a database, and it is long enough".repeat(20);
        fs::write(root.database(), &text).expect("written");
        let refused = open_writer(&root, &Faults::default()).expect_err("not a database");
        assert!(matches!(refused, OpenError::Blocked { .. }), "{refused:?}");
        assert_eq!(fs::read(root.database()).expect("read"), text);
    }
}
