//! Groups of writes, through the stores.

use std::fs;
use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, join_all};
use maka_core::ports::{Replaced, SessionStore, SessionTodoStore};
use maka_core::session_todo::SessionTodo;
use maka_core::{EnvironmentFault, Presence, StoreError};
use rusqlite::Connection;

use crate::harness::{Workspace, id, todo, turn, wait};

/// Holds the writer at the beginning of its next group, so that what is called meanwhile is not
/// answered.
struct Held(Connection);

impl Held {
    fn new(workspace: &Workspace) -> Self {
        let raw = workspace.raw();
        raw.execute_batch("BEGIN IMMEDIATE").expect("locked");
        Self(raw)
    }

    fn release(self) {
        self.0.execute_batch("ROLLBACK").expect("released");
    }
}

/// Calls `replace` and does not wait for its answer.
fn called(
    workspace: &Workspace,
    session: &str,
    list: SessionTodo,
) -> BoxFuture<'static, Result<Replaced, StoreError>> {
    let (store, session) = (workspace.database.todos(), id(session));
    let mut call = async move { store.replace(&session, list, turn()).await }.boxed();
    assert!(poll(&mut call).is_pending(), "the writer is held");
    call
}

fn poll<F: Future + Unpin>(future: &mut F) -> Poll<F::Output> {
    pin!(future).poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn the_order_of_calls_is_the_order_of_effects() {
    let workspace = Workspace::new();
    let held = Held::new(&workspace);
    // More than the queue holds at once, and more than a group takes.
    let mut lists: Vec<_> = (0..300).map(|n| todo(&[&format!("number {n}")])).collect();
    let calls: Vec<_> = lists.iter().map(|list| called(&workspace, "s", list.clone())).collect();
    held.release();
    for (answer, list) in wait(join_all(calls)).into_iter().zip(&lists) {
        assert_eq!(&answer.expect("written").todo, list);
    }
    assert_eq!(workspace.row("s"), lists.pop().map(|last| last.to_record()));
    let raw = workspace.raw();
    let mut records = raw
        .prepare(
            "SELECT record_json ->> '$.items[0].content', sequence, ordinal
             FROM maka_records JOIN maka_turns USING (session_id, turn_id) ORDER BY sequence",
        )
        .expect("prepared");
    let records: Vec<(String, i64, i64)> = records
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .and_then(Iterator::collect)
        .expect("read");
    let expected: Vec<_> = (0..300).map(|n| (format!("number {n}"), n + 1, n + 1)).collect();
    assert_eq!(records, expected);
}

#[test]
fn callers_that_find_the_queue_full_wait_for_room() {
    let workspace = Workspace::new();
    let held = Held::new(&workspace);
    let calls: Vec<_> =
        (0..1500).map(|n| called(&workspace, &format!("s-{n}"), todo(&["x"]))).collect();
    held.release();
    assert!(wait(join_all(calls)).iter().all(Result::is_ok));
    assert_eq!(workspace.number("SELECT count(*) FROM workflow_session_todo_documents"), 1500);
}

#[test]
fn a_job_that_fails_undoes_only_itself() {
    let workspace = Workspace::new();
    workspace
        .raw()
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON maka_records WHEN NEW.session_id = 'bad'
             BEGIN SELECT RAISE(ABORT, 'refused'); END",
        )
        .expect("a trigger");
    workspace.put_row("bad", &todo(&["old"]).to_record());
    let held = Held::new(&workspace);
    let first = called(&workspace, "first", todo(&["x"]));
    let bad = called(&workspace, "bad", todo(&["new"]));
    let last = called(&workspace, "last", todo(&["x"]));
    held.release();
    assert!(wait(bad).is_err());
    assert!(wait(first).is_ok() && wait(last).is_ok());
    assert_eq!(workspace.row("bad"), Some(todo(&["old"]).to_record()));
    assert_eq!(workspace.counts("bad"), None);
    assert_eq!(workspace.number("SELECT count(*) FROM maka_turns WHERE session_id = 'bad'"), 0);
    assert!(workspace.row("first").is_some() && workspace.row("last").is_some());
}

#[test]
fn a_commit_that_fails_leaves_nothing() {
    let workspace = Workspace::with_faults("writer.before_commit=fail");
    let failed = workspace.replace("s", &todo(&["x"]));
    let io = EnvironmentFault::Io;
    assert!(matches!(failed, Err(StoreError::Environment { fault, .. }) if fault == io));
    assert!(workspace.read("s").is_err(), "a failed initialization is no empty list");
    assert_eq!(workspace.row("s"), None);
}

