//! Which Session a server serves.

use serde_json::json;

use super::agent::Agent;
use crate::world::World;

#[test]
fn the_folders_name_is_made_once_and_found_again_and_said() {
    let world = World::new();
    let folder = world.path("").file_name().unwrap().to_str().unwrap().to_owned();
    let mut first = Agent::start(&world, &[]);
    let session = first.session();
    let (status, _, stderr) = first.end();
    assert!(status.success());
    assert!(stderr.contains(&session) && stderr.contains(&folder), "{stderr}");
    assert!(stderr.contains("made now"), "{stderr}");

    let mut second = Agent::start(&world, &[]);
    assert_eq!(second.session(), session);
    let (_, _, stderr) = second.end();
    assert!(stderr.contains("(found)"), "{stderr}");
}

#[test]
fn a_name_an_id_and_new_bind_as_they_say() {
    let world = World::new();
    let one = world.session("one");
    world.session("two");
    let serves = |args: &[&str]| Agent::start(&world, args).session();
    assert_eq!(serves(&["--session-name", "one"]), one);
    assert_eq!(serves(&["--session", &one]), one);
    assert_eq!(serves(&["--session", "one"]), one);
    let new = serves(&["--new", "--session-name", "one"]);
    assert_ne!(new, one);
    assert_eq!(serves(&["--session-name", "one"]), new, "the newest of the name");
    assert_eq!(serves(&["--session", "@last"]), new);
}

#[test]
fn servers_that_start_together_under_one_name_serve_one_session() {
    let world = World::new();
    let names = std::thread::scope(|scope| {
        let serve = || Agent::start(&world, &["--session-name", "shared"]).session();
        let servers: Vec<_> = (0..4).map(|_| scope.spawn(serve)).collect();
        servers.into_iter().map(|server| server.join().unwrap()).collect::<Vec<_>>()
    });
    assert!(names.iter().all(|name| *name == names[0]), "{names:?}");
    assert_eq!(world.json(&["session", "list", "--json"])["sessions"].as_array().unwrap().len(), 1);
}

#[test]
fn what_cannot_be_served_ends_the_server_before_it_speaks() {
    let world = World::new();
    let ran = world.run(&["mcp", "--session", "nobody"]).fails(3, "nobody");
    assert_eq!(ran.stdout, "");
    world.session("twice");
    world.session("twice");
    world.run(&["mcp", "--session", "twice"]).fails(1, "twice");
    world.run(&["mcp", "--session-name", " "]).fails(1, "name");
    let ran = world.run(&["mcp", "--session", "a", "--new"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn an_old_workspace_is_not_served_and_the_command_to_run_is_named() {
    let world = World::of_workspace("v9-rich.sqlite");
    let ran = world.run(&["mcp"]).fails(5, "");
    assert!(ran.stderr.contains("maka upgrade"), "{ran:?}");
    assert_eq!(ran.stdout, "");
}

#[test]
fn the_transcripts_turn_and_the_list_are_seen_by_the_other_commands() {
    let world = World::new();
    let mut agent = Agent::start(&world, &["--session-name", "seen"]);
    let todos = json!([{ "content": "look", "status": "in_progress" }]);
    assert_eq!(agent.write(&todos)["isError"], false);
    let shown = world.json(&["todo", "show", "seen", "--json"]);
    assert_eq!(shown["items"], todos);
    assert_eq!(shown["sessionId"], agent.session());
}
