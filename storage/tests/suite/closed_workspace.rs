//! Workspaces on disk that nobody has open: copies of real ones and fresh ones, and what tests do
//! with them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maka_core::Timestamp;
use maka_core::ports::SessionTodoStore;
use maka_core::session_todo::SessionTodo;
use maka_storage::upgrade::{UpgradeError, UpgradePlan, UpgradeReport, plan, upgrade};
use maka_storage::{Database, Faults, OpenError, RootLease, StateRoot};
use rusqlite::Connection;

use crate::dump::{Dump, observer};
use crate::harness::{id, wait};

pub(crate) const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// The real workspaces, as files of the repository.
pub(crate) const REAL: [&str; 5] = [
    "v9-rich.sqlite",
    "v9-hot-wal",
    "v10-migrated-from-v9-rich.sqlite",
    "v11-todos.sqlite",
    "v12-todos.sqlite",
];

/// A workspace that nobody has open.
#[derive(Debug)]
pub(crate) struct ClosedWorkspace {
    _dir: tempfile::TempDir,
    pub(crate) root: StateRoot,
}

impl ClosedWorkspace {
    /// An empty state root.
    pub(crate) fn empty() -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(&dir.path().join("root")).expect("a state root");
        Self { _dir: dir, root }
    }

    /// A copy of a real workspace.
    pub(crate) fn real(name: &str) -> Self {
        let workspace = Self::empty();
        let from =
            Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces")).join(name);
        if from.is_dir() {
            for suffix in ["", "-wal", "-shm"] {
                let file = format!("runtime.sqlite{suffix}");
                write(&workspace.root.path().join(&file), &from.join(&file));
            }
        } else {
            write(&workspace.root.database(), &from);
        }
        workspace
    }

    /// A fresh database of our own.
    pub(crate) fn current() -> Self {
        let workspace = Self::empty();
        workspace.open().expect("made");
        workspace
    }

    /// Changes the file as another program would, and folds the log in.
    pub(crate) fn alter(&self, sql: &str) -> &Self {
        let connection = Connection::open(self.root.database()).expect("opens");
        connection.execute_batch(sql).expect("SQL");
        self
    }

    /// Changes the text of a statement in `sqlite_schema`.
    pub(crate) fn retype(&self, object: &str, change: impl Fn(&str) -> String) -> &Self {
        let connection = Connection::open(self.root.database()).expect("opens");
        connection
            .set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_DEFENSIVE, false)
            .expect("a setting");
        connection.execute_batch("PRAGMA writable_schema = ON").expect("a setting");
        let old: String = connection
            .query_row("SELECT sql FROM sqlite_schema WHERE name = ?1", (object,), |row| row.get(0))
            .expect("the object");
        let new = change(&old);
        assert_ne!(old, new);
        connection
            .execute("UPDATE sqlite_schema SET sql = ?2 WHERE name = ?1", (object, new))
            .expect("changed");
        self
    }

    pub(crate) fn lease(&self) -> Arc<RootLease> {
        RootLease::acquire(self.root.clone()).expect("the lease is free")
    }

    /// Opens the database as a Host does, and closes it again.
    pub(crate) fn open(&self) -> Result<(), OpenError> {
        let database = Database::open(self.lease(), Faults::default())?;
        wait(database.close());
        Ok(())
    }

    /// Reads the list of a Session through the store, as its first read does.
    pub(crate) fn read(&self, session: &str) -> SessionTodo {
        let database = Database::open(self.lease(), Faults::default()).expect("current");
        let todo = wait(database.todos().read_or_init(&id(session))).expect("read");
        wait(database.close());
        todo
    }

    /// One number, by a connection of its own.
    pub(crate) fn number(&self, sql: &str) -> i64 {
        observer(&self.root.database()).query_row(sql, (), |row| row.get(0)).expect("a number")
    }

    pub(crate) fn plan(&self) -> Result<UpgradePlan, OpenError> {
        plan(&self.root)
    }

    pub(crate) fn upgrade(&self) -> Result<UpgradeReport, UpgradeError> {
        self.upgrade_at(NOW, "")
    }

    pub(crate) fn upgrade_at(
        &self,
        now: Timestamp,
        faults: &str,
    ) -> Result<UpgradeReport, UpgradeError> {
        let faults = Faults::parse(faults).expect("syntax");
        upgrade(&self.lease(), now, &faults, &mut |_| {})
    }

    pub(crate) fn dump(&self) -> Dump {
        Dump::of(&self.root.database())
    }

    /// The bytes of the database and of its log.
    pub(crate) fn bytes(&self) -> [Option<Vec<u8>>; 2] {
        ["", "-wal"]
            .map(|suffix| fs::read(self.root.path().join(format!("runtime.sqlite{suffix}"))).ok())
    }

    /// The folders in `backups/`.
    pub(crate) fn backups(&self) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.root.backups()) else { return Vec::new() };
        entries.map(|entry| entry.expect("an entry").path()).collect()
    }

    /// Asserts that neither plan nor upgrade nor opening accepts the workspace, that the reason
    /// holds `says`, and that nothing changed.
    pub(crate) fn assert_blocked(&self, says: &str) {
        let before = self.dump();
        let reasons = [
            self.plan().expect_err("plan refuses"),
            self.open().expect_err("opening refuses"),
            self.upgrade_refusal(),
        ];
        for refused in reasons {
            let OpenError::Blocked { reason, hint } = refused else { panic!("{refused:?}") };
            assert!(reason.contains(says), "{reason:?} says {says:?}");
            assert!(!hint.is_empty());
        }
        assert_eq!(self.dump(), before);
        assert_eq!(self.backups(), Vec::<PathBuf>::new());
    }
}

impl ClosedWorkspace {
    fn upgrade_refusal(&self) -> OpenError {
        let refused = self.upgrade().expect_err("upgrading refuses");
        if let UpgradeError::Open(error) = refused {
            return error;
        }
        panic!("{refused:?}");
    }
}

fn write(to: &Path, from: &Path) {
    fs::write(to, fs::read(from).expect("a real workspace")).expect("copied");
}
