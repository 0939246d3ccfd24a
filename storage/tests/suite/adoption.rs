//! What no real workspace holds, crafted: unfinished copies, lists of removed and of unknown
//! Sessions, damage, lineage, ids that break the rule, and workspaces too old for some tables.

use rusqlite::types::Value;

use crate::closed_workspace::ClosedWorkspace;
use crate::dump::{observer, rows};

/// SQL that adds a Session as the reference implementation would.
fn session(id: &str, payload: &str) -> String {
    format!(
        "INSERT INTO session_metadata (session_id, payload_json, created_at, last_used_at, name,
             is_flagged, is_archived, has_unread, backend, llm_connection_slug, model,
             metadata_version, committed_at)
         VALUES ('{id}', '{payload}', 7, 7, 'n', 0, 1, 0, 'b', 'c', 'm', 4, 7);"
    )
}

fn todo(id: &str, record: &str) -> String {
    format!("INSERT INTO workflow_session_todo_documents VALUES ('{id}', '{record}');")
}

fn message(id: &str, sequence: u32, kind: &str, record: &str) -> String {
    format!(
        "INSERT INTO session_messages VALUES ('{id}', {sequence}, 'm{sequence}', '{kind}',
             {ts}, '{record}');",
        ts = 1000 + sequence
    )
}

const EMPTY: &str = r#"{"schemaVersion":1,"items":[]}"#;
const REMOVED: &str = "69d1b172-bf2d-4e47-8e69-016b91679d80";

fn column(workspace: &ClosedWorkspace, sql: &str) -> Vec<Value> {
    rows(&observer(&workspace.root.database()), sql, |row| row.get(0))
}

fn texts(workspace: &ClosedWorkspace, sql: &str) -> Vec<String> {
    rows(&observer(&workspace.root.database()), sql, |row| row.get(0))
}

