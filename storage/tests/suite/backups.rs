//! Backups: what is made, what is refused, what comes back.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use maka_core::Timestamp;
use maka_core::ports::SessionTodoStore;
use maka_storage::{BackupError, RootLease, StateRoot, backup};
use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::harness::{Workspace, id, todo, turn, wait};

/// The cases on backups of `tests/cases/migration.json`, each a test here.
const CASES: [(&str, fn()); 7] = [
    ("backup-tampered-file", a_tampered_file_is_refused),
    ("backup-extra-file", an_extra_file_is_refused),
    ("backup-symlink", a_symbolic_link_is_refused),
    ("backup-manifest-other-version", another_version_of_the_manifest_is_refused),
    ("backup-path-escape", a_path_that_leads_out_is_refused),
    ("backup-native-version-999", a_newer_database_is_refused_even_when_it_is_sealed_again),
    ("restore-old-schema-backup", an_older_schema_is_backed_up_and_restored_as_it_is),
];

#[test]
fn every_case_on_backups_is_a_test_here() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/migration.json");
    let file: Value = serde_json::from_slice(&fs::read(path).expect("read")).expect("JSON");
    let ids =
        file["cases"].as_array().expect("cases").iter().filter_map(|case| case["id"].as_str());
    let on_backups: BTreeSet<&str> =
        ids.filter(|id| id.starts_with("backup-") || id.starts_with("restore-")).collect();
    assert_eq!(on_backups, CASES.map(|(id, _)| id).into());
}

const NOW: Timestamp = Timestamp::from_millis(1_700_000_000_000);

fn silent() -> impl FnMut(u64, u64) {
    |_, _| {}
}

fn make(workspace: &Workspace, name: &str) -> PathBuf {
    make_at(workspace, name, NOW)
}

fn make_at(workspace: &Workspace, name: &str, now: Timestamp) -> PathBuf {
    let target = workspace.root.backups().join(name);
    fs::create_dir_all(workspace.root.backups()).expect("created");
    backup::create(&workspace.database, &target, now, &mut silent()).expect("made").path
}

fn manifest(backup: &Path) -> Value {
    let text = fs::read(backup.join("operational-backup.json")).expect("read");
    serde_json::from_slice(&text).expect("JSON")
}

fn write_manifest(backup: &Path, manifest: &Value) {
    fs::write(backup.join("operational-backup.json"), manifest.to_string()).expect("written");
}

/// Makes the manifest agree with the database again.
fn reseal(backup: &Path, change: impl FnOnce(&mut Value)) {
    let bytes = fs::read(backup.join("runtime.sqlite")).expect("read");
    let mut manifest = manifest(backup);
    let sha256: String = Sha256::digest(&bytes).iter().map(|b| format!("{b:02x}")).collect();
    manifest["files"][0]["size"] = json!(bytes.len());
    manifest["files"][0]["sha256"] = json!(sha256);
    change(&mut manifest);
    write_manifest(backup, &manifest);
}

/// The code of the case file.
fn code(error: &BackupError) -> &'static str {
    if matches!(error, BackupError::Corrupt { .. }) {
        return "corrupt_backup";
    }
    if matches!(error, BackupError::UnsupportedSchema { .. }) {
        return "unsupported_schema";
    }
    assert!(matches!(error, BackupError::NewerThanSupported { .. }), "{error:?}");
    "newer than supported"
}

/// Both ways to take a backup refuse it, and no state root comes to be.
fn assert_refused(backup: &Path, expected: &str) {
    let new_root = backup.with_extension("restored");
    let verified = backup::verify(backup, &mut silent()).expect_err("refused");
    assert_eq!(code(&verified), expected, "{verified}");
    let restored = backup::restore(backup, &new_root, &mut silent()).expect_err("refused");
    assert_eq!(code(&restored), expected, "{restored}");
    assert!(new_root.symlink_metadata().is_err());
    assert_nothing_is_staged(backup.parent().expect("a parent"));
}

