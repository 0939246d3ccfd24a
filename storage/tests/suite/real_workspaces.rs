//! Every real workspace: what was there stays, what goes is gone, nothing is imported, and opening
//! again writes nothing.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use maka_storage::OpenError;
use rusqlite::types::Value;

use crate::closed_workspace::{ClosedWorkspace, NOW, REAL};
use crate::dump::{observer, rows};

/// What an upgrade of a real workspace says.
struct Expected {
    name: &'static str,
    from: u32,
    ledger: (u64, u64),
    sessions: u64,
    messages: u64,
    todos: u64,
}

const EXPECTED: [Expected; 5] = [
    Expected {
        name: "v9-rich.sqlite",
        from: 9,
        ledger: (375, 12),
        sessions: 13,
        messages: 17,
        todos: 0,
    },
    Expected {
        name: "v9-hot-wal",
        from: 9,
        ledger: (385, 13),
        sessions: 14,
        messages: 17,
        todos: 0,
    },
    Expected {
        name: "v10-migrated-from-v9-rich.sqlite",
        from: 10,
        ledger: (375, 12),
        sessions: 13,
        messages: 17,
        todos: 0,
    },
    Expected {
        name: "v11-todos.sqlite",
        from: 11,
        ledger: (375, 12),
        sessions: 21,
        messages: 17,
        todos: 14,
    },
    Expected {
        name: "v12-todos.sqlite",
        from: 12,
        ledger: (0, 0),
        sessions: 21,
        messages: 17,
        todos: 14,
    },
];

const TODOS: &str = "workflow_session_todo_documents";
const REGISTRY: &str = "operational_schema_migrations";

#[test]
fn each_reaches_12_with_everything_foreign_untouched() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let before = workspace.dump();
        workspace.upgrade().expect("upgraded");
        let after = workspace.dump();

        assert_eq!(after.foreign(), before.foreign(), "{name}");
        assert_eq!(after.versions, before.versions, "{name}: user_version is not ours");
        let todos_before = before.tables.get(TODOS).cloned().unwrap_or_default();
        assert_eq!(after.tables[TODOS], todos_before, "{name}: lists stay byte for byte");
        for gone in ["task_ledger_events", "task_ledger_projections", "plan_projections"] {
            assert!(!after.tables.contains_key(&format!("workflow_{gone}")), "{name}");
        }
        assert!(after.tables.contains_key("workflow_plan_events"), "{name}");

        let now = Value::Integer(NOW.as_millis());
        let mut registry = before.tables[REGISTRY].clone();
        if before_version(&registry) != Some(12) {
            registry.retain(|row| row[0] != text("workflow"));
            registry.push(vec![text("workflow"), Value::Integer(12), now.clone()]);
        }
        registry.push(vec![text("maka"), Value::Integer(1), now]);
        registry.sort_by_key(|row| format!("{row:?}"));
        assert_eq!(after.tables[REGISTRY], registry, "{name}: other scopes are not ours");
    }
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

fn before_version(registry: &[Vec<Value>]) -> Option<i64> {
    registry.iter().find(|row| row[0] == text("workflow")).and_then(|row| match row[1] {
        Value::Integer(version) => Some(version),
        Value::Null | Value::Real(_) | Value::Text(_) | Value::Blob(_) => None,
    })
}

#[test]
fn each_report_tells_what_was_dropped_and_adopted_as_the_plan_had_told() {
    for expected in EXPECTED {
        let workspace = ClosedWorkspace::real(expected.name);
        let plan = workspace.plan().expect("a plan");
        let report = workspace.upgrade().expect("upgraded");
        let name = expected.name;
        assert!(plan.needed && report.upgraded, "{name}");
        assert_eq!((report.from, report.to), (expected.from, 12), "{name}");
        assert_eq!((report.ledger_events, report.ledger_sessions), expected.ledger, "{name}");
        assert_eq!(report.sessions, expected.sessions, "{name}");
        assert_eq!(report.tombstones, 2, "{name}");
        assert_eq!((report.turns, report.messages), (4, expected.messages), "{name}");
        assert_eq!(report.todos, expected.todos, "{name}");
        let damage = [
            report.damaged_sessions,
            report.damaged_messages,
            report.damaged_todos,
            report.skipped,
        ];
        assert_eq!(damage, [0; 4], "{name}");
        assert_eq!(report.orphan_todos + report.purged_todos, 0, "{name}");

        let told = serde_json::to_value(&plan).expect("encodes");
        let done = serde_json::to_value(&report).expect("encodes");
        for (member, value) in told.as_object().expect("an object") {
            if member != "needed" {
                assert_eq!(done.get(member), Some(value), "{name}: {member}");
            }
        }
    }
}

