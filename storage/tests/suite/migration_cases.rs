//! `tests/cases/migration.json`, each case on a real file.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::thread;

use maka_core::{EnvironmentFault, StoreError, Timestamp};
use maka_storage::upgrade::{UpgradeError, upgrade};
use maka_storage::{Faults, OpenError};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::closed_workspace::{ClosedWorkspace, NOW};

/// The cases on backups, which the backup suite runs.
const OF_THE_BACKUP_SUITE: [&str; 7] = [
    "backup-tampered-file",
    "backup-extra-file",
    "backup-symlink",
    "backup-manifest-other-version",
    "backup-path-escape",
    "backup-native-version-999",
    "restore-old-schema-backup",
];

const CASES: [(&str, fn()); 27] = [
    ("empty-file-creates-12", empty_file_creates_12),
    ("v9-projections-corrupt-bytes-dropped", corrupt_projections),
    ("v9-extra-trigger", extra_trigger_on_a_projection),
    ("v9-name-differs-by-case", name_differs_by_case),
    ("v9-dependent-view", dependent_view),
    ("v9-whitespace-and-case-of-ddl-ignored", retyped_ddl),
    ("v10-to-12", v10_to_12),
    ("v11-to-12-with-todo-rows", v11_with_rows),
    ("v11-uninitialised-session-with-tasks", v11_without_row),
    ("v12-current-fast-path", fast_path),
    ("v12-registered-but-object-missing", object_missing),
    ("v12-extra-table-or-view", extra_table_or_view),
    ("v12-extra-trigger-on-own-table", extra_trigger_on_own_table),
    ("v12-index-with-other-predicate", index_with_other_predicate),
    ("v12-changed-check-literal-case", changed_check_literal),
    ("other-scope-newer-checked-first", other_scopes_newer_and_older),
    ("native-version-newer", native_version_newer),
    ("registry-missing", registry_missing),
    ("registry-lacks-a-scope", registry_lacks_a_scope),
    ("unknown-scope", unknown_scope),
    ("null-scope", null_scope),
    ("removed-scope-newer", removed_scope_newer),
    ("failure-at-last-step-rolls-back-all", failure_at_the_last_step),
    ("readonly-or-busy-not-blocked", environment_is_not_blocked),
    ("concurrent-openers", concurrent_openers),
    ("v3-to-12-with-task-event", v3_with_a_task),
    ("newer-workflow", newer_workflow),
];

/// A rule of ours that the case data has no case for.
const OURS: &str = "newer-workflow";

#[test]
fn every_case_is_run_here_or_in_the_backup_suite() {
    let text = include_str!("../../../tests/cases/migration.json");
    let cases: serde_json::Value = serde_json::from_str(text).expect("JSON");
    let all: BTreeSet<&str> = cases["cases"]
        .as_array()
        .expect("cases")
        .iter()
        .map(|case| case["id"].as_str().expect("an id"))
        .collect();
    let mut run: BTreeSet<&str> = OF_THE_BACKUP_SUITE.into();
    for (case, check) in CASES {
        check();
        run.insert(case);
    }
    assert!(run.remove(OURS));
    assert_eq!(run, all);
}

fn v9() -> ClosedWorkspace {
    ClosedWorkspace::real("v9-rich.sqlite")
}

fn v12() -> ClosedWorkspace {
    ClosedWorkspace::real("v12-todos.sqlite")
}

fn versions(workspace: &ClosedWorkspace) -> Vec<Vec<Value>> {
    workspace.dump().tables["operational_schema_migrations"].clone()
}

fn version(workspace: &ClosedWorkspace, scope: &str) -> i64 {
    workspace.number(&format!(
        "SELECT version FROM operational_schema_migrations WHERE scope = '{scope}'"
    ))
}

