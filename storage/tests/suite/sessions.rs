//! The Sessions.

use futures_util::future::join_all;
use maka_core::ports::{CreateOutcome, OpenOutcome, RenameOutcome, SessionStore};
use maka_core::{
    CopyKind, NewSession, PageRequest, Presence, Session, SessionName, StoreError, Timestamp,
};

use crate::harness::{Workspace, id, todo, wait};

fn new(session: &str, name: &str, at: i64) -> NewSession {
    NewSession {
        session_id: id(session),
        name: named(name),
        created_at: Timestamp::from_millis(at),
    }
}

fn named(name: &str) -> SessionName {
    SessionName::parse(name).expect("a name")
}

fn created(workspace: &Workspace, session: &str, name: &str, at: i64) -> Session {
    match wait(workspace.database.sessions().create(new(session, name, at))).expect("answered") {
        CreateOutcome::Created(session) => session,
        CreateOutcome::IdTaken => panic!("{session} is taken"),
    }
}

fn alter(workspace: &Workspace, sql: &str) {
    workspace.raw().execute_batch(sql).expect("changed");
}

fn listed(workspace: &Workspace, include_archived: bool) -> Vec<String> {
    let page = wait(workspace.database.sessions().list(&PageRequest::default(), include_archived));
    page.expect("read").entries.into_iter().map(|s| s.session_id.as_str().to_owned()).collect()
}

#[test]
fn a_created_session_is_present_and_survives_a_new_open() {
    let mut workspace = Workspace::new();
    let session = created(&workspace, "s", "work", 5);
    assert_eq!((session.revision, session.archived, session.lineage.as_ref()), (1, false, None));
    workspace.reopen();
    let sessions = workspace.database.sessions();
    assert_eq!(wait(sessions.get(&id("s"))).expect("read"), Some(session));
    assert_eq!(wait(sessions.presence(&id("s"))).expect("read"), Presence::Present);
    assert_eq!(wait(sessions.presence(&id("nobody"))).expect("read"), Presence::Absent);
    assert_eq!(wait(sessions.get(&id("nobody"))).expect("read"), None);
}

#[test]
fn ids_of_present_preparing_and_removed_sessions_are_taken() {
    let workspace = Workspace::new();
    created(&workspace, "present", "x", 1);
    created(&workspace, "preparing", "x", 1);
    alter(
        &workspace,
        "UPDATE maka_sessions SET state = 'preparing' WHERE session_id = 'preparing';
         INSERT INTO maka_session_tombstones VALUES ('removed', 1);",
    );
    workspace.replace("present", &todo(&["kept"])).expect("written");
    let sessions = workspace.database.sessions();
    for (session, presence) in [
        ("present", Presence::Present),
        ("preparing", Presence::Absent),
        ("removed", Presence::Removed),
    ] {
        let again = wait(sessions.create(new(session, "again", 2))).expect("answered");
        assert_eq!(again, CreateOutcome::IdTaken, "{session}");
        let opened = wait(sessions.open_by_name(new(session, "again", 2))).expect("answered");
        assert_eq!(opened, OpenOutcome::IdTaken, "{session}");
        assert_eq!(wait(sessions.presence(&id(session))).expect("read"), presence);
    }
    assert_eq!(workspace.row("present"), Some(todo(&["kept"]).to_record()));
    assert_eq!(listed(&workspace, true), ["present"]);
    assert_eq!(wait(sessions.get(&id("preparing"))).expect("read"), None);
}

#[test]
fn a_row_that_an_unknown_session_left_is_not_the_new_ones() {
    let workspace = Workspace::new();
    workspace.replace("s", &todo(&["stray"])).expect("written");
    created(&workspace, "s", "x", 1);
    assert_eq!(workspace.row("s"), None);
    assert_eq!(workspace.counts("s"), None);
}

#[test]
fn opening_by_name_finds_the_newest_unarchived_or_creates() {
    let workspace = Workspace::new();
    created(&workspace, "old", "work", 1);
    created(&workspace, "new", "work", 2);
    created(&workspace, "archived", "work", 3);
    created(&workspace, "preparing", "work", 4);
    created(&workspace, "other", "Work", 5);
    alter(
        &workspace,
        "UPDATE maka_sessions SET archived = 1 WHERE session_id = 'archived';
         UPDATE maka_sessions SET state = 'preparing' WHERE session_id = 'preparing';",
    );
    let sessions = workspace.database.sessions();
    let found = wait(sessions.open_by_name(new("unused", "work", 9))).expect("answered");
    assert!(matches!(found, OpenOutcome::Found(s) if s.session_id == id("new")));
    let made = wait(sessions.open_by_name(new("made", "elsewhere", 9))).expect("answered");
    assert!(matches!(made, OpenOutcome::Created(s) if s.session_id == id("made")));
}

