//! The writer on a connection that a test has prepared.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::mpsc::{self, Sender};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};
use std::time::Duration;

use maka_core::{EnvironmentFault, SessionId, StoreError};
use rusqlite::Connection;

use super::{Standing, Writer};
use crate::schema::open_writer;
use crate::sqlite_error::store_error;
use crate::{Faults, RootLease, StateRoot};

struct Bench {
    writer: Writer,
    root: StateRoot,
    _dir: tempfile::TempDir,
}

impl Bench {
    fn new(prepare: impl FnOnce(&mut Connection)) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(dir.path()).expect("a root");
        let lease = RootLease::acquire(root.clone()).expect("free");
        let mut connection = open_writer(&root, &Faults::default()).expect("opened");
        connection.execute_batch("CREATE TABLE t (n INTEGER, bytes BLOB)").expect("a table");
        prepare(&mut connection);
        let standing = Arc::new(Standing::default());
        let writer =
            Writer::start(connection, lease, Faults::default(), standing).expect("started");
        Self { writer, root, _dir: dir }
    }

    fn insert(&self, n: i64, bytes: i64) -> impl Future<Output = Result<(), StoreError>> + use<> {
        self.writer.submit(&session(), 0, move |connection| {
            connection
                .execute("INSERT INTO t VALUES (?1, zeroblob(?2))", (n, bytes))
                .map(|_| ())
                .map_err(|cause| store_error("insert", cause))
        })
    }

    fn rows(&self) -> Vec<i64> {
        let raw = Connection::open(self.root.database()).expect("opened");
        let mut rows = raw.prepare("SELECT n FROM t ORDER BY rowid").expect("prepared");
        rows.query_map((), |row| row.get(0)).and_then(Iterator::collect).expect("read")
    }

    /// Keeps the writer in a group of its own until the gate is dropped, so that what is submitted
    /// meanwhile comes to stand in the next one.
    fn gate(&self) -> Sender<()> {
        let (open, opened) = mpsc::channel::<()>();
        let (enter, entered) = mpsc::channel();
        drop(self.writer.submit(&session(), 0, move |_| {
            enter.send(()).expect("the test waits");
            // Nothing is ever sent: the gate opens when its other end is dropped.
            let _ = opened.recv();
            Ok(())
        }));
        entered.recv().expect("the writer runs");
        open
    }

    /// A job that makes SQLite undo the whole transaction, as some failures do.
    fn undo_all(&self) -> impl Future<Output = Result<(), StoreError>> + use<> {
        self.writer.submit(&session(), 0, |connection| {
            connection
                .execute_batch("ROLLBACK")
                .map_err(|cause| store_error("roll back", cause))?;
            Err(StoreError::CorruptDatabase { detail: "a test says so".to_owned() })
        })
    }

    fn locked(&self) -> Connection {
        let raw = Connection::open(self.root.database()).expect("opened");
        raw.execute_batch("BEGIN IMMEDIATE").expect("locked");
        raw
    }
}

fn session() -> SessionId {
    SessionId::parse("s").expect("an id")
}