#[test]
fn a_commit_of_unknown_outcome_is_told_to_all_and_the_file_opened_again() {
    let workspace = Workspace::with_faults("writer.committed=fail");
    let held = Held::new(&workspace);
    let group: Vec<_> =
        ["a", "b", "c"].iter().map(|session| called(&workspace, session, todo(&["x"]))).collect();
    held.release();
    for answer in wait(join_all(group)) {
        assert!(matches!(answer, Err(StoreError::CommitOutcomeUnknown { .. })), "{answer:?}");
    }
    // The next job runs on a connection of its own and finds what was committed.
    let again = workspace.replace("a", &todo(&["y"]));
    assert!(matches!(again, Err(StoreError::CommitOutcomeUnknown { .. })), "{again:?}");
    assert_eq!(workspace.row("a"), Some(todo(&["y"]).to_record()));
    assert_eq!(workspace.read("b").expect("read"), todo(&["x"]));
}

#[test]
fn once_the_lease_is_lost_nothing_more_commits() {
    let workspace = Workspace::new();
    workspace.replace("s", &todo(&["x"])).expect("written");
    let held = Held::new(&workspace);
    // The first of them has passed the check at the beginning of its group already.
    let calls: Vec<_> = (0..3).map(|_| called(&workspace, "s", todo(&["y"]))).collect();
    fs::remove_file(workspace.root.lock_file()).expect("removed");
    held.release();
    for answer in wait(join_all(calls)) {
        assert!(matches!(answer, Err(StoreError::InvalidLease)), "{answer:?}");
    }
    assert_eq!(workspace.row("s"), Some(todo(&["x"]).to_record()));
    // It does not come back, whatever becomes of the file.
    fs::write(workspace.root.lock_file(), "").expect("written");
    assert!(matches!(workspace.read("s"), Err(StoreError::InvalidLease)));
    let presence = wait(workspace.database.sessions().presence(&id("s")));
    assert!(matches!(presence, Err(StoreError::InvalidLease)));
}

#[test]
fn closing_finishes_what_was_called_and_refuses_the_rest() {
    let workspace = Workspace::new();
    let held = Held::new(&workspace);
    let calls: Vec<_> =
        (0..200).map(|n| called(&workspace, &format!("s-{n}"), todo(&["x"]))).collect();
    let database = workspace.database.clone();
    let mut close = async move { database.close().await }.boxed();
    assert!(poll(&mut close).is_pending());
    let refused = workspace.replace("late", &todo(&["x"]));
    assert!(matches!(refused, Err(StoreError::InvalidLease)));
    held.release();
    wait(close);
    for call in calls {
        assert!(call.now_or_never().expect("settled before the end").is_ok());
    }
    wait(workspace.database.close());
    let log = workspace.root.path().join("runtime.sqlite-wal");
    assert!(!log.exists(), "the last connection folds the log into the database");
    assert_eq!(workspace.number("SELECT count(*) FROM workflow_session_todo_documents"), 200);
}

#[test]
fn a_caller_that_went_away_takes_nothing_back() {
    let workspace = Workspace::new();
    let held = Held::new(&workspace);
    drop(called(&workspace, "s", todo(&["x"])));
    held.release();
    assert_eq!(workspace.read("s").expect("read"), todo(&["x"]));
}

#[test]
fn a_read_waits_for_the_writes_of_its_session_and_for_no_other() {
    let workspace = Workspace::new();
    workspace.replace("s", &todo(&["old"])).expect("written");
    workspace.replace("other", &todo(&["other"])).expect("written");
    let held = Held::new(&workspace);
    let write = called(&workspace, "s", todo(&["new"]));
    let (todos, sessions) = (workspace.database.todos(), workspace.database.sessions());
    let (session, other) = (id("s"), id("other"));
    let mut read = todos.read_or_init(&session);
    assert!(poll(&mut read).is_pending(), "the write was called before");
    let mut presence = sessions.presence(&session);
    assert!(poll(&mut presence).is_pending());
    assert!(matches!(poll(&mut todos.read_or_init(&other)), Poll::Ready(Ok(_))));
    held.release();
    assert_eq!(wait(read).expect("read"), todo(&["new"]));
    assert_eq!(wait(presence).expect("read"), Presence::Absent);
    assert!(wait(write).is_ok());
    assert!(matches!(poll(&mut todos.read_or_init(&session)), Poll::Ready(Ok(_))));
}

#[test]
fn a_write_that_fails_after_its_rows_leaves_none_of_them() {
    let workspace = Workspace::with_faults("todo.replace=fail");
    assert!(workspace.replace("s", &todo(&["x"])).is_err());
    assert_eq!(workspace.row("s"), None);
    for table in ["maka_todo_counts", "maka_turns", "maka_records"] {
        assert_eq!(workspace.number(&format!("SELECT count(*) FROM {table}")), 0, "{table}");
    }
}