#[test]
fn each_is_refused_before_its_upgrade_and_opened_without_a_write_after_it() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let before = workspace.bytes();
        let refused = workspace.open().expect_err("a person has to ask");
        assert!(matches!(refused, OpenError::NeedsUpgrade { .. }), "{name}: {refused:?}");
        assert_eq!(workspace.bytes(), before, "{name}: a refusal writes nothing");

        workspace.upgrade().expect("upgraded");
        let upgraded = workspace.bytes();
        assert_eq!(upgraded[1], None, "{name}: the log is folded in");
        workspace.open().expect("current");
        assert_eq!(workspace.bytes(), upgraded, "{name}: opening again writes nothing");
        let again = workspace.upgrade().expect("nothing to do");
        assert!(!again.upgraded && again.backup.is_none(), "{name}");
        assert!(!workspace.plan().expect("a plan").needed, "{name}");
        assert_eq!(workspace.bytes(), upgraded, "{name}: nor does an upgrade that is not needed");
        assert_eq!(workspace.backups().len(), 1, "{name}");
    }
}

#[test]
fn what_others_could_read_becomes_private() {
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o7777;
    let workspace = ClosedWorkspace::real("v9-hot-wal");
    let database = workspace.root.database();
    let log = workspace.root.path().join("runtime.sqlite-wal");
    for path in [&database, &log] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o644)).expect("chmod");
    }
    workspace.upgrade_at(NOW, "upgrade.begun=fail").expect_err("asked to fail");
    assert_eq!([mode(&database), mode(&log)], [0o600; 2]);
    let report = workspace.upgrade().expect("upgraded");
    let backup = report.backup.expect("a backup");
    assert_eq!([mode(&database), mode(&backup.join("runtime.sqlite"))], [0o600; 2]);
    assert_eq!([mode(&workspace.root.backups()), mode(&backup)], [0o700; 2]);
}

#[test]
fn each_backup_is_named_in_the_report_and_holds_what_was_there() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let before = workspace.dump();
        let report = workspace.upgrade().expect("upgraded");
        let backup = report.backup.expect("a backup");
        let expected = format!("pre-upgrade-{}-to-12-20270115T080000Z", report.from);
        assert_eq!(backup.file_name().and_then(|name| name.to_str()), Some(expected.as_str()));
        assert_eq!(workspace.backups(), std::slice::from_ref(&backup));
        let saved = crate::dump::Dump::of(&backup.join("runtime.sqlite"));
        assert_eq!(saved, before, "{name}");
    }
}

#[test]
fn sessions_and_tombstones_are_adopted_as_they_were() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    workspace.upgrade().expect("upgraded");
    let connection = observer(&workspace.root.database());
    let sessions: Vec<(String, i64, i64, i64)> = rows(
        &connection,
        "SELECT name, created_at, archived, revision FROM maka_sessions
         WHERE name IN ('Archived with tasks', 'Renamed by hand', 'Unicode 会话 🦊')
         ORDER BY created_at",
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
    );
    assert_eq!(
        sessions,
        [
            ("Unicode 会话 🦊".to_owned(), 1_796_080_383_963, 0, 1),
            ("Archived with tasks".to_owned(), 1_796_080_389_499, 1, 2),
            ("Renamed by hand".to_owned(), 1_796_080_389_515, 0, 3),
        ]
    );
    let tombstones: Vec<(String, i64)> =
        rows(&connection, "SELECT * FROM maka_session_tombstones ORDER BY removed_at", |row| {
            Ok((row.get(0)?, row.get(1)?))
        });
    assert_eq!(
        tombstones,
        [
            ("69d1b172-bf2d-4e47-8e69-016b91679d80".to_owned(), 1_796_080_389_564),
            ("73581d40-1903-4d45-8684-ee5ce7db1dd9".to_owned(), 1_796_080_389_583),
        ]
    );
}

#[test]
fn turns_and_messages_are_adopted_as_they_were() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    workspace.upgrade().expect("upgraded");
    let connection = observer(&workspace.root.database());
    let transcript = "1131071f-ae99-4027-b241-88f122b65315";
    let turns: Vec<(i64, String, String)> = rows(
        &connection,
        &format!(
            "SELECT ordinal, turn_id, state FROM maka_turns WHERE session_id = '{transcript}'
             ORDER BY ordinal"
        ),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
    );
    let turn = |n, id: &str, state: &str| (n, id.to_owned(), state.to_owned());
    assert_eq!(
        turns,
        [
            turn(1, "turn-1", "committed"),
            turn(2, "turn-2", "cancelled"),
            turn(3, "turn-3", "committed"),
        ]
    );
    let records: Vec<(i64, Option<String>, String, i64, String)> = rows(
        &connection,
        &format!(
            "SELECT sequence, turn_id, kind, length(record_json), substr(record_json, 1, 40)
             FROM maka_records WHERE session_id = '{transcript}' ORDER BY sequence"
        ),
        |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)),
    );
    let kinds: Vec<&str> = records.iter().map(|record| record.2.as_str()).collect();
    let turn = ["turn_state", "user_text", "model_text", "turn_state"];
    assert_eq!(kinds, [&turn[..], &turn[..], &turn[..], &["opaque"]].concat());
    assert_eq!(records[1].4, r#"{"text":"question 1"}"#);
    assert_eq!(records[10].1.as_deref(), Some("turn-3"));
    assert!(records[10].3 > 199_000, "the message in pieces is put together");
    assert_eq!(records[12].1, None);
}