fn wait<F: Future>(future: F) -> F::Output {
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

fn fault(answer: &Result<(), StoreError>) -> Option<EnvironmentFault> {
    if let Err(StoreError::Environment { fault, .. }) = answer { Some(*fault) } else { None }
}

#[test]
fn on_a_full_disk_the_whole_group_fails_and_the_writer_goes_on() {
    let bench = Bench::new(|connection| {
        let pages: i64 =
            connection.query_row("PRAGMA page_count", (), |row| row.get(0)).expect("counted");
        connection
            .query_row(&format!("PRAGMA max_page_count = {}", pages + 4), (), |_| Ok(()))
            .expect("set");
    });
    assert!(wait(bench.insert(1, 10)).is_ok());
    let gate = bench.gate();
    let group = [bench.insert(2, 10), bench.insert(3, 1_000_000), bench.insert(4, 10)];
    drop(gate);
    for answer in group.map(wait) {
        assert_eq!(fault(&answer), Some(EnvironmentFault::Full), "{answer:?}");
    }
    assert_eq!(bench.rows(), [1]);
    assert!(wait(bench.insert(5, 10)).is_ok(), "a small write still fits");
    assert_eq!(bench.rows(), [1, 5]);
}

#[test]
fn a_commit_that_sqlite_refuses_is_rolled_back_and_the_writer_goes_on() {
    let mut refusals = 1;
    let bench = Bench::new(|connection| {
        let refuse = move || {
            refusals -= 1;
            refusals == 0
        };
        connection.commit_hook(Some(refuse)).expect("a hook");
    });
    let refused = wait(bench.insert(1, 10));
    assert!(matches!(refused, Err(StoreError::Internal { .. })), "{refused:?}");
    assert!(bench.rows().is_empty());
    assert!(wait(bench.insert(2, 10)).is_ok());
    assert_eq!(bench.rows(), [2]);
}

#[test]
fn a_database_that_another_program_holds_is_busy() {
    let bench = Bench::new(|connection| {
        connection.busy_timeout(Duration::ZERO).expect("set");
    });
    let lock = bench.locked();
    let answer = wait(bench.insert(1, 10));
    assert_eq!(fault(&answer), Some(EnvironmentFault::Busy), "{answer:?}");
    drop(lock);
    assert!(wait(bench.insert(2, 10)).is_ok());
    assert_eq!(bench.rows(), [2]);
}

#[test]
fn a_job_that_panics_undoes_only_itself() {
    let bench = Bench::new(|_| {});
    let gate = bench.gate();
    let first = bench.insert(1, 10);
    let panicking = bench.writer.submit(&session(), 0, |connection| -> Result<(), StoreError> {
        connection.execute("INSERT INTO t VALUES (2, NULL)", ()).expect("inserted");
        panic!("a test asked for it");
    });
    let last = bench.insert(3, 10);
    drop(gate);
    assert!(matches!(wait(panicking), Err(StoreError::Internal { .. })));
    assert!(wait(first).is_ok() && wait(last).is_ok());
    assert_eq!(bench.rows(), [1, 3]);
}

#[test]
fn where_sqlite_undid_the_transaction_the_whole_group_fails_and_is_told() {
    let bench = Bench::new(|_| {});
    assert!(wait(bench.insert(1, 10)).is_ok());
    let gate = bench.gate();
    let before = bench.insert(2, 10);
    let undoing = bench.undo_all();
    let after = bench.insert(3, 10);
    drop(gate);
    assert!(matches!(wait(undoing), Err(StoreError::CorruptDatabase { .. })), "its own error");
    for answer in [wait(before), wait(after)] {
        assert!(matches!(answer, Err(StoreError::Internal { .. })), "{answer:?}");
    }
    assert_eq!(bench.rows(), [1]);
    assert!(wait(bench.insert(4, 10)).is_ok());
    assert_eq!(bench.rows(), [1, 4]);
}

#[test]
fn a_group_is_bounded_in_jobs_and_in_bytes() {
    let bench = Bench::new(|_| {});
    // The job that undoes its group is alone in it, because the one before fills a group.
    let gate = bench.gate();
    let big = bench.writer.submit(&session(), 8 << 20, |_| Ok(()));
    let undoing = bench.undo_all();
    drop(gate);
    assert!(wait(big).is_ok());
    assert!(wait(undoing).is_err());
    // 128 jobs are a group, the next one is not of it.
    let gate = bench.gate();
    let group: Vec<_> = (0..128).map(|n| bench.insert(n, 10)).collect();
    let undoing = bench.undo_all();
    drop(gate);
    for answer in group {
        assert!(wait(answer).is_ok());
    }
    assert!(wait(undoing).is_err());
}
