//! The state root and its lease.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use maka_storage::{LeaseError, RootError, RootLease, StateRoot};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).expect("metadata").permissions().mode() & 0o7777
}

#[test]
fn a_new_root_is_private_with_its_parents_and_an_existing_one_becomes_private() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("a/b");
    let root = StateRoot::open_or_create(&path).expect("created");
    assert_eq!(root.path(), path);
    assert_eq!(mode(&path), 0o700);
    fs::set_permissions(&path, Permissions::from_mode(0o755)).expect("chmod");
    StateRoot::open_existing(&path).expect("opened");
    assert_eq!(mode(&path), 0o755, "a mere look changes nothing");
    StateRoot::open_or_create(&path).expect("opened");
    assert_eq!(mode(&path), 0o700);
}

#[test]
fn a_file_a_missing_folder_and_an_unwritable_folder_are_refused() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("file");
    fs::write(&file, "mine").expect("written");
    for path in [file.clone(), file.join("below")] {
        let refused = StateRoot::open_or_create(&path).expect_err("not a folder");
        assert!(matches!(refused, RootError::NotAFolder(_)), "{refused:?}");
    }
    assert_eq!(fs::read(&file).expect("still there"), b"mine");

    let missing = dir.path().join("missing");
    assert!(matches!(StateRoot::open_existing(&missing), Err(RootError::Missing(_))));
    assert!(!missing.exists());

    let closed = dir.path().join("closed");
    fs::create_dir(&closed).expect("created");
    fs::set_permissions(&closed, Permissions::from_mode(0o500)).expect("chmod");
    assert!(matches!(StateRoot::open_or_create(&closed), Err(RootError::Unwritable(_))));
    assert_eq!(mode(&closed), 0o500);
}

#[test]
fn a_second_lease_fails_at_once_and_reads_what_the_first_announced() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = StateRoot::open_or_create(dir.path()).expect("root");
    fs::write(root.lock_file(), "stale text of a Host that died").expect("written");
    let lease = RootLease::acquire(root.clone()).expect("free");
    assert_eq!(mode(&root.lock_file()), 0o600);
    let held = |root: &StateRoot| match RootLease::acquire(root.clone()) {
        Err(LeaseError::Held { text }) => text,
        other => panic!("{other:?}"),
    };
    assert_eq!(held(&root), "", "a stale text is gone before the owner announces itself");
    lease.announce("a long first text").expect("announced");
    lease.announce("short").expect("announced");
    assert_eq!(held(&root), "short");
    drop(lease);
    assert!(RootLease::acquire(root).is_ok());
}

#[test]
fn a_lease_whose_file_was_replaced_is_no_longer_held() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = StateRoot::open_or_create(dir.path()).expect("root");
    let lease = RootLease::acquire(root.clone()).expect("free");
    assert!(lease.is_held());
    fs::remove_file(root.lock_file()).expect("removed");
    assert!(!lease.is_held());
    let other = RootLease::acquire(root).expect("another file, another lock");
    assert!(other.is_held());
    assert!(!lease.is_held());
}
