//! Upgrades of real workspaces by the real program: interrupted at every step, and undone.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Output;

use maka_tests::dump::logical_dump;
use maka_tests::host_process::HostProcess;
use maka_tests::program::maka_command;
use maka_tests::scratch::Scratch;
use serde_json::Value;

/// The steps before the COMMIT has returned: stopping at one must change nothing.
const BEFORE_COMMIT: [&str; 8] = [
    "upgrade.backed_up",
    "upgrade.begun",
    "upgrade.ledger_dropped",
    "upgrade.projections_dropped",
    "upgrade.todo_table",
    "upgrade.sessions_adopted",
    "upgrade.messages_adopted",
    "upgrade.registered",
];

const WORKSPACES: [&str; 5] = [
    "v9-rich.sqlite",
    "v9-hot-wal",
    "v10-migrated-from-v9-rich.sqlite",
    "v11-todos.sqlite",
    "v12-todos.sqlite",
];

fn maka(root: &Path, arguments: &[&str], fault: &str) -> Output {
    maka_command(root).unwrap().args(arguments).env("MAKA_TEST_FAULT", fault).output().unwrap()
}

fn succeed(root: &Path, arguments: &[&str]) -> Value {
    let output = maka(root, arguments, "");
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {}: {complaint}", output.status);
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_kill_at_any_step_before_the_commit_leaves_the_workspace_as_it_was() {
    for workspace in WORKSPACES {
        for point in BEFORE_COMMIT {
            let scratch = Scratch::with_workspace(workspace).unwrap();
            let before = logical_dump(&scratch.database()).unwrap();
            let output = maka(&scratch.root(), &["upgrade"], &format!("{point}=kill"));
            let complaint = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.signal(), Some(9), "{workspace} {point}: {complaint}");
            assert!(logical_dump(&scratch.database()).unwrap() == before, "{workspace} {point}");
            succeed(&scratch.root(), &["upgrade", "--json"]);
        }
    }
}

#[test]
fn a_failure_at_any_step_before_the_commit_leaves_the_workspace_as_it_was() {
    for point in BEFORE_COMMIT {
        let scratch = Scratch::with_workspace("v9-rich.sqlite").unwrap();
        let before = logical_dump(&scratch.database()).unwrap();
        let output = maka(&scratch.root(), &["upgrade"], &format!("{point}=fail"));
        assert!(output.status.code().is_some_and(|code| code != 0), "{point}: {}", output.status);
        assert!(!output.stderr.is_empty(), "{point}: no reason given");
        assert!(logical_dump(&scratch.database()).unwrap() == before, "{point}");
        succeed(&scratch.root(), &["upgrade", "--json"]);
    }
}

#[test]
fn a_kill_after_the_commit_leaves_a_workspace_that_needs_no_upgrade() {
    let scratch = Scratch::with_workspace("v9-rich.sqlite").unwrap();
    let output = maka(&scratch.root(), &["upgrade"], "upgrade.committed=kill");
    assert_eq!(output.status.signal(), Some(9));
    let plan = succeed(&scratch.root(), &["upgrade", "--plan", "--json"]);
    assert_eq!(plan["needed"], false, "{plan}");
    HostProcess::start(&scratch.root()).unwrap().stop().unwrap();
}

#[test]
fn an_upgraded_workspace_is_opened_again_without_a_change() {
    for workspace in WORKSPACES {
        let scratch = Scratch::with_workspace(workspace).unwrap();
        succeed(&scratch.root(), &["upgrade", "--json"]);
        let after = logical_dump(&scratch.database()).unwrap();
        HostProcess::start(&scratch.root()).unwrap().stop().unwrap();
        succeed(&scratch.root(), &["upgrade", "--plan", "--json"]);
        assert!(logical_dump(&scratch.database()).unwrap() == after, "{workspace}");
    }
}

#[test]
fn a_spawned_host_refuses_an_old_workspace_and_changes_nothing() {
    let scratch = Scratch::with_workspace("v11-todos.sqlite").unwrap();
    let before = logical_dump(&scratch.database()).unwrap();
    for arguments in [["host", "run"], ["session", "list"]] {
        let output = maka(&scratch.root(), &arguments, "");
        assert_eq!(output.status.code(), Some(5), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("maka upgrade"), "{said}");
    }
    assert!(logical_dump(&scratch.database()).unwrap() == before);
}

/// Upgrade, edit, restore the backup elsewhere: what was before the upgrade is there, and the
/// edits are not.
#[test]
fn a_restored_backup_of_an_upgrade_equals_the_workspace_before_it() {
    for workspace in ["v9-rich.sqlite", "v9-hot-wal", "v11-todos.sqlite"] {
        let scratch = Scratch::with_workspace(workspace).unwrap();
        let before = logical_dump(&scratch.database()).unwrap();
        succeed(&scratch.root(), &["upgrade", "--json"]);

        let host = HostProcess::start(&scratch.root()).unwrap();
        let session = host.client().unwrap().new_session("edited after the upgrade").unwrap();
        let list = r#"{"todos":[{"content":"an edit after the upgrade","status":"pending"}]}"#;
        host.model(&session).unwrap().write_list(list).unwrap();
        host.stop().unwrap();

        let backup = only_backup(&scratch.root());
        let restored = scratch.folder().join("restored");
        let output = maka(
            &scratch.root(),
            &["backup", "restore", backup.to_str().unwrap(), restored.to_str().unwrap()],
            "",
        );
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let after = logical_dump(&restored.join("runtime.sqlite")).unwrap();
        assert!(after == before, "{workspace}");
        let live = logical_dump(&scratch.database()).unwrap();
        assert!(live.iter().any(|line| line.contains("an edit after the upgrade")));
    }
}

fn only_backup(root: &Path) -> PathBuf {
    let mut entries = std::fs::read_dir(root.join("backups")).unwrap();
    let backup = entries.next().unwrap().unwrap().path();
    assert!(entries.next().is_none(), "one upgrade makes one backup");
    backup
}
