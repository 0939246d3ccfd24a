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
        if matches!(result, Ok(_) | Err(StoreError::CorruptDocument { .. })) {
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
