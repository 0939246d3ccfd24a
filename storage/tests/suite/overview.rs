//! The overview of unfinished lists.

use maka_core::ports::{CopyContents, CreateOutcome, SessionStore, SessionTodoStore, TodoOverview};
use maka_core::session_todo::{SessionTodo, TodoCounts};
use maka_core::{NewSession, Page, PageRequest, SessionName, StoreError, Timestamp};
use serde_json::json;

use crate::harness::{Workspace, id, todo, wait};

fn create(workspace: &Workspace, session: &str, at: i64) {
    let new = NewSession {
        session_id: id(session),
        name: SessionName::parse(session).expect("a name"),
        created_at: Timestamp::from_millis(at),
    };
    let created = wait(workspace.database.sessions().create(new)).expect("created");
    assert!(matches!(created, CreateOutcome::Created(_)));
}

fn page(workspace: &Workspace, limit: u32, cursor: Option<String>) -> Page<TodoOverview> {
    let request = PageRequest { cursor, limit: Some(limit) };
    wait(workspace.database.todos().overview(&request)).expect("read")
}

fn ids(page: &Page<TodoOverview>) -> Vec<&str> {
    page.entries.iter().map(|entry| entry.session.session_id.as_str()).collect()
}

fn completed(content: &str) -> SessionTodo {
    let item = json!([{"content": content, "status": "completed"}]);
    SessionTodo::from_value(&item).expect("valid")
}

#[test]
fn it_shows_present_sessions_with_unfinished_items_newest_first_and_initializes_nothing() {
    let workspace = Workspace::new();
    for (session, at) in [("old", 1), ("new", 3), ("done", 4), ("empty", 5), ("none", 6)] {
        create(&workspace, session, at);
    }
    let list = SessionTodo::from_value(&json!([
        {"content": "a", "status": "completed"},
        {"content": "b", "status": "in_progress"},
        {"content": "c", "status": "pending"},
    ]))
    .expect("valid");
    workspace.replace("old", &list).expect("written");
    workspace.replace("new", &todo(&["x"])).expect("written");
    workspace.replace("done", &completed("x")).expect("written");
    workspace.read("empty").expect("initialized");
    workspace.replace("unknown", &todo(&["of no Session"])).expect("written");
    create(&workspace, "preparing", 7);
    workspace.replace("preparing", &todo(&["x"])).expect("written");
    create(&workspace, "archived", 2);
    workspace.replace("archived", &todo(&["x"])).expect("written");
    workspace
        .raw()
        .execute_batch(
            "UPDATE maka_sessions SET state = 'preparing' WHERE session_id = 'preparing';
             UPDATE maka_sessions SET archived = 1 WHERE session_id = 'archived';",
        )
        .expect("changed");

    let all = page(&workspace, 500, None);
    assert_eq!(ids(&all), ["new", "archived", "old"]);
    assert_eq!(all.next_cursor, None);
    let old = &all.entries[2];
    assert_eq!(old.counts, Some(TodoCounts { pending: 1, in_progress: 1, completed: 1 }));
    assert_eq!(old.unfinished, list.unfinished());
    assert!(all.entries[1].session.archived);
    assert_eq!(workspace.row("none"), None);
}

#[test]
fn a_damaged_row_is_an_entry_without_counts() {
    let workspace = Workspace::new();
    create(&workspace, "s", 1);
    create(&workspace, "adopted", 2);
    workspace.replace("s", &todo(&["x"])).expect("written");
    let raw = workspace.raw();
    raw.execute("UPDATE workflow_session_todo_documents SET record_json = '{not-json'", ())
        .expect("damaged");
    // As an adoption leaves a row that it cannot read.
    raw.execute_batch(
        "INSERT INTO workflow_session_todo_documents VALUES ('adopted', x'ff00');
         INSERT INTO maka_todo_counts VALUES ('adopted', NULL, NULL, NULL);",
    )
    .expect("damaged");
    let damaged = page(&workspace, 10, None);
    assert_eq!(ids(&damaged), ["adopted", "s"]);
    for entry in damaged.entries {
        assert_eq!((entry.counts, entry.unfinished), (None, SessionTodo::default()));
    }
    // The next write repairs the list, and its counts with it.
    let repaired = workspace.replace("adopted", &completed("y")).expect("written");
    assert_eq!(repaired.dropped_unfinished, None);
    assert_eq!(workspace.counts("adopted"), Some((0, 0, 1)));
    assert_eq!(ids(&page(&workspace, 10, None)), ["s"]);
}