#[test]
fn lists_of_unfinished_copies_and_removed_sessions_go_and_those_of_unknown_ids_stay() {
    for name in ["v11-todos.sqlite", "v12-todos.sqlite"] {
        let workspace = ClosedWorkspace::real(name);
        workspace.alter(
            &[
                session("half", r#"{"name":"h","conversationCopy":{"state":"preparing"}}"#),
                session("whole", r#"{"name":"w","conversationCopy":{"state":"committed"}}"#),
                todo("half", EMPTY),
                todo("whole", EMPTY),
                todo(REMOVED, EMPTY),
                todo("nobody", "not even JSON"),
                todo("not an id", EMPTY),
            ]
            .concat(),
        );
        let before = workspace.dump();
        let plan = workspace.plan().expect("a plan");
        let report = workspace.upgrade().expect("upgraded");
        assert_eq!((report.purged_todos, report.orphan_todos, report.todos), (2, 2, 15));
        assert_eq!((plan.purged_todos, plan.orphan_todos, plan.todos), (2, 2, 15));
        assert_eq!((report.preparing_copies, plan.preparing_copies), (1, 1));
        assert_eq!((report.sessions, plan.sessions), (22, 22));

        let todos = "workflow_session_todo_documents";
        let mut expected = before.tables[todos].clone();
        let gone = ["half", REMOVED].map(|id| Value::Text(id.to_owned()));
        expected.retain(|row| !gone.contains(&row[0]));
        assert_eq!(workspace.dump().tables[todos], expected, "the rest stays byte for byte");
        assert_eq!(workspace.dump().foreign(), before.foreign());
        let adopted = "SELECT count(*) FROM maka_sessions WHERE session_id";
        assert_eq!(workspace.number(&format!("{adopted} = 'half'")), 0);
        assert_eq!(workspace.number(&format!("{adopted} = 'whole'")), 1);
    }
}

#[test]
fn counts_stand_for_every_list_of_an_adopted_session_and_none_for_a_damaged_one() {
    let workspace = ClosedWorkspace::real("v11-todos.sqlite");
    let damaged = r#"{"schemaVersion":1,"items":[{"content":"","status":"pending"}]}"#;
    workspace.alter(
        &[
            session("bad", r#"{"name":"b"}"#),
            todo("bad", damaged),
            session("blob", r#"{"name":"b"}"#),
            "INSERT INTO workflow_session_todo_documents VALUES ('blob', x'ff');".to_owned(),
        ]
        .concat(),
    );
    let report = workspace.upgrade().expect("upgraded");
    assert_eq!((report.todos, report.damaged_todos), (16, 2));
    let counts: Vec<(String, [Option<i64>; 3])> = rows(
        &observer(&workspace.root.database()),
        "SELECT session_id, pending, in_progress, completed FROM maka_todo_counts",
        |row| Ok((row.get(0)?, [row.get(1)?, row.get(2)?, row.get(3)?])),
    );
    assert_eq!(counts.len(), 16);
    let of = |id: &str| counts.iter().find(|(session, _)| session == id).map(|(_, counts)| *counts);
    assert_eq!(of("3cf37fed-27be-4de7-9dbf-0b0a241760df"), Some([Some(1), Some(1), Some(1)]));
    assert_eq!(of("1e83c7bd-91d6-4883-9ed2-1c7780793b66"), Some([Some(0); 3]));
    assert_eq!(
        of("5de8dfab-0d4b-45f3-adfe-fa4d7bf069c7").map(|it| it.iter().flatten().sum()),
        Some(200)
    );
    assert_eq!(of("421f7043-79e4-4748-ac39-ed3b7812d9f7").and_then(|it| it[0]), Some(3));
    assert_eq!((of("bad"), of("blob")), (Some([None; 3]), Some([None; 3])));
    let row = "SELECT record_json FROM workflow_session_todo_documents WHERE session_id";
    assert_eq!(texts(&workspace, &format!("{row} = 'bad'")), [damaged]);
    assert_eq!(column(&workspace, &format!("{row} = 'blob'")), [Value::Blob(vec![0xff])]);
}

#[test]
fn a_session_that_breaks_the_rule_of_ids_is_named_in_the_report_and_stays_where_it_is() {
    let workspace = ClosedWorkspace::real("v12-todos.sqlite");
    workspace.alter(
        &[
            session("not an id", r#"{"name":"x"}"#),
            message("not an id", 0, "user", r#"{"text":"kept"}"#),
            "INSERT INTO session_metadata_tombstones (session_id, deleted_at) VALUES ('a/b', 1);"
                .to_owned(),
        ]
        .concat(),
    );
    let before = workspace.dump();
    assert_eq!(workspace.plan().expect("a plan").skipped, 2);
    let report = workspace.upgrade().expect("upgraded");
    assert_eq!((report.skipped, report.sessions, report.messages), (2, 21, 17));
    let named: Vec<_> = report.first_skipped.iter().map(|it| it.session_id.as_str()).collect();
    assert_eq!(named, ["a/b", "not an id"]);
    assert!(report.first_skipped.iter().all(|it| it.reason.contains("1 to 128 ASCII letters")));
    assert_eq!(workspace.dump().foreign(), before.foreign());
}

#[test]
fn the_payload_is_authoritative_and_a_damaged_one_loses_no_session() {
    let workspace = ClosedWorkspace::real("v12-todos.sqlite");
    workspace.alter(
        &[
            session("clear", r#"{"name":"a \ud800","isArchived":false,"createdAt":5}"#),
            session("torn", "{"),
            session(REMOVED, r#"{"name":"back from the dead"}"#),
        ]
        .concat(),
    );
    let report = workspace.upgrade().expect("upgraded");
    assert_eq!((report.sessions, report.damaged_sessions), (23, 1));
    let found: Vec<(String, String, i64, i64, i64)> = rows(
        &observer(&workspace.root.database()),
        &format!(
            "SELECT session_id, name, archived, created_at, revision FROM maka_sessions
             WHERE session_id IN ('clear', 'torn', '{REMOVED}') ORDER BY session_id"
        ),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
    );
    assert_eq!(
        found,
        [
            ("clear".to_owned(), "a \u{fffd}".to_owned(), 0, 5, 4),
            ("torn".to_owned(), "torn".to_owned(), 1, 7, 4),
        ],
        "a removed id never comes back"
    );
}

#[test]
fn lineage_is_adopted_into_its_columns() {
    let workspace = ClosedWorkspace::real("v12-todos.sqlite");
    workspace.alter(
        &[
            session("br", r#"{"name":"b","parentSessionId":"p","branchOfTurnId":"t-1"}"#),
            session(
                "rev",
                r#"{"name":"r","parentSessionId":"p","branchOfTurnId":"t-1",
                    "revisionRootSessionId":"root","revisionIndex":2}"#,
            ),
            session("kid", r#"{"name":"k","subagentParent":{"parentSessionId":"p"}}"#),
        ]
        .concat(),
    );
    workspace.upgrade().expect("upgraded");
    let lineage = texts(
        &workspace,
        "SELECT concat_ws('|', session_id, copy_kind, parent_session_id, branch_of_turn_id,
             revision_root_session_id, revision_index)
         FROM maka_sessions WHERE copy_kind IS NOT NULL ORDER BY session_id",
    );
    assert_eq!(lineage, ["br|branch|p|t-1", "kid|child_agent|p", "rev|revision|p|t-1|root|2"]);
}

#[test]
fn turns_stand_in_the_order_of_first_appearance_and_unsettled_ones_were_interrupted() {
    let workspace = ClosedWorkspace::real("v12-todos.sqlite");
    let records = [
        ("user", r#"{"turnId":"b","text":"1"}"#),
        ("turn_state", r#"{"turnId":"a","status":"running"}"#),
        ("turn_state", r#"{"turnId":"b","status":"failed"}"#),
        ("assistant", r#"{"turnId":"c","text":"2"}"#),
        ("turn_state", r#"{"turnId":"d","status":"waiting"}"#),
        ("tool_call", r#"{"turnId":"a","tool": "x", "n": 1.50}"#),
    ];
    let mut sql = session("s", r#"{"name":"s"}"#);
    for (sequence, (kind, record)) in (0..).step_by(3).zip(records) {
        sql.push_str(&message("s", sequence, kind, record));
    }
    workspace.alter(&sql);
    workspace.upgrade().expect("upgraded");
    let turns = texts(
        &workspace,
        "SELECT concat_ws('|', ordinal, turn_id, state, started_at, settled_at)
         FROM maka_turns WHERE session_id = 's' ORDER BY ordinal",
    );
    assert_eq!(
        turns,
        [
            "1|b|failed|1000|1006",
            "2|a|interrupted|1003|1003",
            "3|c|interrupted|1009|1009",
            "4|d|interrupted|1012|1012",
        ]
    );
    let records = texts(
        &workspace,
        "SELECT concat_ws('|', sequence, turn_id, kind, recorded_at, record_json)
         FROM maka_records WHERE session_id = 's' ORDER BY sequence",
    );
    assert_eq!(
        records,
        [
            r#"1|b|user_text|1000|{"text":"1"}"#,
            r#"2|a|turn_state|1003|{"state":"running"}"#,
            r#"3|b|turn_state|1006|{"state":"failed"}"#,
            r#"4|c|model_text|1009|{"text":"2"}"#,
            r#"5|d|opaque|1012|{"messageType":"turn_state","record":{"turnId":"d","status":"waiting"}}"#,
            r#"6|a|opaque|1015|{"messageType":"tool_call","record":{"turnId":"a","tool": "x", "n": 1.50}}"#,
        ]
    );
}

#[test]
fn a_damaged_message_leaves_a_record_that_says_so_and_stays_where_it_is() {
    let damages = [
        ("DELETE FROM session_message_chunks WHERE chunk_index = 3", "wrong_length"),
        ("DELETE FROM session_message_chunks", "incomplete"),
        ("DELETE FROM session_message_payloads", "incomplete"),
        ("UPDATE session_message_payloads SET record_bytes = 200118", "wrong_length"),
        ("UPDATE session_message_payloads SET sha256 = replace(sha256, '0', '1')", "wrong_digest"),
        ("UPDATE session_messages SET record_json = '{' WHERE sequence = 10", "not_json"),
        (
            "UPDATE session_messages SET record_json = CAST(x'ff' AS TEXT) WHERE sequence = 10",
            "not_utf8",
        ),
        ("DROP TABLE session_message_chunks", "incomplete"),
    ];
    for (sql, word) in damages {
        let workspace = ClosedWorkspace::real("v12-todos.sqlite");
        workspace.alter(&format!("PRAGMA foreign_keys = ON; {sql}"));
        let before = workspace.dump();
        let report = workspace.upgrade().expect("upgraded");
        assert_eq!((report.messages, report.damaged_messages), (17, 1), "{sql}");
        let records = texts(
            &workspace,
            "SELECT record_json FROM maka_records WHERE record_json LIKE '%\"damaged\"%'",
        );
        let expected = format!(r#"{{"messageType":"assistant","record":{{"damaged":"{word}"}}}}"#);
        assert_eq!(records, [expected], "{sql}");
        assert_eq!(workspace.dump().foreign(), before.foreign(), "{sql}");
    }
}

#[test]
fn workspaces_that_lack_tables_or_columns_are_upgraded() {
    let bare = ClosedWorkspace::real("v9-rich.sqlite");
    bare.alter(
        "PRAGMA foreign_keys = ON; DROP TABLE session_message_chunks;
         DROP TABLE session_message_payloads; DROP TABLE session_messages;
         DROP TABLE session_metadata_tombstones; DELETE FROM sandbox_boundary_log;
         DROP TABLE session_metadata",
    );
    assert_eq!(bare.plan().expect("a plan").sessions, 0);
    let report = bare.upgrade().expect("upgraded");
    assert_eq!((report.sessions, report.messages, report.ledger_events), (0, 0, 375));
    bare.open().expect("current");

    let narrow = ClosedWorkspace::empty();
    narrow.alter(
        "CREATE TABLE operational_schema_migrations (
             scope TEXT PRIMARY KEY, version INTEGER NOT NULL CHECK (version >= 0),
             applied_at INTEGER NOT NULL CHECK (applied_at >= 0));
         INSERT INTO operational_schema_migrations VALUES ('workflow', 3, 1);
         CREATE TABLE session_metadata (session_id TEXT PRIMARY KEY, payload_json TEXT NOT NULL);
         INSERT INTO session_metadata VALUES ('s', '{\"name\":\"old\",\"createdAt\":3}')",
    );
    assert_eq!(narrow.upgrade().expect("upgraded").sessions, 1);
    let row = "SELECT concat_ws('|', name, created_at, archived, revision) FROM maka_sessions";
    assert_eq!(texts(&narrow, row), ["old|3|0|1"]);
    let before = narrow.bytes();
    narrow.open().expect("current");
    assert_eq!(narrow.bytes()[0], before[0], "even where the file had no write-ahead log before");

    let strange = ClosedWorkspace::real("v9-rich.sqlite");
    strange.alter("ALTER TABLE session_messages RENAME COLUMN record_json TO other");
    let before = strange.dump();
    assert!(strange.plan().is_err());
    assert!(strange.upgrade().is_err());
    assert_eq!(strange.dump(), before);
}

#[test]
fn files_of_the_legacy_ledger_are_neither_read_nor_deleted() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let legacy = ["tasks.json", "task-events.jsonl"].map(|name| workspace.root.path().join(name));
    for path in &legacy {
        std::fs::write(path, "not even JSON").expect("written");
    }
    workspace.upgrade().expect("upgraded");
    for path in &legacy {
        assert_eq!(std::fs::read(path).expect("still there"), b"not even JSON");
    }
}