fn assert_nothing_is_staged(folder: &Path) {
    for entry in fs::read_dir(folder).expect("listed") {
        let name = entry.expect("an entry").file_name();
        assert!(!name.to_string_lossy().contains("staging"), "{name:?}");
    }
}

fn dump(connection: &Connection) -> Vec<String> {
    let texts = |sql: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).expect("prepared");
        let columns = statement.column_count();
        let rows = statement.query_map((), |row| {
            let values: rusqlite::Result<Vec<rusqlite::types::Value>> =
                (0..columns).map(|column| row.get(column)).collect();
            Ok(format!("{:?}", values?))
        });
        rows.expect("read").map(|row| row.expect("a row")).collect()
    };
    let mut all = texts("SELECT type, name, sql FROM sqlite_schema ORDER BY name");
    all.extend(texts("PRAGMA user_version"));
    let mut names = connection
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        .expect("prepared");
    let names: Vec<String> = names
        .query_map((), |row| row.get(0))
        .expect("read")
        .map(|name| name.expect("a name"))
        .collect();
    for name in names {
        all.extend(texts(&format!("SELECT '{name}', * FROM \"{name}\" ORDER BY 1, 2")));
    }
    all
}

#[test]
fn a_backup_comes_back_as_a_private_root_with_the_same_lists() {
    let workspace = Workspace::new();
    workspace.replace("a", &todo(&["x", "y"])).expect("written");
    workspace.read("empty").expect("initialized");
    let made = make(&workspace, "one");
    let original = dump(&workspace.raw());
    workspace.replace("a", &todo(&["later"])).expect("written");

    assert_eq!(manifest(&made)["createdAt"], "2023-11-14T22:13:20Z");
    assert_eq!(manifest(&made)["schemaVersion"], 3);
    let info = backup::verify(&made, &mut silent()).expect("whole");
    assert_eq!(info.created_at, NOW);
    let names: Vec<_> =
        fs::read_dir(&made).expect("listed").map(|e| e.expect("e").path()).collect();
    assert_eq!(names.len(), 2, "no log stands beside the database: {names:?}");

    let new_root = made.with_extension("restored");
    let restored = backup::restore(&made, &new_root, &mut silent()).expect("restored");
    assert_eq!(restored.path, new_root);
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode() & 0o7777;
    assert_eq!(mode(&new_root), 0o700);
    assert_eq!(mode(&new_root.join("runtime.sqlite")), 0o600);
    let back = Connection::open(new_root.join("runtime.sqlite")).expect("opened");
    assert_eq!(dump(&back), original, "later edits are lost, nothing else");
}

#[test]
fn a_tampered_file_is_refused() {
    let workspace = Workspace::new();
    workspace.replace("a", &todo(&["x"])).expect("written");
    let made = make(&workspace, "same-size");
    let file = made.join("runtime.sqlite");
    let mut bytes = fs::read(&file).expect("read");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, &bytes).expect("written");
    assert_refused(&made, "corrupt_backup");

    let made = make(&workspace, "shorter");
    let file = made.join("runtime.sqlite");
    let bytes = fs::read(&file).expect("read");
    fs::write(&file, &bytes[..4096]).expect("written");
    assert_refused(&made, "corrupt_backup");
    fs::remove_file(&file).expect("removed");
    assert_refused(&made, "corrupt_backup");
}

#[test]
fn a_damaged_database_is_refused_although_it_is_sealed() {
    let workspace = Workspace::new();
    for n in 0..200 {
        workspace.read(&format!("session-{n}")).expect("initialized");
    }
    let made = make(&workspace, "one");
    let file = made.join("runtime.sqlite");
    let mut bytes = fs::read(&file).expect("read");
    let middle = bytes.len() / 2;
    bytes[middle..].fill(0xa5);
    fs::write(&file, &bytes).expect("written");
    reseal(&made, |_| {});
    assert_refused(&made, "corrupt_backup");
}

