//! Older workspaces: refused without a person's word, upgraded with it, and planned for without a
//! change.

use std::path::{Path, PathBuf};

use maka_runtime_host::offline::{self, OfflineError};
use maka_runtime_host::{Faults, Host, StartError};
use serde_json::json;

use crate::live_host::{LiveHost, options};
use crate::wire::Wire;

/// Puts a copy of a workspace of the reference implementation into `folder`.
fn old_workspace(folder: &Path) -> PathBuf {
    let root = folder.join("root");
    std::fs::create_dir(&root).expect("created");
    let from = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces/v11-todos.sqlite");
    std::fs::copy(from, root.join("runtime.sqlite")).expect("copied");
    root
}

fn bytes(root: &Path) -> Vec<u8> {
    std::fs::read(root.join("runtime.sqlite")).expect("read")
}

#[tokio::test]
async fn a_host_refuses_an_older_workspace_and_names_the_command() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = old_workspace(folder.path());
    let before = bytes(&root);
    let refused = Host::start(options(folder.path())).await.expect_err("refused");
    assert!(matches!(refused, StartError::NeedsUpgrade { from: 11 }), "{refused}");
    assert!(refused.is_blocked());
    assert!(refused.hint().expect("a hint").contains("`maka upgrade --plan`"));
    assert_eq!(bytes(&root), before);
    assert!(!root.join("host.sock").exists(), "it leaves no socket");
}

#[tokio::test]
async fn a_host_upgrades_where_a_person_asked_for_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = old_workspace(folder.path());
    let mut options = options(folder.path());
    options.upgrade_consent = true;
    let host = Host::start(options).await.expect("starts");
    let mut viewer = Wire::hello(host.socket(), "viewer").await;
    let status = viewer.done("host.status", json!({})).await;
    assert_eq!(status["workflowSchema"], 12);
    let listed = viewer.done("session.list", json!({"includeArchived":true})).await;
    assert!(!listed["sessions"].as_array().expect("a page").is_empty());
    assert_eq!(std::fs::read_dir(root.join("backups")).expect("backups").count(), 1);
}

#[tokio::test]
async fn a_plan_changes_nothing_and_an_upgrade_needs_the_lease() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = old_workspace(folder.path());
    let before = bytes(&root);
    let plan = offline::plan(&root).expect("planned");
    assert_eq!((plan.needed, plan.from, plan.to, plan.ledger_events), (true, 11, 12, 375));
    assert_eq!(bytes(&root), before);
    let mut steps = 0;
    let report = offline::upgrade(&root, &Faults::default(), &mut |_step| steps += 1);
    assert_eq!(report.expect("upgraded").sessions, plan.sessions);
    assert!(steps > 0);
    assert!(!offline::plan(&root).expect("planned").needed);
    let missing = offline::plan(&folder.path().join("nothing"));
    assert!(matches!(missing, Err(OfflineError::Workspace(StartError::Root(_)))));
}

#[tokio::test]
async fn an_upgrade_meets_no_running_host() {
    let live = LiveHost::start().await;
    let refused = offline::upgrade(&live.root(), &Faults::default(), &mut |_step| {});
    let Err(OfflineError::Workspace(StartError::Held(Some(owner)))) = refused else {
        panic!("must be held")
    };
    assert_eq!(owner.host_epoch, live.host.epoch());
    assert!(!offline::plan(&live.root()).expect("a plan takes no lease").needed);
}

#[tokio::test]
async fn a_backup_of_an_older_workspace_restores_as_it_was() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = old_workspace(folder.path());
    let target = root.join("backups").join("by hand");
    std::fs::create_dir(root.join("backups")).expect("created");
    let made = offline::create_backup(&root, &target, &mut |_done, _total| {}).expect("made");
    assert_eq!(offline::verify_backup(&target, &mut |_done, _total| {}).expect("whole"), made);
    let listed = offline::list_backups(&root).expect("listed");
    assert_eq!(listed.len(), 1);
    let elsewhere = folder.path().join("elsewhere");
    offline::restore_backup(&target, &elsewhere, &mut |_done, _total| {}).expect("restored");
    let plan = offline::plan(&elsewhere).expect("planned");
    assert_eq!((plan.needed, plan.from, plan.ledger_events), (true, 11, 375));
    let again = offline::restore_backup(&target, &elsewhere, &mut |_done, _total| {});
    assert!(matches!(again, Err(OfflineError::Backup(_))));
    assert_eq!(offline::prune_backups(&root, 0).expect("pruned"), [target]);
    assert!(offline::list_backups(&root).expect("listed").is_empty());
}

#[tokio::test]
async fn a_backup_without_a_host_meets_no_running_one() {
    let live = LiveHost::start().await;
    let target = live.folder.path().join("backup");
    let refused = offline::create_backup(&live.root(), &target, &mut |_done, _total| {});
    assert!(matches!(refused, Err(OfflineError::Workspace(StartError::Held(Some(_))))));
    assert!(!target.exists());
}
