//! The plan looks and changes nothing.

use maka_core::{EnvironmentFault, StoreError};
use maka_storage::OpenError;
use rusqlite::Connection;

use crate::closed_workspace::{ClosedWorkspace, REAL};

#[test]
fn no_byte_of_a_database_or_of_its_log_changes() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let before = workspace.bytes();
        assert!(workspace.plan().expect("a plan").needed, "{name}");
        assert_eq!(workspace.bytes(), before, "{name}");
    }
}

#[test]
fn the_log_alone_holds_a_session_and_the_plan_sees_it() {
    let plan = ClosedWorkspace::real("v9-hot-wal").plan().expect("a plan");
    assert_eq!((plan.sessions, plan.ledger_events), (14, 385));
    let workspace = ClosedWorkspace::real("v9-hot-wal");
    std::fs::remove_file(workspace.root.path().join("runtime.sqlite-shm")).expect("removed");
    let plan = workspace.plan().expect("a plan without the index of the log");
    assert_eq!((plan.sessions, plan.ledger_events), (14, 385));
}

#[test]
fn an_absent_an_empty_and_a_current_workspace_need_nothing() {
    let workspace = ClosedWorkspace::empty();
    let plan = workspace.plan().expect("a plan");
    assert_eq!((plan.needed, plan.from, plan.to), (false, 0, 12));
    assert!(!workspace.root.database().exists());
    std::fs::write(workspace.root.database(), "").expect("written");
    assert!(!workspace.plan().expect("a plan").needed);
    let plan = ClosedWorkspace::current().plan().expect("a plan");
    assert_eq!((plan.needed, plan.from, plan.to), (false, 12, 12));
}

#[test]
fn it_sees_what_a_living_program_has_committed_and_nothing_else() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let other = Connection::open(workspace.root.database()).expect("opens");
    let delete = "DELETE FROM workflow_task_ledger_events WHERE sequence > 0";
    other.execute_batch(delete).expect("deleted");
    other
        .execute_batch("BEGIN; DELETE FROM workflow_task_ledger_events")
        .expect("deleted, not committed");
    let before = workspace.bytes();
    assert_eq!(workspace.plan().expect("a plan").ledger_events, 12);
    assert_eq!(workspace.bytes(), before);
}

#[test]
fn a_database_that_another_program_keeps_to_itself_is_said_to_be_busy() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let other = Connection::open(workspace.root.database()).expect("opens");
    other
        .execute_batch(
            "PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE;
             DELETE FROM workflow_task_ledger_events; COMMIT",
        )
        .expect("locked");
    let refused = workspace.plan().expect_err("busy");
    assert!(
        matches!(
            refused,
            OpenError::Store(StoreError::Environment { fault: EnvironmentFault::Busy, .. })
        ),
        "{refused:?}"
    );
}
