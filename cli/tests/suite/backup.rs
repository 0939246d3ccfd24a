//! `maka backup`.

use serde_json::json;

use crate::world::World;

fn todos() -> serde_json::Value {
    json!([{"content": "keep me", "status": "in_progress"}])
}

#[test]
fn a_backup_is_made_under_a_serving_host_verified_and_restored() {
    let world = World::new();
    world.session("s");
    world.write("s", &todos()).ok();
    let made = world.json(&["backup", "create", "b", "--json"]);
    assert_eq!(made["schema"], "maka.backup.v1");
    assert_eq!(made["path"], json!(world.path("b")));
    assert_eq!(made["sha256"].as_str().unwrap().len(), 64);
    assert!(world.path("b").join("operational-backup.json").is_file());
    let verified = world.json(&["backup", "verify", "b", "--json"]);
    assert_eq!((&verified["sha256"], &verified["bytes"]), (&made["sha256"], &made["bytes"]));
    assert!(world.run(&["backup", "verify", "b"]).ok().stdout.contains("is sound"));

    world.write("s", &json!([])).ok();
    let restored = world.json(&["backup", "restore", "b", "r2", "--json"]);
    assert_eq!(restored["schema"], "maka.restore.v1");
    let other = World::new().with_root(world.path("r2"));
    assert_eq!(other.json(&["todo", "show", "s", "--json"])["items"], todos());
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"], json!([]));
}

#[test]
fn a_backup_never_overwrites_and_never_goes_into_the_dark() {
    let world = World::new();
    world.run(&["backup", "create", "b"]).fails(3, "no workspace");
    world.session("s");
    world.run(&["backup", "create", "b"]).ok();
    world.run(&["backup", "create", "b"]).fails(1, "b");
    world.run(&["backup", "restore", "b", "r"]).fails(1, "r");
    assert_eq!(world.json(&["session", "list", "--json"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn a_changed_backup_is_found_and_not_restored() {
    let world = World::new();
    world.session("s");
    world.run(&["backup", "create", "b"]).ok();
    let file = world.path("b").join("runtime.sqlite");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[60] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    world.run(&["backup", "verify", "b"]).fails(1, "");
    world.run(&["backup", "restore", "b", "r2"]).fails(1, "");
    assert!(!world.path("r2").exists());
}

#[test]
fn what_is_not_there_is_not_found() {
    let world = World::new();
    world.run(&["backup", "verify", "nowhere"]).fails(3, "nowhere");
    world.run(&["backup", "restore", "nowhere", "r2"]).fails(3, "nowhere");
    world.session("s");
    world.run(&["backup", "create", "no/such/b"]).fails(3, "no/such").hints("mkdir -p");
    world.run(&["backup", "create", "b"]).ok();
    world.run(&["backup", "restore", "b", "no/such/r"]).fails(3, "no/such").hints("mkdir -p");
    assert!(!world.path("no").exists());
}

#[test]
fn a_file_is_no_backup() {
    let world = World::new();
    let file = world.path("file");
    std::fs::write(&file, "x").unwrap();
    let file = file.to_str().unwrap();
    world
        .run(&["backup", "verify", file])
        .fails(1, "is not a folder")
        .hints("operational-backup.json");
    world.run(&["backup", "restore", file, "r2"]).fails(1, "is not a folder");
}

#[test]
fn the_state_roots_own_backups_are_listed_and_pruned() {
    let world = World::new();
    assert_eq!(world.json(&["backup", "list", "--json"])["backups"], json!([]));
    world.session("s");
    std::fs::create_dir(world.root().join("backups")).unwrap();
    for name in ["one", "two", "three"] {
        let dir = world.root().join("backups").join(name);
        world.run(&["backup", "create", dir.to_str().unwrap()]).ok();
    }
    let listed = world.json(&["backup", "list", "--json"]);
    assert_eq!(listed["schema"], "maka.backups.v1");
    assert_eq!(listed["backups"].as_array().unwrap().len(), 3);
    let text = world.run(&["backup", "list"]).ok().stdout;
    assert!(text.contains("one") && text.contains("three"), "{text}");
    let pruned = world.json(&["backup", "prune", "--keep", "1", "--json"]);
    assert_eq!(pruned["removed"].as_array().unwrap().len(), 2);
    let left = world.json(&["backup", "list", "--json"]);
    assert!(left["backups"][0]["path"].as_str().unwrap().ends_with("three"), "{left}");
}