fn empty_file_creates_12() {
    let absent = ClosedWorkspace::empty();
    let empty = ClosedWorkspace::empty();
    std::fs::write(empty.root.database(), "").expect("written");
    let without_objects = ClosedWorkspace::empty();
    without_objects.alter("CREATE TABLE t (a); DROP TABLE t");
    for workspace in [absent, empty, without_objects] {
        workspace.open().expect("made");
        assert_eq!(version(&workspace, "workflow"), 12);
        assert_eq!(version(&workspace, "maka"), 1);
        assert_eq!(versions(&workspace).len(), 2);
    }
}

fn corrupt_projections() {
    let workspace = v9();
    workspace.alter(
        "UPDATE workflow_task_ledger_projections SET record_json = x'ff00fe';
         UPDATE workflow_plan_projections SET record_json = x'ff00fe'",
    );
    let plans = workspace.dump().tables["workflow_plan_events"].clone();
    workspace.upgrade().expect("upgraded");
    let after = workspace.dump();
    assert!(!after.tables.contains_key("workflow_task_ledger_projections"));
    assert!(!after.tables.contains_key("workflow_plan_projections"));
    assert_eq!(after.tables["workflow_plan_events"], plans);
    assert_eq!(version(&workspace, "workflow"), 12);
}

fn extra_trigger_on_a_projection() {
    let workspace = v9();
    workspace.alter(
        "CREATE TRIGGER extra AFTER INSERT ON workflow_task_ledger_projections
         BEGIN SELECT 1; END",
    );
    workspace.assert_blocked("unexpected trigger \"extra\"");
}

fn name_differs_by_case() {
    let workspace = v9();
    workspace.alter(
        "ALTER TABLE workflow_task_ledger_projections RENAME TO t;
         ALTER TABLE t RENAME TO WORKFLOW_TASK_LEDGER_PROJECTIONS",
    );
    workspace.assert_blocked("unfamiliar shape");
}

fn dependent_view() {
    let workspace = v9();
    workspace.alter("CREATE VIEW v AS SELECT * FROM \"Workflow_Task_Ledger_Projections\"");
    workspace.assert_blocked("the view \"v\" depends on workflow_task_ledger_projections");
    let elsewhere = v9();
    elsewhere.alter(
        "CREATE TRIGGER t AFTER INSERT ON artifact_records
         BEGIN DELETE FROM workflow_task_ledger_events; END",
    );
    elsewhere.assert_blocked("the trigger \"t\" depends on workflow_task_ledger_events");
}

fn retyped_ddl() {
    let workspace = v9();
    for table in ["workflow_task_ledger_events", "workflow_plan_projections"] {
        workspace.retype(table, |sql| sql.to_uppercase().replace("CREATE TABLE", "create  table"));
    }
    workspace.retype("workflow_task_ledger_projections", |sql| sql.replace('\n', "\t  \n"));
    workspace.upgrade().expect("the shape is the released one");

    let other = v9();
    other.retype("workflow_task_ledger_events", |sql| {
        sql.replace("event_id TEXT NOT", "event_id NOT")
    });
    other.assert_blocked("workflow_task_ledger_events has an unfamiliar shape");
}

