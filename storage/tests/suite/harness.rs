//! A state root of one test, the database opened on it, and a look at its rows that does not go
//! through the stores.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

use maka_core::ports::{Replaced, SessionTodoStore};
use maka_core::session_todo::SessionTodo;
use maka_core::{ClientName, SessionId, StoreError, Timestamp, ToolTurn, TurnId};
use maka_storage::{Database, Faults, RootLease, StateRoot};
use rusqlite::Connection;

/// Waits for a future on this thread.
pub(crate) fn wait<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// An open database in a folder of its own.
pub(crate) struct Workspace {
    pub(crate) database: Database,
    pub(crate) root: StateRoot,
    pub(crate) lease: Arc<RootLease>,
    _dir: tempfile::TempDir,
}

impl Workspace {
    pub(crate) fn new() -> Self {
        Self::with_faults("")
    }

    pub(crate) fn with_faults(faults: &str) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(&dir.path().join("root")).expect("a root");
        let lease = RootLease::acquire(root.clone()).expect("free");
        let faults = Faults::parse(faults).expect("syntax");
        let database = Database::open(Arc::clone(&lease), faults).expect("opened");
        Self { database, root, lease, _dir: dir }
    }

    pub(crate) fn reopen(&mut self) {
        wait(self.database.close());
        self.database = Database::open(Arc::clone(&self.lease), Faults::default()).expect("opened");
    }

    /// A connection that knows nothing of the stores.
    pub(crate) fn raw(&self) -> Connection {
        Connection::open(self.root.database()).expect("a second connection")
    }

    pub(crate) fn row(&self, session: &str) -> Option<String> {
        let sql = "SELECT group_concat(record_json) FROM workflow_session_todo_documents
                   WHERE session_id = ?1";
        self.raw().query_row(sql, [session], |row| row.get(0)).expect("read")
    }

    pub(crate) fn put_row(&self, session: &str, record: &str) {
        let sql = "INSERT INTO workflow_session_todo_documents VALUES (?1, ?2)";
        self.raw().execute(sql, [session, record]).expect("written");
    }

    pub(crate) fn number(&self, sql: &str) -> i64 {
        self.raw().query_row(sql, (), |row| row.get(0)).expect("a number")
    }

    pub(crate) fn counts(&self, session: &str) -> Option<(u32, u32, u32)> {
        let raw = self.raw();
        let mut find = raw
            .prepare("SELECT pending, in_progress, completed FROM maka_todo_counts WHERE session_id = ?1")
            .expect("prepared");
        let mut rows = find
            .query_map([session], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
            .expect("read");
        rows.next().map(|row| row.expect("counts"))
    }

    /// Replaces a list as a tool call of a Turn of its own.
    pub(crate) fn replace(
        &self,
        session: &str,
        todo: &SessionTodo,
    ) -> Result<Replaced, StoreError> {
        wait(self.database.todos().replace(&id(session), todo.clone(), turn()))
    }

    pub(crate) fn read(&self, session: &str) -> Result<SessionTodo, StoreError> {
        wait(self.database.todos().read_or_init(&id(session)))
    }
}

pub(crate) fn id(text: &str) -> SessionId {
    SessionId::parse(text).expect("an id")
}

/// A Turn that was not used before in this process.
pub(crate) fn turn() -> ToolTurn {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    ToolTurn {
        turn_id: TurnId::parse(format!("turn-{next}")).expect("an id"),
        client: ClientName::parse("a client").expect("a name"),
        at: Timestamp::from_millis(1_700_000_000_000),
    }
}

/// A list of pending items.
pub(crate) fn todo(contents: &[&str]) -> SessionTodo {
    let items: Vec<_> = contents
        .iter()
        .map(|content| serde_json::json!({"content": content, "status": "pending"}))
        .collect();
    SessionTodo::from_value(&items.into()).expect("valid")
}
