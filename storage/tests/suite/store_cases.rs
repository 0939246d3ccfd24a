//! The cases of `tests/cases/store.json`, on a real file whose rows are read by an independent
//! connection.

use std::collections::BTreeSet;
use std::sync::Arc;

use maka_core::ports::{CopyContents, CopyOutcome, SessionTodoStore};
use maka_core::session_todo::SessionTodo;
use maka_core::{SessionId, StoreError};
use maka_storage::{Database, Faults, RootLease, StateRoot};
use serde_json::{Value, json};

use crate::harness::{Workspace, id, todo, turn, wait};

const FILE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/store.json"));

fn cases() -> Vec<Value> {
    let file: Value = serde_json::from_str(FILE).expect("JSON");
    file["cases"].as_array().expect("cases").clone()
}

#[test]
fn every_case_comes_out_as_told() {
    let mut executed = BTreeSet::new();
    for case in cases() {
        let name = case["id"].as_str().expect("an id").to_owned();
        if !by_hand(&name, &case) {
            as_written(&name, &case["given"], &case["expect"]);
        }
        assert!(executed.insert(name), "an id stands twice");
    }
    assert_eq!(executed.len(), 39, "the file and this runner know the same cases");
}

/// What an operation gave: an outcome, or the code of its error.
type Answer = Result<Value, &'static str>;

fn code(error: &StoreError) -> &'static str {
    if matches!(error, StoreError::CorruptDocument { .. }) {
        return "corrupt_document";
    }
    assert!(matches!(error, StoreError::InvalidLease), "{error:?}");
    "invalid_lease"
}

fn listed(result: Result<SessionTodo, StoreError>) -> Answer {
    result.map(|todo| json!({ "items": todo })).map_err(|error| code(&error))
}

fn run(workspace: &mut Workspace, op: &Value) -> Answer {
    let word = |place: usize| op[place].as_str().expect("a word");
    let store = workspace.database.todos();
    match op.as_str().unwrap_or_else(|| word(0)) {
        "reopen" => {
            workspace.reopen();
            Ok(Value::Null)
        }
        "read" => listed(workspace.read(word(1))),
        "replace" => {
            let todo = SessionTodo::from_value(&op[2]).expect("valid");
            listed(workspace.replace(word(1), &todo).map(|replaced| replaced.todo))
        }
        "purge" => wait(store.purge(&id(word(1)))).map(|()| json!("ok")).map_err(|e| code(&e)),
        "copy" => {
            let contents = if op[3] == true { CopyContents::Current } else { CopyContents::Empty };
            copy(workspace, word(1), word(2), contents)
        }
        other => panic!("no such operation: {other}"),
    }
}

fn copy(workspace: &Workspace, source: &str, target: &str, contents: CopyContents) -> Answer {
    match wait(workspace.database.todos().initialize_copy(&id(source), &id(target), contents)) {
        Ok(CopyOutcome::Initialized(todo)) => listed(Ok(todo)),
        Ok(CopyOutcome::TargetConflict) => Err("copy_target_conflict"),
        Err(error) => Err(code(&error)),
    }
}

/// The texts that the file only describes.
fn record(text: &str) -> String {
    let items = |count: usize, content: String| {
        let item = json!({"content": content, "status": "pending"});
        json!({"schemaVersion": 1, "items": vec![item; count]}).to_string()
    };
    match text {
        "(schemaVersion 1, 201 valid items)" => items(201, "x".to_owned()),
        "(schemaVersion 1, one item of 201 code points)" => items(1, "x".repeat(201)),
        "valid" => items(1, "x".to_owned()),
        exact => exact.to_owned(),
    }
}

fn as_written(name: &str, given: &Value, expect: &Value) {
    let mut workspace = Workspace::new();
    let rows = given["rows"].as_object().cloned().unwrap_or_default();
    for (session, text) in &rows {
        workspace.put_row(session, &record(text.as_str().expect("text")));
    }
    let mut answer = run(&mut workspace, &given["op"]);
    assert_rows(name, &workspace, &expect["rows_after_purge"]);
    for op in steps(&given["then"]) {
        answer = run(&mut workspace, &op);
    }
    match (&expect["error"], &expect["result"]) {
        (Value::String(expected), Value::Null) => {
            assert_eq!(answer, Err(expected.as_str()), "{name}")
        }
        (Value::Null, Value::Null) => assert!(answer.is_ok(), "{name}: {answer:?}"),
        (Value::Null, expected) => assert_eq!(answer.as_ref(), Ok(expected), "{name}"),
        other => panic!("{name}: {other:?}"),
    }
    assert_rows(name, &workspace, &expect["rows"]);
    if let Some(count) = expect["row_count"].as_i64() {
        assert_eq!(document_count(&workspace), count, "{name}");
    }
    for (flag, session) in [("source_unchanged", "a"), ("target_unchanged", "b")] {
        if expect[flag] == true {
            let text = rows[session].as_str().expect("text");
            assert_eq!(workspace.row(session), Some(record(text)), "{name}: {flag}");
        }
    }
    if expect["rows_unchanged"] == true {
        for (session, text) in &rows {
            let text = record(text.as_str().expect("text"));
            assert_eq!(workspace.row(session), Some(text), "{name}");
        }
        assert_eq!(document_count(&workspace), i64::try_from(rows.len()).expect("few"));
    }
}

