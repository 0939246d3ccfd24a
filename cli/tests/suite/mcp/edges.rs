//! What no well-behaved client sends, as far as the Host.

use serde_json::{Value, json};

use super::agent::Agent;
use crate::world::World;

fn three() -> Value {
    json!([
        { "content": "one", "status": "completed" },
        { "content": "two", "status": "in_progress" },
        { "content": "three", "status": "pending" },
    ])
}

#[track_caller]
fn mendable(result: &Value, says: &str) {
    assert_eq!(result["isError"], true, "{result}");
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains(says), "{says:?} is missing: {text}");
}

#[test]
fn wrong_arguments_of_every_kind_are_results_that_say_what_to_change() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    agent.write(&three());
    let deep = format!("{}{}", "[".repeat(2000), "]".repeat(2000));
    for (arguments, says) in [
        (r#"{"todos":[{"content":"a\ud800b","status":"pending"}]}"#, "surrogate"),
        (r#"{"todos":[{"content":"\udc00","status":"pending"}]}"#, "surrogate"),
        (r#"{"todos":"[]"}"#, "array"),
        (r#"{"todos":{"content":"a","status":"pending"}}"#, "array"),
        (r#"{"todos":null}"#, "array"),
        (r#"{}"#, "todos"),
        (r#"{"todos":[],"merge":true}"#, "only argument"),
        ("[]", "object"),
        (r#""text""#, "object"),
        ("7", "object"),
        (r#"{"todos":[{"content":"a","status":"done"}]}"#, "completed"),
        (&format!(r#"{{"todos":{deep}}}"#), ""),
    ] {
        mendable(&agent.call("todo_write", arguments), says);
    }
    mendable(&agent.call("TaskCreate", "{}"), "todo_write");
    mendable(&agent.call("task_list", "{}"), "todo_read");
    mendable(&agent.call("rm_rf", "{}"), "todo_read");
    assert_eq!(agent.read(), three());
}

#[test]
fn the_largest_list_passes_in_its_longest_spelling() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    let item = format!(r#"{{"content":"{}","status":"in_progress"}}"#, r"\ud840\udc00".repeat(200));
    let todos = vec![item; 200].join(",");
    let result = agent.call("todo_write", &format!(r#"{{"todos":[{todos}]}}"#));
    assert_eq!(result["isError"], false, "{}", result["content"][0]["text"]);
    let items = agent.read();
    assert_eq!(items.as_array().unwrap().len(), 200);
    let content = json!("\u{20000}".repeat(200));
    assert!(items.as_array().unwrap().iter().all(|item| item["content"] == content));
}

#[test]
fn arguments_over_a_frame_are_refused_and_the_connection_lives() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    agent.write(&three());
    let huge = format!(r#"{{"todos":[{{"content":"{}"}}]}}"#, "x".repeat(900_000));
    mendable(&agent.call("todo_write", &huge), "too large");
    assert_eq!(agent.read(), three());
}

#[test]
fn hostile_lines_do_not_end_the_server() {
    let world = World::new();
    let mut agent = Agent::start(&world, &[]);
    for line in [&b"{"[..], b"[]", b"nonsense", b"\xff\xfe\x00", b"{\"id\":1,\"id\":2}"] {
        agent.line(line);
        let answer = agent.message(std::time::Duration::from_secs(10)).unwrap();
        assert!(answer["error"]["code"].is_i64(), "{answer}");
    }
    agent.line(&vec![b'x'; 9 * 1024 * 1024]);
    assert!(agent.message(std::time::Duration::from_secs(20)).unwrap()["error"].is_object());
    assert_eq!(agent.read(), json!([]));
}

#[test]
fn a_write_before_the_end_of_the_input_is_saved_and_answered() {
    let world = World::new();
    let mut agent = Agent::start(&world, &["--session-name", "end"]);
    let id = agent.begin(
        "tools/call",
        &json!({ "name": "todo_write",
        "arguments": { "todos": three() } })
        .to_string(),
    );
    agent.half_line(b"{\"jsonrpc\":\"2.0\",\"id\":77,\"met");
    let (status, left, stderr) = agent.end();
    assert_eq!(status.code(), Some(0));
    assert!(left.iter().any(|message| message["id"] == id), "{left:?}");
    assert_eq!(world.json(&["todo", "show", "end", "--json"])["items"], three());
    assert!(!stderr.contains("three"), "{stderr}");
}

#[test]
fn an_input_that_ends_before_a_word_ends_the_server_in_order() {
    let world = World::new();
    let (status, left, stderr) = Agent::silent(&world, &[]).end();
    assert_eq!(status.code(), Some(0), "{stderr}");
    assert!(left.is_empty());
}