#[test]
fn an_extra_file_is_refused() {
    let workspace = Workspace::new();
    for (name, extra) in [("file", "notes.txt"), ("log", "runtime.sqlite-wal")] {
        let made = make(&workspace, name);
        fs::write(made.join(extra), "x").expect("written");
        assert_refused(&made, "corrupt_backup");
    }
    let made = make(&workspace, "folder");
    fs::create_dir(made.join("sub")).expect("created");
    assert_refused(&made, "corrupt_backup");
}

#[test]
fn a_symbolic_link_is_refused() {
    let workspace = Workspace::new();
    for name in ["runtime.sqlite", "operational-backup.json"] {
        let made = make(&workspace, name);
        let moved = workspace.root.path().join(format!("moved-{name}"));
        fs::rename(made.join(name), &moved).expect("moved");
        symlink(&moved, made.join(name)).expect("linked");
        assert_refused(&made, "corrupt_backup");
    }
}

#[test]
fn another_version_of_the_manifest_is_refused() {
    let workspace = Workspace::new();
    let made = make(&workspace, "one");
    for version in [json!(2), json!(4), json!("3"), Value::Null] {
        let mut changed = manifest(&made);
        changed["schemaVersion"] = version;
        write_manifest(&made, &changed);
        assert_refused(&made, "unsupported_schema");
    }
}

#[test]
fn what_is_not_a_manifest_is_refused() {
    let workspace = Workspace::new();
    let made = make(&workspace, "one");
    let good = manifest(&made);
    let mut other_format = good.clone();
    other_format["format"] = json!("another");
    let mut no_moment = good.clone();
    no_moment["createdAt"] = json!("yesterday");
    let mut no_files = good.clone();
    no_files["files"] = json!([]);
    for changed in [other_format, no_moment, no_files, json!([])] {
        write_manifest(&made, &changed);
        assert_refused(&made, "corrupt_backup");
    }
    fs::write(made.join("operational-backup.json"), "{").expect("written");
    assert_refused(&made, "corrupt_backup");
    fs::remove_file(made.join("operational-backup.json")).expect("removed");
    assert_refused(&made, "corrupt_backup");
}

#[test]
fn a_path_that_leads_out_is_refused() {
    let workspace = Workspace::new();
    let made = make(&workspace, "one");
    let outside = made.parent().expect("a parent").join("x");
    fs::copy(made.join("runtime.sqlite"), &outside).expect("copied");
    for path in ["../x", "/etc/passwd", "sub/../../x", ""] {
        let mut changed = manifest(&made);
        changed["files"][0]["path"] = json!(path);
        write_manifest(&made, &changed);
        assert_refused(&made, "corrupt_backup");
        let mut added = manifest(&made);
        let entry = added["files"][0].clone();
        added["files"] = json!([entry.clone(), entry]);
        added["files"][0]["path"] = json!("runtime.sqlite");
        write_manifest(&made, &added);
        assert_refused(&made, "corrupt_backup");
    }
}

#[test]
fn a_newer_database_is_refused_even_when_it_is_sealed_again() {
    let workspace = Workspace::new();
    // With the version the manifest was made with, and with none.
    for native in [json!(0), Value::Null] {
        let made = make(&workspace, &format!("native-{native}"));
        let changed = Connection::open(made.join("runtime.sqlite")).expect("opened");
        changed
            .execute_batch("PRAGMA user_version = 999; PRAGMA journal_mode = DELETE")
            .expect("set");
        drop(changed);
        reseal(&made, |manifest| manifest["nativeVersion"] = native);
        assert_refused(&made, "newer than supported");
    }
}

#[test]
fn an_older_schema_is_backed_up_and_restored_as_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let files = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces"));
    for name in ["v9-rich.sqlite", "v11-todos.sqlite", "v12-todos.sqlite"] {
        let root = StateRoot::open_or_create(&dir.path().join(name)).expect("a root");
        fs::copy(files.join(name), root.database()).expect("copied");
        let before = fs::read(root.database()).expect("read");
        let lease = RootLease::acquire(root.clone()).expect("free");
        let target = dir.path().join(format!("{name}.backup"));
        let made = backup::create_offline(&lease, &target, NOW, &mut silent()).expect("made");
        assert_eq!(fs::read(root.database()).expect("read"), before, "the source is not touched");
        let new_root = dir.path().join(format!("{name}.restored"));
        let back = backup::restore(&target, &new_root, &mut silent()).expect("restored");
        assert_eq!((back.bytes, back.sha256), (made.bytes, made.sha256));
        let [original, restored] = [root.database(), new_root.join("runtime.sqlite")]
            .map(|path| dump(&Connection::open(path).expect("opened")));
        assert_eq!(restored, original, "{name}");
    }
}

