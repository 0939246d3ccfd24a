//! A workspace of the older program: refused by everything but `upgrade` and `backup`.

use serde_json::json;

use crate::world::{Ran, World};

const OLD: &str = "v9-rich.sqlite";

#[test]
fn every_command_on_the_workspace_refuses_with_5_and_names_the_upgrade() {
    let world = World::of_workspace(OLD);
    let before = std::fs::read(world.root().join("runtime.sqlite")).unwrap();
    for args in [
        &["host", "run"][..],
        &["host", "start"],
        &["host", "status"],
        &["host", "stop"],
        &["session", "new"],
        &["session", "list"],
        &["session", "show", "@last"],
        &["session", "rename", "a", "b"],
        &["todo", "show", "@last"],
        &["todo", "watch", "@last"],
        &["todo", "list", "--open"],
        &["tool", "call", "todo_read", "--session", "@last"],
        &["mcp"],
    ] {
        let ran = world.run(args).fails(5, "upgrade").hints("maka upgrade --plan");
        assert!(ran.stderr.contains("`maka upgrade`"), "{args:?}: {ran:?}");
    }
    let after = std::fs::read(world.root().join("runtime.sqlite")).unwrap();
    assert!(before == after, "the database changed");
}

#[test]
fn the_plan_tells_and_changes_nothing() {
    let world = World::of_workspace(OLD);
    let file = world.root().join("runtime.sqlite");
    let before = std::fs::read(&file).unwrap();
    let plan = world.json(&["upgrade", "--plan", "--json"]);
    assert_eq!(plan["schema"], "maka.upgrade-plan.v1");
    assert_eq!(
        (&plan["needed"], &plan["from"], &plan["to"]),
        (&json!(true), &json!(9), &json!(12))
    );
    assert_eq!(plan["ledgerEvents"], 375);
    assert_eq!(plan["ledgerSessions"], 12);
    assert_eq!(plan["sessions"], 13);
    let text = world.run(&["upgrade", "--plan"]).ok().stdout;
    for says in ["375", "backup", "older program", "maka upgrade", "backup restore"] {
        assert!(text.contains(says), "{says:?} is missing: {text}");
    }
    assert!(std::fs::read(&file).unwrap() == before, "the database changed");
    let entries: Vec<_> = std::fs::read_dir(world.root())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "host.lock")
        .collect();
    assert_eq!(entries, ["runtime.sqlite"]);
}

#[test]
fn the_upgrade_reports_and_the_workspace_serves() {
    let world = World::of_workspace(OLD);
    let report = world.json(&["upgrade", "--json"]);
    assert_eq!(report["schema"], "maka.upgrade.v1");
    assert_eq!((&report["from"], &report["to"]), (&json!(9), &json!(12)));
    assert_eq!(report["ledgerEvents"], 375);
    assert_eq!(report["sessions"], 13);
    let backup = report["backup"].as_str().unwrap();
    world.run(&["backup", "verify", backup]).ok();
    assert_eq!(
        world.json(&["session", "list", "--json"])["sessions"].as_array().unwrap().len(),
        13
    );
    assert_eq!(world.json(&["todo", "show", "@last", "--json"])["items"], json!([]));

    world.run(&["host", "stop"]).ok();
    let again = world.json(&["upgrade", "--json"]);
    assert_eq!(again["upgraded"], false);
    assert_eq!(world.json(&["upgrade", "--plan", "--json"])["needed"], false);
    assert!(world.run(&["upgrade"]).ok().stdout.contains("nothing to upgrade"));
}

#[test]
fn the_text_says_what_is_gone_where_the_backup_is_and_how_to_go_back() {
    let world = World::of_workspace(OLD);
    let text = world.run(&["upgrade"]).ok().stdout;
    for says in ["375", "backups", "older program", "maka backup restore", "after the upgrade"] {
        assert!(text.contains(says), "{says:?} is missing: {text}");
    }
}

#[test]
fn an_upgrade_under_a_running_host_is_refused() {
    let world = World::new();
    world.run(&["host", "start"]).ok();
    world.run(&["upgrade"]).fails(1, "Host").hints("maka host stop");
}

#[test]
fn a_host_that_a_person_runs_upgrades_with_consent() {
    let world = World::of_workspace(OLD);
    let mut child = world
        .command(&["host", "run", "--upgrade", "--spawned"])
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(said, "{\"ready\":true}\n");
    assert_eq!(
        world.json(&["session", "list", "--json"])["sessions"].as_array().unwrap().len(),
        13
    );
    world.run(&["host", "stop"]).ok();
    assert!(child.wait().unwrap().success());
}

#[test]
fn an_upgrade_that_fails_leaves_the_workspace_as_it_was() {
    let world = World::of_workspace(OLD);
    let mut command = world.command(&["upgrade"]);
    command.env("MAKA_TEST_FAULT", "upgrade.sessions_adopted=fail");
    Ran::of(command.output().unwrap()).fails(1, "upgrade.sessions_adopted");
    assert_eq!(world.json(&["upgrade", "--plan", "--json"])["from"], 9);
    assert_eq!(world.json(&["upgrade", "--json"])["sessions"], 13);
}

#[test]
fn a_backup_of_an_old_workspace_is_made_without_a_host() {
    let world = World::of_workspace(OLD);
    let made = world.json(&["backup", "create", "b", "--json"]);
    assert_eq!(made["schema"], "maka.backup.v1");
    assert_eq!(made["path"], json!(world.path("b")));
    world.run(&["backup", "verify", "b"]).ok();
    assert_eq!(world.json(&["upgrade", "--plan", "--json"])["from"], 9);
}

#[test]
fn a_root_without_a_workspace_has_nothing_to_upgrade() {
    let world = World::new();
    world.run(&["upgrade"]).fails(3, "no workspace");
    world.run(&["upgrade", "--plan"]).fails(3, "no workspace");
    assert!(!world.root().exists());
}