/// One operation, several of them, or none.
fn steps(then: &Value) -> Vec<Value> {
    match then.as_array() {
        None => Vec::new(),
        Some(steps) if matches!(steps.last(), Some(Value::Array(_))) => steps.clone(),
        Some(_) => vec![then.clone()],
    }
}

fn assert_rows(name: &str, workspace: &Workspace, expected: &Value) {
    for (session, text) in expected.as_object().into_iter().flatten() {
        assert_eq!(
            workspace.row(session).as_deref(),
            text.as_str(),
            "{name}: the row of {session}"
        );
    }
}

fn document_count(workspace: &Workspace) -> i64 {
    workspace.number("SELECT count(*) FROM workflow_session_todo_documents")
}

/// The cases that the file tells in words. Whether `name` is one of them.
fn by_hand(name: &str, case: &Value) -> bool {
    match name {
        "write-then-read-concurrent" => write_then_read_concurrent(case),
        "copy-current-retry-identical" => copy_current_retry_identical(),
        "copy-target-different" => copy_target_different(),
        "bad-session-id" => bad_session_id(),
        "session-id-128-ok" => session_id_128_ok(),
        "failed-write-does-not-stop-queue" => failed_write_does_not_stop_queue(),
        "closed-writer" => closed_writer(),
        "forged-lease" => forged_lease(),
        _ => return false,
    }
    true
}

fn write_then_read_concurrent(case: &Value) {
    let workspace = Workspace::new();
    let list = &case["given"]["op"][1][2];
    let todo = SessionTodo::from_value(list).expect("valid");
    let (store, session) = (workspace.database.todos(), id("s"));
    let (written, read) = wait(futures_util::future::join(
        store.replace(&session, todo, turn()),
        store.read_or_init(&session),
    ));
    for answer in [listed(written.map(|replaced| replaced.todo)), listed(read)] {
        assert_eq!(answer.as_ref(), Ok(&case["expect"]["both"]));
    }
}

fn copy_current_retry_identical() {
    let workspace = Workspace::new();
    workspace.replace("a", &todo(&["x"])).expect("written");
    let first = copy(&workspace, "a", "b", CopyContents::Current);
    assert_eq!(first, listed(Ok(todo(&["x"]))));
    assert_eq!(copy(&workspace, "a", "b", CopyContents::Current), first);
    assert_eq!(document_count(&workspace), 2);
}

fn copy_target_different() {
    let workspace = Workspace::new();
    workspace.replace("a", &todo(&["x"])).expect("written");
    copy(&workspace, "a", "b", CopyContents::Current).expect("copied");
    workspace.replace("b", &todo(&["y"])).expect("written");
    let again = copy(&workspace, "a", "b", CopyContents::Current);
    assert_eq!(again, Err("copy_target_conflict"));
    assert_eq!(workspace.row("b"), Some(todo(&["y"]).to_record()));
}

fn bad_session_id() {
    // No store method takes anything but a checked id.
    for bad in ["", "a/b", "a.b", &"a".repeat(129), "é"] {
        assert!(SessionId::parse(bad).is_err(), "{bad:?}");
    }
}

fn session_id_128_ok() {
    let workspace = Workspace::new();
    let session = "a".repeat(128);
    assert_eq!(listed(workspace.read(&session)), Ok(json!({"items": []})));
}

fn failed_write_does_not_stop_queue() {
    let workspace = Workspace::new();
    workspace
        .raw()
        .execute_batch(
            "CREATE TRIGGER refuse BEFORE INSERT ON maka_records WHEN NEW.session_id = 'bad'
             BEGIN SELECT RAISE(ABORT, 'refused'); END",
        )
        .expect("a trigger");
    assert!(workspace.replace("bad", &todo(&["x"])).is_err());
    assert_eq!(workspace.row("bad"), None, "the list of a write that failed is not there");
    assert!(workspace.replace("good", &todo(&["x"])).is_ok());
}

fn closed_writer() {
    let workspace = Workspace::new();
    wait(workspace.database.close());
    assert_eq!(listed(workspace.read("s")), Err("invalid_lease"));
}

fn forged_lease() {
    // Only `RootLease::acquire` makes leases. One whose lock file was replaced is what is left
    // of a forgery: it opens nothing.
    let dir = tempfile::tempdir().expect("a folder");
    let root = StateRoot::open_or_create(dir.path()).expect("a root");
    let lease = RootLease::acquire(root.clone()).expect("free");
    std::fs::remove_file(root.lock_file()).expect("removed");
    let refused = Database::open(Arc::clone(&lease), Faults::default()).expect_err("not held");
    let maka_storage::OpenError::Store(error) = refused else { panic!("{refused:?}") };
    assert_eq!(code(&error), "invalid_lease");
    assert!(!root.database().exists());
}