#[test]
fn what_stands_only_in_the_log_is_in_the_backup() {
    let dir = tempfile::tempdir().expect("a folder");
    let files = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces/v9-hot-wal"));
    let root = StateRoot::open_or_create(&dir.path().join("root")).expect("a root");
    for name in ["runtime.sqlite", "runtime.sqlite-wal"] {
        fs::copy(files.join(name), root.path().join(name)).expect("copied");
    }
    let lease = RootLease::acquire(root.clone()).expect("free");
    let target = dir.path().join("backup");
    backup::create_offline(&lease, &target, NOW, &mut silent()).expect("made");
    let count = |path: PathBuf| -> i64 {
        let sql = "SELECT count(*) FROM session_metadata";
        Connection::open(path).expect("opened").query_row(sql, (), |row| row.get(0)).expect("read")
    };
    assert_eq!(count(target.join("runtime.sqlite")), count(root.database()));
    assert_eq!(count(target.join("runtime.sqlite")), 14);
}

#[test]
fn a_restore_never_replaces_anything() {
    let workspace = Workspace::new();
    let made = make(&workspace, "one");
    let empty = workspace.root.backups().join("empty");
    fs::create_dir(&empty).expect("created");
    for taken in [empty.as_path(), workspace.root.path(), &made] {
        let refused = backup::restore(&made, taken, &mut silent()).expect_err("taken");
        assert!(matches!(refused, BackupError::TargetExists(_)), "{refused:?}");
        let refused = backup::create(&workspace.database, taken, NOW, &mut silent());
        assert!(matches!(refused, Err(BackupError::TargetExists(_))));
    }
    assert_eq!(fs::read_dir(&empty).expect("listed").count(), 0);
}

#[test]
fn a_backup_that_fails_leaves_nothing_behind() {
    for point in ["backup.copied", "backup.verified"] {
        let workspace = Workspace::with_faults(&format!("{point}=fail"));
        let target = workspace.root.path().join("backup");
        let failed = backup::create(&workspace.database, &target, NOW, &mut silent());
        assert!(matches!(failed, Err(BackupError::Fault(_))), "{failed:?}");
        assert!(!target.exists());
        assert_nothing_is_staged(workspace.root.path());
    }
}