fn v10_to_12() {
    let workspace = ClosedWorkspace::real("v10-migrated-from-v9-rich.sqlite");
    workspace.alter("DELETE FROM workflow_task_ledger_events WHERE rowid > 1;");
    let report = workspace.upgrade().expect("upgraded");
    assert_eq!((report.ledger_events, report.ledger_sessions), (1, 1));
    assert_eq!(workspace.number("SELECT count(*) FROM workflow_session_todo_documents"), 0);
    assert!(!workspace.dump().tables.contains_key("workflow_task_ledger_events"));
    assert!(workspace.read("26883afc-229b-4134-af7e-a66d5894ab88").items().is_empty());
    let rows = workspace.dump().tables["workflow_session_todo_documents"].clone();
    let text = |text: &str| Value::Text(text.to_owned());
    assert_eq!(
        rows,
        [[text("26883afc-229b-4134-af7e-a66d5894ab88"), text(r#"{"schemaVersion":1,"items":[]}"#)]]
    );
}

fn v11_with_rows() {
    let workspace = ClosedWorkspace::real("v11-todos.sqlite");
    let rows = workspace.dump().tables["workflow_session_todo_documents"].clone();
    workspace.upgrade().expect("upgraded");
    let after = workspace.dump();
    assert_eq!(after.tables["workflow_session_todo_documents"], rows);
    assert!(!after.tables.contains_key("workflow_task_ledger_events"));
    assert_eq!(workspace.read("3cf37fed-27be-4de7-9dbf-0b0a241760df").items().len(), 3);
}

fn v11_without_row() {
    let workspace = ClosedWorkspace::real("v11-todos.sqlite");
    let session = "abeb38fe-7550-42ac-97c0-80784ec205b5";
    let has = |table: &str| {
        workspace.number(&format!("SELECT count(*) FROM {table} WHERE session_id = '{session}'"))
    };
    assert!(has("workflow_task_ledger_events") > 0);
    assert_eq!(has("workflow_session_todo_documents"), 0);
    workspace.upgrade().expect("upgraded");
    assert!(workspace.read(session).items().is_empty(), "Tasks are not imported");
}

fn fast_path() {
    let workspace = v12();
    workspace.upgrade().expect("upgraded");
    let (before, registry) = (workspace.bytes(), versions(&workspace));
    workspace.open().expect("current");
    assert!(!workspace.upgrade().expect("nothing to do").upgraded);
    assert_eq!(workspace.bytes(), before);
    assert_eq!(versions(&workspace), registry);
    assert_eq!(workspace.backups().len(), 1);
}

fn object_missing() {
    let reference = v12();
    reference.alter("DROP TABLE workflow_session_todo_documents");
    let current = ClosedWorkspace::current();
    current.alter("DROP TABLE workflow_session_todo_documents");
    let v11 = ClosedWorkspace::real("v11-todos.sqlite");
    v11.alter("DROP TABLE workflow_session_todo_documents");
    for workspace in [reference, current, v11] {
        workspace.assert_blocked("workflow_session_todo_documents");
        let Err(OpenError::Blocked { hint, .. }) = workspace.open() else { panic!("blocked") };
        assert!(hint.contains("maka backup restore"));
    }
    let own = ClosedWorkspace::current();
    own.alter("DROP TABLE maka_turns");
    own.assert_blocked("maka_turns is missing");
}

fn extra_table_or_view() {
    let workspace = ClosedWorkspace::current();
    workspace.alter(
        "CREATE TABLE foreign_table (a); INSERT INTO foreign_table VALUES (1);
         CREATE VIEW foreign_view AS SELECT * FROM workflow_session_todo_documents",
    );
    let before = workspace.bytes();
    workspace.open().expect("what is not ours is left alone");
    assert_eq!(workspace.bytes(), before);

    workspace.alter(
        "CREATE TABLE workflow_task_ledger_events (
             session_id TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence >= 0),
             event_id TEXT NOT NULL, record_json TEXT NOT NULL,
             PRIMARY KEY (session_id, sequence), UNIQUE (session_id, event_id));
         INSERT INTO workflow_task_ledger_events VALUES ('s', 0, 'e', '{}'), ('s', 1, 'f', '{}');
         INSERT INTO maka_sessions VALUES
             ('s', 'mine', 1, 0, 'committed', 1, NULL, NULL, NULL, NULL, NULL)",
    );
    let refused = workspace.open().expect_err("a person has to ask");
    assert!(matches!(refused, OpenError::NeedsUpgrade { from: 12 }));
    let before = workspace.dump();
    let report = workspace.upgrade().expect("upgraded");
    assert!(report.backup.is_some());
    assert_eq!((report.from, report.ledger_events, report.ledger_sessions), (12, 2, 1));
    let after = workspace.dump();
    assert!(!after.tables.contains_key("workflow_task_ledger_events"));
    for (table, rows) in &after.tables {
        assert_eq!(rows, &before.tables[table], "{table}: all else is as it was");
    }
    workspace.open().expect("current");
}

fn extra_trigger_on_own_table() {
    for table in
        ["workflow_session_todo_documents", "maka_sessions", "operational_schema_migrations"]
    {
        let workspace = ClosedWorkspace::current();
        workspace
            .alter(&format!("CREATE TRIGGER extra AFTER INSERT ON {table} BEGIN SELECT 1; END"));
        workspace.assert_blocked("unexpected trigger");
    }
}

fn index_with_other_predicate() {
    let ours = ClosedWorkspace::current();
    ours.alter(
        "DROP INDEX maka_todo_counts_unfinished;
         CREATE INDEX maka_todo_counts_unfinished ON maka_todo_counts (session_id)
         WHERE pending > 0",
    );
    ours.assert_blocked("maka_todo_counts_unfinished has an unfamiliar shape");
    let added = ClosedWorkspace::current();
    added.alter("CREATE INDEX extra ON maka_sessions (name) WHERE archived = 1");
    added.assert_blocked("unexpected index \"extra\"");

    let foreign = v12();
    foreign.alter(
        "DROP INDEX workflow_work_board_items_active_order;
         CREATE INDEX workflow_work_board_items_active_order
         ON workflow_work_board_items(updated_at DESC, item_id DESC) WHERE archived = 1",
    );
    foreign.upgrade().expect("not ours");
    foreign.open().expect("not ours");
}

fn changed_check_literal() {
    let ours = ClosedWorkspace::current();
    ours.retype("maka_sessions", |sql| sql.replace("'preparing'", "'PREPARING'"));
    ours.assert_blocked("maka_sessions has an unfamiliar shape");

    let foreign = v12();
    foreign.retype("artifact_records", |sql| sql.replace("'live'", "'LIVE'"));
    foreign.upgrade().expect("not ours");
    foreign.open().expect("not ours");
}

/// Upgrades and opens a workspace that was altered where nothing is ours; all but our own rows
/// of the registry stays as it is.
fn assert_left_alone(sql: &str) {
    let workspace = v9();
    workspace.alter(sql);
    let kept = |workspace: &ClosedWorkspace| {
        let mut rows = versions(workspace);
        let ours = ["workflow", "maka"].map(|scope| Value::Text(scope.to_owned()));
        rows.retain(|row| !ours.contains(&row[0]));
        (rows, workspace.dump().versions)
    };
    let before = kept(&workspace);
    workspace.upgrade().expect("not ours");
    workspace.open().expect("not ours");
    assert_eq!(kept(&workspace), before);
}

fn other_scopes_newer_and_older() {
    assert_left_alone(
        "UPDATE operational_schema_migrations SET version = 99 WHERE scope = 'usage';
         UPDATE operational_schema_migrations SET version = 1 WHERE scope = 'runtime'",
    );
}

fn native_version_newer() {
    assert_left_alone("PRAGMA user_version = 999");
}

fn removed_scope_newer() {
    assert_left_alone("INSERT INTO operational_schema_migrations VALUES ('automation', 3, 1)");
}

fn registry_missing() {
    let workspace = v9();
    workspace.alter("DROP TABLE operational_schema_migrations");
    workspace.assert_blocked("no registry");
    let numbered = ClosedWorkspace::empty();
    numbered.alter("PRAGMA user_version = 12");
    numbered.assert_blocked("no registry");
}

fn registry_lacks_a_scope() {
    let workspace = v9();
    workspace.alter("DELETE FROM operational_schema_migrations WHERE scope = 'workflow'");
    workspace.assert_blocked("lacks the scope \"workflow\"");
    assert_left_alone("DELETE FROM operational_schema_migrations WHERE scope = 'usage'");
}

fn unknown_scope() {
    let workspace = v9();
    workspace.alter("INSERT INTO operational_schema_migrations VALUES ('future_scope', 1, 1)");
    workspace.assert_blocked("\"future_scope\" is unknown");
}

fn null_scope() {
    let workspace = v9();
    workspace.alter("INSERT INTO operational_schema_migrations VALUES (NULL, 1, 1)");
    workspace.assert_blocked("invalid scope");
}

fn newer_workflow() {
    for scope in ["workflow", "maka"] {
        let workspace = ClosedWorkspace::current();
        workspace.alter(&format!(
            "UPDATE operational_schema_migrations SET version = 13 WHERE scope = '{scope}'"
        ));
        workspace.assert_blocked("is newer");
    }
}

fn failure_at_the_last_step() {
    let workspace = v9();
    let before = workspace.dump();
    let failed = workspace.upgrade_at(Timestamp::from_millis(-1), "");
    assert!(matches!(failed, Err(UpgradeError::Open(OpenError::Store(_)))), "{failed:?}");
    assert_eq!(workspace.dump(), before);
}

fn environment_is_not_blocked() {
    let busy = v9();
    let other = Connection::open(busy.root.database()).expect("opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    let before = busy.dump();
    let failed = busy.upgrade();
    assert!(matches!(failed, Err(UpgradeError::InUse)), "{failed:?}");
    assert_eq!(busy.dump(), before);
    assert!(busy.backups().is_empty());

    let no_file = ClosedWorkspace::empty();
    std::fs::create_dir(no_file.root.database()).expect("a folder in its place");
    for failed in [no_file.plan().map(drop), no_file.open()] {
        let itself = matches!(
            failed,
            Err(OpenError::Store(StoreError::Environment {
                fault: EnvironmentFault::CannotOpen | EnvironmentFault::Io,
                ..
            }))
        );
        assert!(itself, "{failed:?}");
    }
}

fn concurrent_openers() {
    let workspace = v9();
    let lease = workspace.lease();
    let openers = [0; 2].map(|_| {
        let lease = Arc::clone(&lease);
        thread::spawn(move || upgrade(&lease, NOW, &Faults::default(), &mut |_| {}))
    });
    let outcomes = openers.map(|opener| opener.join().expect("no panic"));
    let upgraded = outcomes.iter().filter(|it| it.as_ref().is_ok_and(|it| it.upgraded)).count();
    assert_eq!(upgraded, 1, "{outcomes:?}");
    for outcome in &outcomes {
        // The slower one saw the committed result, or was told that another had the file.
        assert!(matches!(outcome, Ok(_) | Err(UpgradeError::InUse)), "{outcome:?}");
    }
    assert_eq!(workspace.backups().len(), 1);
    drop(lease);
    workspace.open().expect("current");
}

fn v3_with_a_task() {
    let workspace = ClosedWorkspace::empty();
    workspace.alter(
        "PRAGMA journal_mode = WAL; PRAGMA user_version = 4;
         CREATE TABLE operational_schema_migrations (
             scope TEXT PRIMARY KEY,
             version INTEGER NOT NULL CHECK (version >= 0),
             applied_at INTEGER NOT NULL CHECK (applied_at >= 0));
         INSERT INTO operational_schema_migrations VALUES ('workflow', 3, 1), ('runtime', 4, 1);
         CREATE TABLE workflow_task_ledger_events (
             session_id TEXT NOT NULL, sequence INTEGER NOT NULL CHECK (sequence >= 0),
             event_id TEXT NOT NULL, record_json TEXT NOT NULL,
             PRIMARY KEY (session_id, sequence), UNIQUE (session_id, event_id));
         INSERT INTO workflow_task_ledger_events VALUES ('s', 0, 'e', '{\"status\":\"pending\"}')",
    );
    let report = workspace.upgrade().expect("upgraded");
    assert_eq!((report.from, report.ledger_events, report.sessions), (3, 1, 0));
    let after = workspace.dump();
    assert!(!after.tables.contains_key("workflow_task_ledger_events"));
    assert_eq!(after.tables["workflow_session_todo_documents"], Vec::<Vec<Value>>::new());
    assert_eq!(after.versions, (4, 0));
    assert!(workspace.read("s").items().is_empty());
}