#[test]
fn two_that_open_the_same_name_at_once_get_the_same_session() {
    let workspace = Workspace::new();
    let sessions = workspace.database.sessions();
    let calls = (0..20).map(|n| sessions.open_by_name(new(&format!("s-{n}"), "work", n)));
    let mut found = Vec::new();
    for answer in wait(join_all(calls)) {
        match answer.expect("answered") {
            OpenOutcome::Found(session) | OpenOutcome::Created(session) => found.push(session),
            OpenOutcome::IdTaken => panic!("no id is taken"),
        }
    }
    found.dedup();
    assert_eq!(found.len(), 1);
}

#[test]
fn a_rename_counts_a_revision_and_refuses_what_is_archived_or_absent() {
    let workspace = Workspace::new();
    created(&workspace, "s", "before", 1);
    let sessions = workspace.database.sessions();
    let rename = |session: &str, name: &str| {
        wait(sessions.rename(&id(session), named(name))).expect("answered")
    };
    for _ in 0..2 {
        // The same name again changes nothing.
        let RenameOutcome::Renamed(session) = rename("s", "after") else { panic!("refused") };
        assert_eq!((session.name.as_str(), session.revision), ("after", 2));
        assert_eq!(wait(sessions.get(&id("s"))).expect("read"), Some(session));
    }
    alter(&workspace, "UPDATE maka_sessions SET archived = 1");
    assert_eq!(rename("s", "again"), RenameOutcome::Archived);
    assert_eq!(rename("nobody", "again"), RenameOutcome::NotPresent);
    alter(&workspace, "UPDATE maka_sessions SET archived = 0, state = 'preparing'");
    assert_eq!(rename("s", "again"), RenameOutcome::NotPresent);
}

#[test]
fn a_list_comes_newest_first_in_pages() {
    let workspace = Workspace::new();
    for n in 0..10 {
        created(&workspace, &format!("s-{n}"), "x", n / 3);
    }
    alter(&workspace, "UPDATE maka_sessions SET archived = 1 WHERE session_id = 's-4'");
    let expected: Vec<String> = (0..10).rev().map(|n| format!("s-{n}")).collect();
    assert_eq!(listed(&workspace, true), expected);
    assert_eq!(listed(&workspace, false).len(), 9);

    let sessions = workspace.database.sessions();
    let (mut seen, mut request) = (Vec::new(), PageRequest { cursor: None, limit: Some(5) });
    loop {
        let page = wait(sessions.list(&request, true)).expect("read");
        seen.extend(page.entries.into_iter().map(|s| s.session_id.as_str().to_owned()));
        request.cursor = page.next_cursor;
        if request.cursor.is_none() {
            break;
        }
    }
    // A full last page has no further one.
    assert_eq!(seen, expected);
    for cursor in ["", "x", "1", "1.", "1.a/b", "01.a"] {
        let bad = PageRequest { cursor: Some(cursor.to_owned()), limit: None };
        let refused = wait(sessions.list(&bad, true));
        assert!(matches!(refused, Err(StoreError::InvalidCursor)), "{cursor:?}");
    }
}

#[test]
fn the_lineage_of_a_copy_is_read() {
    let workspace = Workspace::new();
    created(&workspace, "s", "x", 1);
    alter(
        &workspace,
        "UPDATE maka_sessions SET copy_kind = 'revision', parent_session_id = 'p',
             branch_of_turn_id = 't', revision_root_session_id = 'r', revision_index = 2",
    );
    let session = wait(workspace.database.sessions().get(&id("s"))).expect("read");
    let lineage = session.and_then(|session| session.lineage).expect("a lineage");
    assert_eq!(lineage.kind, CopyKind::Revision);
    assert_eq!(lineage.parent_session_id, id("p"));
    assert_eq!(lineage.branch_of_turn_id.expect("a Turn").as_str(), "t");
    assert_eq!(lineage.revision_root_session_id, Some(id("r")));
    assert_eq!(lineage.revision_index, Some(2));
}

#[test]
fn a_row_that_breaks_its_rules_is_an_error_and_no_absent_session() {
    let workspace = Workspace::new();
    created(&workspace, "s", "x", 1);
    for damage in ["name = x'ff'", "parent_session_id = 'a/b', copy_kind = 'branch'"] {
        alter(&workspace, &format!("UPDATE maka_sessions SET {damage}"));
        let read = wait(workspace.database.sessions().get(&id("s")));
        assert!(matches!(read, Err(StoreError::CorruptDatabase { .. })), "{read:?}");
    }
}
