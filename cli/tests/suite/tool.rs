//! `maka tool`: the model door from the command line.

use serde_json::{Value, json};

use crate::world::World;

#[test]
fn tools_are_listed_and_described_without_a_host() {
    let world = World::new();
    let listed = world.json(&["tool", "list", "--json"]);
    assert_eq!(listed["schema"], "maka.tools.v1");
    let names: Vec<_> =
        listed["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
    assert_eq!(names, [json!("todo_read"), json!("todo_write")]);
    assert!(world.run(&["tool", "list"]).ok().stdout.contains("todo_write\n  "));
    assert!(!world.root().exists(), "a state root was made");
}

#[test]
fn schemas_come_in_the_form_of_each_api() {
    let world = World::new();
    let tools = |format: &str| world.json(&["tool", "schema", "--format", format]);
    let (mcp, openai, anthropic) = (tools("mcp"), tools("openai"), tools("anthropic"));
    assert_eq!(world.json(&["tool", "schema"]), mcp);
    let input = &mcp[1]["inputSchema"];
    assert_eq!(input["required"], json!(["todos"]));
    assert_eq!(mcp[1]["annotations"]["destructiveHint"], true);
    assert_eq!(mcp[0]["annotations"]["readOnlyHint"], true);
    assert_eq!(mcp[0]["outputSchema"]["type"], "object");
    assert_eq!(openai[1]["type"], "function");
    assert_eq!(&openai[1]["function"]["parameters"], input);
    assert_eq!(&anthropic[1]["input_schema"], input);
    assert_eq!(anthropic[1]["name"], openai[1]["function"]["name"]);
}

#[test]
fn a_call_prints_the_text_or_the_json() {
    let world = World::new();
    let id = world.session("s");
    let todos = json!([{"content": "a", "status": "pending"}]);
    let input = json!({ "todos": todos }).to_string();
    let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-", "--json"];
    let settled = world.run_with(&args, input.as_bytes()).ok().json();
    assert_eq!(settled["schema"], "maka.tool.v1");
    assert_eq!(settled["ok"], true);
    assert_eq!(
        settled["structured"],
        json!({
            "schema": "maka.todo.v1",
            "sessionId": id,
            "items": todos,
            "counts": {"pending": 1, "in_progress": 0, "completed": 0},
        })
    );
    let text = world.run(&["tool", "call", "todo_read", "--session", "s"]).ok().stdout;
    assert!(text.contains("1. [pending] \"a\""), "{text}");
}

#[test]
fn input_comes_from_a_file_over_several_lines_too() {
    let world = World::new();
    world.session("s");
    let file = world.path("list.json");
    std::fs::write(
        &file,
        "{\r\n  \"todos\": [\n    {\"content\": \"a\\nb\", \"status\": \"pending\"}\n  ]\n}\n",
    )
    .unwrap();
    let args = ["tool", "call", "todo_write", "--session", "s", "--input", file.to_str().unwrap()];
    world.run(&args).ok();
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"][0]["content"], "a b");
    world
        .run(&["tool", "call", "todo_write", "--session", "s", "--input", "/nowhere.json"])
        .fails(3, "/nowhere.json");
}

#[test]
fn input_that_is_nothing_or_no_json_is_refused_with_the_shape() {
    let world = World::new();
    world.session("s");
    let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-"];
    for (input, why) in [("", "is empty"), (" \n", "is empty"), ("{\n]", "line 2, column 1")] {
        world.run_with(&args, input.as_bytes()).fails(1, why).hints("{\"todos\":[]}");
    }
}

#[test]
fn a_tool_that_says_no_is_exit_1_and_prints_what_the_model_reads() {
    let world = World::new();
    world.session("s");
    let args = ["tool", "call", "todo_write", "--session", "s", "--json"];
    let ran = world.run(&args);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let settled = ran.json();
    assert_eq!((&settled["ok"], &settled["structured"]), (&json!(false), &Value::Null));
    for name in [
        "task_create",
        "task_update",
        "task_list",
        "task_get",
        "TaskCreate",
        "TaskUpdate",
        "TaskList",
        "TaskGet",
    ] {
        let ran = world.run(&["tool", "call", name, "--session", "s"]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stdout.contains("removed") && ran.stdout.contains("use todo_"), "{ran:?}");
    }
    let ran = world.run(&["tool", "call", "rm", "--session", "s"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("no such tool"), "{ran:?}");
}

#[test]
fn the_largest_list_passes_and_reads_back() {
    let world = World::new();
    world.session("s");
    // U+0001 takes six bytes of JSON for one code point: 247,611 bytes in all.
    let item = json!({"content": "\u{1}".repeat(200), "status": "in_progress"});
    let todos = Value::Array(vec![item; 200]);
    world.write("s", &todos).ok();
    let shown = world.json(&["todo", "show", "s", "--json"]);
    assert_eq!(shown["counts"]["in_progress"], 200);
}
