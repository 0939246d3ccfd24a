//! Calls that are wrong, and what they are answered.

use maka_core::ports::SessionTodoPort;
use serde_json::{Value, json};

use crate::doubles::{MemoryPort, client, session, settled, tools};

/// Wrong arguments of `todo_write`, as models send them. Each holds the word "s3cr3t" where the
/// list's content may stand.
fn wrong() -> Vec<(&'static str, String)> {
    let item = json!({ "content": "s3cr3t", "status": "pending" });
    let with = |change: Value| {
        let mut item = item.clone();
        for (name, value) in change.as_object().expect("an object") {
            item[name] = value.clone();
        }
        json!({ "todos": [item] }).to_string()
    };
    let text = json!([item]).to_string();
    vec![
        ("no JSON", "{\"todos\": [s3cr3t]}".to_owned()),
        ("cut short", "{\"todos\": [{\"content\": \"s3cr3t".to_owned()),
        ("arguments as a string", json!(json!({ "todos": [item] }).to_string()).to_string()),
        ("the list itself", text.clone()),
        ("a single item", item.to_string()),
        ("a number", "7".to_owned()),
        ("nothing", "{}".to_owned()),
        ("null", "null".to_owned()),
        ("no text at all", String::new()),
        ("items", json!({ "items": [item] }).to_string()),
        ("tasks", json!({ "tasks": [item] }).to_string()),
        ("something else", json!({ "s3cr3t": [item] }).to_string()),
        ("something beside", json!({ "todos": [item], "merge": true }).to_string()),
        ("the list as a string", json!({ "todos": text }).to_string()),
        ("the list as an object", json!({ "todos": item }).to_string()),
        ("no list", json!({ "todos": null }).to_string()),
        ("an item as a string", json!({ "todos": [item, "s3cr3t"] }).to_string()),
        ("id", with(json!({ "id": "1" }))),
        ("priority and activeForm", with(json!({ "priority": "high", "activeForm": "s3cr3t" }))),
        ("no status", json!({ "todos": [{ "content": "s3cr3t" }] }).to_string()),
        ("done", with(json!({ "status": "done" }))),
        ("PENDING", with(json!({ "status": "PENDING" }))),
        ("a strange status", with(json!({ "status": "s3cr3t" }))),
        ("no content", with(json!({ "content": " \u{feff} " }))),
        ("201 code points", with(json!({ "content": "é".repeat(201) }))),
        ("201 items", json!({ "todos": vec![item.clone(); 201] }).to_string()),
        (
            "an unpaired surrogate",
            r#"{"todos":[{"content":"s3cr3t \ud83d","status":"pending"}]}"#.to_owned(),
        ),
    ]
}

#[tokio::test]
async fn a_wrong_write_is_told_what_to_change_and_saves_nothing() {
    let port = MemoryPort::default();
    let kept = crate::doubles::list(r#"[{"content":"kept","status":"pending"}]"#);
    port.write(&session(), kept, &client()).await.expect("the port does not fail");
    let tools = tools(port);
    let mut answers = String::new();
    for (what, arguments) in wrong() {
        let outcome = settled(&tools, "todo_write", &arguments).await;
        assert!(!outcome.ok && outcome.structured.is_none(), "{what}: {outcome:?}");
        assert!(!outcome.text.contains("s3cr3t"), "{what}: {}", outcome.text);
        answers.push_str(&format!("{what}: {}\n", outcome.text));
        let read = settled(&tools, "todo_read", "").await;
        assert_eq!(read.structured.expect("a list").items[0].content, "kept", "{what}");
    }
    insta::assert_snapshot!(answers);
}

#[tokio::test]
async fn a_wrong_read_is_told_what_to_change() {
    let tools = tools(MemoryPort::default());
    let mut answers = String::new();
    for arguments in [r#"{"limit":1}"#, "\"{}\"", "[]", "true", "{"] {
        let outcome = settled(&tools, "todo_read", arguments).await;
        assert!(!outcome.ok && outcome.structured.is_none(), "{arguments}");
        answers.push_str(&format!("{arguments}: {}\n", outcome.text));
    }
    insta::assert_snapshot!(answers);
    for arguments in ["", " \n", "{}", " { } ", "null"] {
        assert!(settled(&tools, "todo_read", arguments).await.ok, "{arguments:?}");
    }
}

#[tokio::test]
async fn removed_and_unknown_tools_are_told_apart() {
    let tools = tools(MemoryPort::default());
    let mut answers = String::new();
    for name in [
        "task_create",
        "task_update",
        "task_list",
        "task_get",
        "TaskCreate",
        "TaskUpdate",
        "TaskList",
        "TaskGet",
        "TodoWrite",
        "todo_write ",
        "",
        "s3cr3t",
    ] {
        let outcome = settled(&tools, name, "{}").await;
        assert!(!outcome.ok && outcome.structured.is_none(), "{name}");
        answers.push_str(&format!("{name:?}: {}\n", outcome.text));
    }
    assert_eq!(answers.matches("s3cr3t").count(), 1, "only as this test's own label");
    insta::assert_snapshot!(answers);
}