#[test]
fn a_backup_under_64_writers_is_one_moment_and_tells_how_far_it_is() {
    let workspace = Workspace::new();
    // Each writer keeps two Sessions at the same number, the first one first; a copy that mixed
    // two moments would show the second ahead of the first.
    let big = |n: usize| {
        let filler = "x".repeat(150);
        let items: Vec<String> = (0..20).map(|item| format!("{n} {item} {filler}")).collect();
        todo(&items.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for writer in 0..64 {
        for side in ["a", "b"] {
            workspace.replace(&format!("{side}-{writer}"), &big(0)).expect("written");
        }
    }
    let (stop, mut steps) = (AtomicBool::new(false), Vec::new());
    let target = workspace.root.path().join("backup");
    thread::scope(|scope| {
        for writer in 0..64 {
            let (workspace, stop, big) = (&workspace, &stop, &big);
            scope.spawn(move || {
                for n in 1.. {
                    for side in ["a", "b"] {
                        workspace.replace(&format!("{side}-{writer}"), &big(n)).expect("written");
                    }
                    if stop.load(Ordering::SeqCst) {
                        return;
                    }
                }
            });
        }
        let mut during = None;
        let made = backup::create(&workspace.database, &target, NOW, &mut |done, total| {
            steps.push((done, total));
            // The copy waits here until writers have committed in the middle of it.
            let before = newest(workspace.root.database());
            while during.is_none() && newest(workspace.root.database()) == before {
                thread::yield_now();
            }
            during = Some(());
        });
        stop.store(true, Ordering::SeqCst);
        made.expect("made");
    });
    let (done, total) = *steps.last().expect("told");
    assert!(steps.len() > 1 && done == total, "{steps:?}");
    assert!(steps.is_sorted());
    backup::verify(&target, &mut silent()).expect("whole");
    let copy = Connection::open(target.join("runtime.sqlite")).expect("opened");
    for writer in 0..64 {
        let [a, b] = ["a", "b"].map(|side| number_of(&copy, &format!("{side}-{writer}")));
        assert!(a == b || a == b + 1, "writer {writer}: {a} and {b}");
    }
}

fn newest(database: PathBuf) -> i64 {
    let sql = "SELECT max(rowid) FROM maka_records";
    Connection::open(database).expect("opened").query_row(sql, (), |row| row.get(0)).expect("read")
}

/// The number that every item of a list starts with, and its Turn's record has too.
fn number_of(copy: &Connection, session: &str) -> u64 {
    let text =
        |sql: &str| -> String { copy.query_row(sql, [session], |row| row.get(0)).expect("read") };
    let stored: Value = serde_json::from_str(&text(
        "SELECT record_json FROM workflow_session_todo_documents WHERE session_id = ?1",
    ))
    .expect("JSON");
    let settled: Value = serde_json::from_str(&text(
        "SELECT record_json FROM maka_records WHERE session_id = ?1 ORDER BY sequence DESC LIMIT 1",
    ))
    .expect("JSON");
    assert_eq!(stored["items"], settled["items"], "the transcript and the list agree");
    let content = stored["items"][0]["content"].as_str().expect("text");
    content.split(' ').next().expect("a word").parse().expect("a number")
}

#[test]
fn the_shelf_lists_newest_first_and_prunes_only_whole_backups() {
    let workspace = Workspace::new();
    assert_eq!(backup::list(&workspace.root).expect("no folder is fine"), []);
    let at = |hour: i64| Timestamp::from_millis(NOW.as_millis() + hour * 3_600_000);
    let oldest = make_at(&workspace, "c", at(0));
    let newest = make_at(&workspace, "a", at(2));
    let middle = make_at(&workspace, "b", at(1));
    let damaged = make_at(&workspace, "d", at(-1));
    fs::write(damaged.join("extra"), "x").expect("written");
    let foreign = workspace.root.backups().join("mine");
    fs::create_dir(&foreign).expect("created");
    fs::write(foreign.join("runtime.sqlite"), "x").expect("written");

    let listed = backup::list(&workspace.root).expect("listed");
    let paths: Vec<&PathBuf> = listed.iter().map(|backup| &backup.path).collect();
    assert_eq!(paths, [&newest, &middle, &oldest, &damaged]);
    let problems: Vec<bool> = listed.iter().map(|backup| backup.problem.is_some()).collect();
    assert_eq!(problems, [false, false, false, true]);

    assert_eq!(backup::prune(&workspace.root, 5).expect("pruned"), Vec::<PathBuf>::new());
    assert_eq!(backup::prune(&workspace.root, 1).expect("pruned"), [middle, oldest]);
    assert!(newest.exists() && damaged.exists() && foreign.exists());
    assert_eq!(fs::read_dir(workspace.root.backups()).expect("listed").count(), 3);
}

#[test]
fn a_closed_database_is_not_backed_up() {
    let workspace = Workspace::new();
    wait(workspace.database.close());
    let target = workspace.root.path().join("backup");
    let refused = backup::create(&workspace.database, &target, NOW, &mut silent());
    assert!(matches!(refused, Err(BackupError::Store(_))));
    let todos = workspace.database.todos();
    assert!(wait(todos.replace(&id("s"), todo(&[]), turn())).is_err());
    assert!(!target.exists());
}
