//! A server outlives its Host.

use std::time::Duration;

use serde_json::json;

use super::agent::Agent;
use crate::world::{World, kill};

#[test]
fn after_a_kill_the_same_server_reads_the_same_list_from_a_new_host() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    let todos = json!([{ "content": "stay", "status": "pending" }]);
    agent.write(&todos);
    let before = world.host_pid().unwrap();
    kill(before);
    assert_eq!(agent.read(), todos);
    assert_ne!(world.host_pid(), Some(before));

    kill(world.host_pid().unwrap());
    let next = json!([{ "content": "go on", "status": "pending" }]);
    assert_eq!(agent.write(&next)["isError"], false);
    kill(world.host_pid().unwrap());
    let uri = agent.uri();
    let reply = agent.request("resources/read", &json!({ "uri": uri }));
    let text = reply["result"]["contents"][0]["text"].as_str().unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(text).unwrap()["items"], next);
}

#[test]
fn an_idle_server_does_not_undo_a_stop_and_a_call_starts_a_host_again() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    let uri = agent.uri();
    agent.request("resources/subscribe", &json!({ "uri": uri }));
    agent.read();
    world.run(&["host", "stop"]).ok();
    // A server that started a Host by itself would do so at once.
    assert_eq!(agent.message(Duration::from_millis(1500)), None);
    assert_eq!(world.host_pid(), None);
    assert_eq!(agent.read(), json!([]));
    assert!(world.host_pid().is_some());
}

#[test]
fn a_host_that_cannot_start_is_said_to_the_model_with_what_helps() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    agent.read();
    world.run(&["host", "stop"]).ok();
    for beside in ["-wal", "-shm"] {
        let _ = std::fs::remove_file(world.root().join(format!("runtime.sqlite{beside}")));
    }
    let old = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces/v9-rich.sqlite");
    std::fs::copy(old, world.root().join("runtime.sqlite")).unwrap();
    let result = agent.call("todo_read", "{}");
    assert_eq!(result["isError"], true);
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("maka upgrade"), "{text}");
}