#[test]
fn pages_follow_each_other_without_a_gap_or_a_double() {
    let workspace = Workspace::new();
    // Sessions of one moment are told apart by their ids.
    for n in 0..25 {
        let session = format!("s-{n:02}");
        create(&workspace, &session, n / 10);
        workspace.replace(&session, &todo(&["x"])).expect("written");
    }
    let mut seen = Vec::new();
    let mut cursor = None;
    loop {
        let page = page(&workspace, 7, cursor);
        assert!(page.entries.len() <= 7);
        seen.extend(ids(&page).into_iter().map(str::to_owned));
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    let expected: Vec<String> = (0..25).rev().map(|n| format!("s-{n:02}")).collect();
    assert_eq!(seen, expected);
    let bad = PageRequest { cursor: Some("made up".to_owned()), limit: None };
    let refused = wait(workspace.database.todos().overview(&bad));
    assert!(matches!(refused, Err(StoreError::InvalidCursor)));
}

#[test]
fn a_page_is_bounded_in_bytes_and_still_goes_on() {
    let workspace = Workspace::new();
    let item = "語".repeat(200);
    let items: Vec<_> = (0..200).map(|_| json!({"content": item, "status": "pending"})).collect();
    let largest = SessionTodo::from_value(&items.into()).expect("valid");
    for n in 0..5 {
        create(&workspace, &format!("s-{n}"), n);
        workspace.replace(&format!("s-{n}"), &largest).expect("written");
    }
    let first = page(&workspace, 500, None);
    let bytes: usize = first.entries.iter().map(|entry| entry.unfinished.record_len()).sum();
    assert!((1..=384 << 10).contains(&bytes), "{bytes}");
    let mut seen = first.entries.len();
    let mut cursor = first.next_cursor;
    while let Some(at) = cursor {
        let page = page(&workspace, 500, Some(at));
        assert!(!page.entries.is_empty());
        seen += page.entries.len();
        cursor = page.next_cursor;
    }
    assert_eq!(seen, 5);
}

#[test]
fn counts_follow_every_way_to_change_a_list() {
    let workspace = Workspace::new();
    let store = workspace.database.todos();
    workspace.read("s").expect("initialized");
    assert_eq!(workspace.counts("s"), Some((0, 0, 0)));
    workspace.replace("s", &todo(&["x", "y"])).expect("written");
    assert_eq!(workspace.counts("s"), Some((2, 0, 0)));
    wait(store.initialize_copy(&id("s"), &id("copy"), CopyContents::Current)).expect("copied");
    assert_eq!(workspace.counts("copy"), Some((2, 0, 0)));
    wait(store.initialize_copy(&id("s"), &id("side"), CopyContents::Empty)).expect("copied");
    assert_eq!(workspace.counts("side"), Some((0, 0, 0)));
    wait(store.purge(&id("s"))).expect("purged");
    assert_eq!(workspace.counts("s"), None);
}

#[test]
fn it_finds_the_lists_by_the_index_of_counts() {
    let workspace = Workspace::new();
    let raw = workspace.raw();
    let mut plan = raw
        .prepare(
            "EXPLAIN QUERY PLAN SELECT session.name FROM maka_todo_counts AS counts
             CROSS JOIN maka_sessions AS session ON session.session_id = counts.session_id
             WHERE (counts.pending IS NULL OR counts.pending + counts.in_progress > 0)",
        )
        .expect("prepared");
    let steps: Vec<String> =
        plan.query_map((), |row| row.get(3)).and_then(Iterator::collect).expect("planned");
    assert!(steps[0].contains("maka_todo_counts_unfinished"), "{steps:?}");
}
