//! The open database: its writer, its readers and its stores.

use std::sync::Arc;

use maka_core::StoreError;
use rusqlite::Connection;

use crate::known_present::KnownPresent;
use crate::readers::Readers;
use crate::schema::open_writer;
use crate::writer::{Standing, Writer};
use crate::{Faults, OpenError, RootLease, SqliteSessionStore, SqliteTodoStore};

/// The database of a state root, opened by the owner of the root's lease. Clones share it; when
/// the last one goes, the jobs already queued are finished and the database is closed.
#[derive(Debug, Clone)]
pub struct Database {
    inner: Arc<Inner>,
}

#[derive(Debug)]
pub(crate) struct Inner {
    // Closed before the writer, so that the writer's connection is the last one and folds the log
    // into the database.
    pub(crate) readers: Readers,
    pub(crate) writer: Writer,
    pub(crate) faults: Faults,
    pub(crate) known_present: KnownPresent,
    standing: Arc<Standing>,
}

impl Database {
    /// Opens the database, making it where the root has none. It holds the lease while it is open.
    ///
    /// # Errors
    /// [`OpenError`] where it needs an upgrade, is not ours to open, or the machine refuses.
    pub fn open(lease: Arc<RootLease>, faults: Faults) -> Result<Self, OpenError> {
        if !lease.is_held() {
            return Err(OpenError::Store(StoreError::InvalidLease));
        }
        let connection = open_writer(lease.root(), &faults)?;
        let path = lease.root().database();
        let standing = Arc::new(Standing::default());
        let readers = Readers::new(path, Arc::clone(&standing));
        let writer = Writer::start(connection, lease, faults.clone(), Arc::clone(&standing))?;
        let known_present = KnownPresent::default();
        Ok(Self { inner: Arc::new(Inner { readers, writer, faults, known_present, standing }) })
    }

    /// The Todo documents.
    #[must_use]
    pub fn todos(&self) -> SqliteTodoStore {
        SqliteTodoStore::new(Arc::clone(&self.inner))
    }

    /// The Sessions.
    #[must_use]
    pub fn sessions(&self) -> SqliteSessionStore {
        SqliteSessionStore::new(Arc::clone(&self.inner))
    }

    /// A connection of its own for a long read.
    ///
    /// # Errors
    /// [`StoreError`] where it cannot be opened or the database is closed.
    pub(crate) fn open_reader(&self) -> Result<Connection, StoreError> {
        self.inner.readers.open()
    }

    /// The faults that a test asked for.
    pub(crate) fn faults(&self) -> &Faults {
        &self.inner.faults
    }

    /// Takes no more calls, finishes those already made, and closes the file. Every later call is
    /// [`StoreError::InvalidLease`]. Closing again waits for the same end.
    pub async fn close(&self) {
        self.inner.standing.end();
        self.inner.readers.close();
        self.inner.writer.close().await;
    }
}
