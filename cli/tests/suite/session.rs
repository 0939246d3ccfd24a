//! `maka session`, and how a Session is named on the command line.

use serde_json::json;

use crate::world::World;

#[test]
fn a_new_session_has_the_shape_and_is_listed_and_shown() {
    let world = World::new();
    let made = world.json(&["session", "new", "--name", "fix  login ", "--json"]);
    assert_eq!(made["schema"], "maka.session.v1");
    assert_eq!(made["name"], "fix login");
    assert_eq!(made["archived"], false);
    let created = made["createdAt"].as_str().unwrap();
    assert!(
        created.starts_with("20") && created.ends_with('Z') && created.len() == 24,
        "{created}"
    );

    let listed = world.json(&["session", "list", "--json"]);
    assert_eq!(listed["schema"], "maka.sessions.v1");
    let entry = &listed["sessions"][0];
    for member in ["sessionId", "name", "archived", "createdAt"] {
        assert_eq!(entry[member], made[member], "{member}");
    }
    let id = made["sessionId"].as_str().unwrap();
    assert_eq!(world.json(&["session", "show", id, "--json"]), made);
    let text = world.run(&["session", "show", id]).ok().stdout;
    assert!(text.contains("fix login") && text.contains(id), "{text}");
    let text = world.run(&["session", "list"]).ok().stdout;
    assert!(text.contains("fix login") && text.contains(id) && text.contains("open"), "{text}");
}

#[test]
fn a_session_without_a_name_takes_the_folders() {
    let world = World::new();
    let made = world.json(&["session", "new", "--json"]);
    let folder = world.path("").file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(made["name"], json!(folder));
}

#[test]
fn an_empty_root_lists_no_session() {
    let world = World::new();
    assert_eq!(world.json(&["session", "list", "--json"])["sessions"], json!([]));
    let text = world.run(&["session", "list"]).ok().stdout;
    assert!(text.contains("maka session new"), "{text}");
}

#[test]
fn a_session_is_found_by_id_start_name_and_last() {
    let world = World::new();
    let first = world.session("first");
    let second = world.session("second");
    let found = |given: &str| {
        world.json(&["session", "show", given, "--json"])["sessionId"].as_str().unwrap().to_owned()
    };
    assert_eq!(found(&first), first);
    assert_eq!(found("first"), first);
    assert_eq!(found("@last"), second);
    let shared = first.chars().zip(second.chars()).take_while(|(a, b)| a == b).count();
    let start: String = first.chars().take(shared + 1).collect();
    assert_eq!(found(&start), first);

    let start: String = first.chars().take(shared).collect();
    let ran = world.run(&["session", "show", &start]).fails(1, "2 Sessions begin with");
    assert!(ran.stderr.contains(&first) && ran.stderr.contains(&second), "{ran:?}");
}

#[test]
fn two_sessions_of_one_name_are_told_apart_by_the_person() {
    let world = World::new();
    let (one, two) = (world.session("same"), world.session("same"));
    let ran = world.run(&["todo", "show", "same"]).fails(1, "2 Sessions are named").hints("id");
    assert!(ran.stderr.contains(&one) && ran.stderr.contains(&two), "{ran:?}");
}

#[test]
fn what_is_not_there_is_not_found() {
    let world = World::new();
    world.run(&["session", "show", "@last"]).fails(3, "no unarchived Session").hints("session new");
    world.session("here");
    for given in ["nowhere", "", "ffffffff", "not an id"] {
        world.run(&["session", "show", given]).fails(3, "there is no Session").hints("list");
        world.run(&["todo", "watch", given]).fails(3, "there is no Session");
        world.run(&["session", "rename", given, "x"]).fails(3, "there is no Session");
        let args = ["tool", "call", "todo_read", "--session", given];
        world.run(&args).fails(3, "there is no Session");
    }
}

#[test]
fn rename_gives_another_name_and_refuses_a_bad_one() {
    let world = World::new();
    let id = world.session("before");
    let renamed = world.json(&["session", "rename", "before", "after", "--json"]);
    assert_eq!((&renamed["sessionId"], &renamed["name"]), (&json!(id), &json!("after")));
    world.run(&["session", "rename", "after", "  "]).fails(1, "empty");
    world.run(&["session", "rename", "after", &"x".repeat(201)]).fails(1, "200");
    world.run(&["session", "new", "--name", ""]).fails(1, "empty");
    assert_eq!(world.json(&["session", "show", &id, "--json"])["name"], "after");
}

#[test]
fn a_hostile_name_does_not_reach_the_terminal() {
    let world = World::new();
    world.session("a\u{1b}[2Jb\u{202e}c");
    for args in
        [&["session", "list"][..], &["session", "show", "@last"], &["session", "list", "--json"]]
    {
        let text = world.run(args).ok().stdout;
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert!(!text.contains("\\u001b"), "{text:?}");
    }
}
