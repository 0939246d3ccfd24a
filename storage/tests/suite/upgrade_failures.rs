//! An upgrade that fails leaves the workspace as it was, and can be done again.

use maka_core::{StoreError, Timestamp};
use maka_storage::upgrade::{UpgradeError, UpgradeStep, upgrade};
use maka_storage::{Faults, OpenError};
use rusqlite::Connection;

use crate::closed_workspace::{ClosedWorkspace, NOW, REAL};

/// The points of an upgrade at which nothing is committed yet.
const BEFORE_THE_COMMIT: [&str; 8] = [
    "upgrade.backed_up",
    "upgrade.begun",
    "upgrade.ledger_dropped",
    "upgrade.projections_dropped",
    "upgrade.todo_table",
    "upgrade.sessions_adopted",
    "upgrade.messages_adopted",
    "upgrade.registered",
];

#[test]
fn a_failure_at_any_step_leaves_the_whole_dump_as_it_was() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let before = workspace.dump();
        for (done, point) in BEFORE_THE_COMMIT.into_iter().enumerate() {
            let failed = workspace.upgrade_at(NOW, &format!("{point}=fail"));
            assert!(matches!(failed, Err(UpgradeError::Fault(_))), "{name} {point}: {failed:?}");
            assert_eq!(workspace.dump(), before, "{name} {point}");
            assert_eq!(workspace.backups().len(), done + 1, "each try keeps its own backup");
            assert!(workspace.plan().expect("a plan").needed);
        }
        assert!(workspace.upgrade().expect("done again").upgraded);
        workspace.open().expect("current");
    }
}

#[test]
fn a_failure_after_the_commit_leaves_an_upgraded_workspace() {
    for name in REAL {
        let workspace = ClosedWorkspace::real(name);
        let failed = workspace.upgrade_at(NOW, "upgrade.committed=fail");
        assert!(matches!(failed, Err(UpgradeError::Fault(_))));
        let smooth = ClosedWorkspace::real(name);
        smooth.upgrade().expect("upgraded");
        assert_eq!(workspace.dump(), smooth.dump(), "{name}");
        workspace.open().expect("current");
    }
}

#[test]
fn without_a_backup_nothing_is_upgraded() {
    for fault in ["backup.copied=fail", "backup.verified=fail", "backup.renamed=fail"] {
        let workspace = ClosedWorkspace::real("v9-rich.sqlite");
        let before = workspace.dump();
        let failed = workspace.upgrade_at(NOW, fault);
        assert!(matches!(failed, Err(UpgradeError::Backup(_))), "{fault}: {failed:?}");
        assert_eq!(workspace.dump(), before, "{fault}");
    }
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let before = workspace.dump();
    std::fs::write(workspace.root.backups(), "a file in its place").expect("written");
    let failed = workspace.upgrade().expect_err("no folder of backups");
    assert!(matches!(failed, UpgradeError::Open(OpenError::Store(_))), "{failed:?}");
    assert_eq!(workspace.dump(), before);
}

#[test]
fn another_living_program_is_noticed_even_when_it_is_idle() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let before = workspace.dump();
    let other = Connection::open(workspace.root.database()).expect("opens");
    let _: i64 = other
        .query_row("SELECT count(*) FROM session_metadata", (), |row| row.get(0))
        .expect("one look, then idle");
    let failed = workspace.upgrade();
    assert!(matches!(failed, Err(UpgradeError::InUse)), "{failed:?}");
    assert_eq!(workspace.dump(), before);
    assert!(workspace.backups().is_empty());
    drop(other);
    assert!(workspace.upgrade().expect("nobody else").upgraded);
}

#[test]
fn another_program_is_kept_out_while_the_upgrade_runs() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let path = workspace.root.database();
    let mut refused = 0;
    let mut intrude = |_: UpgradeStep| {
        let other = Connection::open(&path).expect("opens");
        other.busy_timeout(std::time::Duration::ZERO).expect("a setting");
        let looked = other.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()));
        refused += u32::from(looked.is_err());
    };
    let done = upgrade(&workspace.lease(), NOW, &Faults::default(), &mut intrude);
    let report = done.expect("the intruder did no harm");
    assert!(report.upgraded);
    assert!(refused >= 3, "refused {refused} times");
}

#[test]
fn a_lease_that_is_lost_on_the_way_stops_the_upgrade() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    let before = workspace.dump();
    let lease = workspace.lease();
    let lock_file = workspace.root.lock_file();
    let failed = upgrade(&lease, NOW, &Faults::default(), &mut |step| {
        if step == UpgradeStep::AdoptingSessions {
            std::fs::remove_file(&lock_file).expect("removed");
        }
    });
    assert!(matches!(failed, Err(UpgradeError::LeaseLost)), "{failed:?}");
    assert_eq!(workspace.dump(), before);
}

#[test]
fn two_upgrades_of_one_second_get_a_backup_each() {
    let workspace = ClosedWorkspace::real("v9-rich.sqlite");
    for _ in 0..2 {
        let failed = workspace.upgrade_at(Timestamp::from_millis(1), "upgrade.begun=fail");
        assert!(failed.is_err());
    }
    let mut names: Vec<_> = workspace
        .backups()
        .iter()
        .map(|path| path.file_name().expect("a name").to_string_lossy().into_owned())
        .collect();
    names.sort();
    let name = "pre-upgrade-9-to-12-19700101T000000Z";
    assert_eq!(names, [name.to_owned(), format!("{name}-2")]);
}

#[test]
fn a_torn_database_is_blocked_with_the_hint_to_restore() {
    let workspace = ClosedWorkspace::real("v12-todos.sqlite");
    let mut bytes = std::fs::read(workspace.root.database()).expect("read");
    bytes[100..4096].fill(0xee);
    std::fs::write(workspace.root.database(), &bytes).expect("torn");
    let refused = workspace.open().expect_err("torn");
    let blocked = matches!(
        &refused,
        OpenError::Blocked { hint, .. } if hint.contains("maka backup restore")
    );
    assert!(blocked, "{refused:?}");
    assert!(!matches!(refused, OpenError::Store(StoreError::Environment { .. })));
    assert_eq!(std::fs::read(workspace.root.database()).expect("read"), bytes);
}
