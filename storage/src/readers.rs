//! Connections for reading. A read runs on its caller's thread: it takes microseconds, and in a
//! write-ahead log no reader ever waits for the writer.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use maka_core::StoreError;
use rusqlite::Connection;

use crate::schema::open_reader;
use crate::writer::Standing;

/// Connections kept open between reads. There are never more in use than threads that read.
const MAX_IDLE: usize = 4;
/// Statements that a connection keeps prepared.
const CACHED_STATEMENTS: usize = 32;

/// The idle connections.
pub(crate) struct Readers {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    standing: Arc<Standing>,
}

impl Readers {
    pub(crate) fn new(path: PathBuf, standing: Arc<Standing>) -> Self {
        Self { path, idle: Mutex::new(Vec::with_capacity(MAX_IDLE)), standing }
    }

    /// Reads. Each statement sees one consistent state.
    ///
    /// # Errors
    /// Those of `read`, and [`StoreError`] where no connection can be opened or the database is
    /// closed.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.standing.check()?;
        let idle = self.lock().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => self.open()?,
        };
        let result = read(&connection);
        // A connection whose machine failed under it is not used again.
        if matches!(
            result,
            Ok(_) | Err(StoreError::CorruptDocument { .. } | StoreError::InvalidCursor)
        ) {
            self.put_back(connection);
        }
        result
    }

    /// Tells whether the database is still open.
    ///
    /// # Errors
    /// [`StoreError::InvalidLease`] once it is not.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        self.standing.check()
    }

    /// Opens a connection that is not one of the pool, for long reads.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be opened or the database is closed.
    pub(crate) fn open(&self) -> Result<Connection, StoreError> {
        self.standing.check()?;
        let connection = open_reader(&self.path)?;
        connection.set_prepared_statement_cache_capacity(CACHED_STATEMENTS);
        Ok(connection)
    }

    fn put_back(&self, connection: Connection) {
        let mut idle = self.lock();
        if idle.len() < MAX_IDLE && self.standing.check().is_ok() {
            idle.push(connection);
        }
    }

    /// Closes the idle connections; those in use close when their read ends.
    pub(crate) fn close(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Readers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Readers").field("path", &self.path).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maka_core::{EnvironmentFault, StoreError};

    use super::{MAX_IDLE, Readers};
    use crate::schema::open_writer;
    use crate::writer::Standing;
    use crate::{Faults, StateRoot};

    fn readers() -> (Readers, Arc<Standing>, tempfile::TempDir) {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(dir.path()).expect("a root");
        drop(open_writer(&root, &Faults::default()).expect("made"));
        let standing = Arc::new(Standing::default());
        (Readers::new(root.database(), Arc::clone(&standing)), standing, dir)
    }

    #[test]
    fn a_connection_that_cannot_be_opened_is_an_error_at_once() {
        let (readers, _standing, dir) = readers();
        std::fs::remove_file(dir.path().join("runtime.sqlite")).expect("removed");
        let refused = readers.read(|_| Ok(()));
        let expected = EnvironmentFault::CannotOpen;
        assert!(
            matches!(refused, Err(StoreError::Environment { fault, .. }) if fault == expected),
            "{refused:?}"
        );
    }

    #[test]
    fn connections_are_kept_up_to_a_bound_and_none_after_a_failure_or_the_end() {
        let (readers, standing, _dir) = readers();
        let idle = |readers: &Readers| readers.lock().len();
        readers.read(|_| readers.read(|_| Ok(()))).expect("read");
        assert_eq!(idle(&readers), 2, "the inner read had a connection of its own");
        let failed = readers.read(|_| -> Result<(), _> { Err(damaged()) });
        assert!(failed.is_err());
        assert_eq!(idle(&readers), 1);
        nested(&readers, MAX_IDLE + 2);
        assert_eq!(idle(&readers), MAX_IDLE);
        let ended = readers.read(|_| {
            standing.end();
            readers.close();
            Ok(())
        });
        ended.expect("a read that has begun is finished");
        assert_eq!(idle(&readers), 0);
        assert!(matches!(readers.read(|_| Ok(())), Err(StoreError::InvalidLease)));
    }

    fn nested(readers: &Readers, depth: usize) {
        let inner = || {
            if depth > 1 {
                nested(readers, depth - 1)
            }
        };
        let read = readers.read(|_| {
            inner();
            Ok(())
        });
        read.expect("read");
    }

    fn damaged() -> StoreError {
        StoreError::CorruptDatabase { detail: "a test says so".to_owned() }
    }
}
