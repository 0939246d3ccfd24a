//! Word of changes.

use std::time::Duration;

use serde_json::{Value, json};

use super::agent::Agent;
use crate::world::{World, kill};

fn list(content: &str) -> Value {
    json!([{ "content": content, "status": "pending" }])
}

fn subscribed(world: &World) -> (Agent, String) {
    let mut agent = Agent::start(world, &["--session-name", "shared"]);
    let uri = agent.uri();
    agent.request("resources/subscribe", &json!({ "uri": uri }));
    (agent, uri)
}

#[track_caller]
fn hears_once(agent: &mut Agent, uri: &str) {
    let heard = agent.message(Duration::from_secs(1)).unwrap();
    assert_eq!(heard["method"], "notifications/resources/updated");
    assert_eq!(heard["params"], json!({ "uri": uri }), "identity only");
    assert_eq!(agent.message(Duration::from_millis(300)), None, "heard twice");
}

#[test]
fn a_write_by_another_server_and_by_a_command_is_heard_once_each() {
    let world = World::new();
    let (mut agent, uri) = subscribed(&world);
    let mut other = Agent::start(&world, &["--session-name", "shared"]);
    other.write(&list("from the other server"));
    hears_once(&mut agent, &uri);
    world.write("shared", &list("from a command")).ok();
    hears_once(&mut agent, &uri);
    other.read();
    world.session("another");
    world.write("another", &list("elsewhere")).ok();
    assert_eq!(agent.message(Duration::from_millis(300)), None, "a read or another Session");
    assert_eq!(agent.read(), list("from a command"));
}

#[test]
fn a_recovered_subscription_says_so_once_and_hears_again() {
    let world = World::new();
    let (mut agent, uri) = subscribed(&world);
    kill(world.host_pid().unwrap());
    // Any command brings a Host back; this one writes before the server has found it.
    world.write("shared", &list("while nobody listened")).ok();
    let heard = agent.message(Duration::from_secs(3)).expect("no word of the recovery");
    assert_eq!(heard["params"]["uri"], uri);
    assert_eq!(agent.read(), list("while nobody listened"));
    while agent.message(Duration::from_millis(300)).is_some() {}
    agent.notified.clear();
    world.write("shared", &list("afterwards")).ok();
    hears_once(&mut agent, &uri);
}
