//! The tool cases of `tests/cases/surface.json`.

use std::collections::BTreeSet;
use std::io;

use maka_core::StoreError;
use maka_core::ports::{Replaced, TodoPortError};
use serde_json::Value;

use crate::doubles::{FailingPort, MemoryPort, OtherPort, client, list, session, settled, tools};

const FILE: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/surface.json"));

/// Cases of the surfaces that show results: they wait for cards and the panel.
const WAITING: [&str; 17] = [
    "card-running",
    "card-settled",
    "card-error",
    "card-interrupted",
    "card-after-restart",
    "card-empty-args",
    "panel-first-load",
    "panel-empty",
    "panel-error-no-items",
    "panel-error-keeps-items",
    "panel-invalidation",
    "panel-invalidation-other",
    "panel-two-signals",
    "panel-switch",
    "panel-no-session",
    "panel-display-safe",
    "panel-recovered-subscription",
];

#[tokio::test]
async fn every_tool_case_holds() {
    let mut executed = BTreeSet::new();
    for id in ids() {
        match id.as_str() {
            "tool-read-empty" => read_empty().await,
            "tool-write-empty" => write_empty().await,
            "tool-write-shows-committed" => write_shows_committed().await,
            "tool-write-failure" => write_failure().await,
            "tool-lines" => lines().await,
            "tool-read-extra-arg" => read_extra_arg().await,
            "tool-write-id" => write_id().await,
            "tool-write-inner-spaces" => write_inner_spaces().await,
            _ => continue,
        }
        executed.insert(id);
    }
    let waiting: BTreeSet<String> = WAITING.map(str::to_owned).into();
    assert!(executed.is_disjoint(&waiting));
    assert_eq!(&executed | &waiting, ids().into_iter().collect());
}

fn ids() -> Vec<String> {
    let file: Value = serde_json::from_str(FILE).expect("the file is JSON");
    let cases = file.get("cases").and_then(Value::as_array).expect("it has cases");
    cases.iter().map(|case| case["id"].as_str().expect("a case has an id").to_owned()).collect()
}

async fn read_empty() {
    let outcome = settled(&tools(MemoryPort::default()), "todo_read", "{}").await;
    assert!(outcome.ok && outcome.text.contains("is empty"), "{}", outcome.text);
    let view = outcome.structured.expect("a list");
    assert!(view.items.is_empty());
}

async fn write_empty() {
    let tools = tools(MemoryPort::default());
    let written = settled(&tools, "todo_write", r#"{"todos":[]}"#).await;
    assert!(written.ok && written.text.contains("cleared"), "{}", written.text);
    let read = settled(&tools, "todo_read", "{}").await;
    assert_ne!(read.text, written.text);
}

async fn write_shows_committed() {
    let stored = list(r#"[{"content":"what is stored","status":"completed"}]"#);
    let tools = tools(OtherPort(Replaced { todo: stored, dropped_unfinished: None }));
    let sent = r#"{"todos":[{"content":"what was sent","status":"pending"}]}"#;
    let outcome = settled(&tools, "todo_write", sent).await;
    assert!(outcome.text.contains("1. [completed] \"what is stored\""), "{}", outcome.text);
    assert!(!outcome.text.contains("what was sent"), "{}", outcome.text);
    let view = outcome.structured.expect("a list");
    assert_eq!(view.items.len(), 1);
    assert_eq!(view.items[0].content, "what is stored");
}

async fn write_failure() {
    let port = FailingPort(Box::new(|| {
        let cause = Box::new(io::Error::other("disk"));
        TodoPortError::Store(StoreError::Internal { act: "write the Todo", cause })
    }));
    let sent = r#"{"todos":[{"content":"what was sent","status":"pending"}]}"#;
    let fault = tools(port)
        .call(&session(), &client(), "todo_write", sent)
        .await
        .expect_err("the store failed");
    assert!(fault.to_string().contains("nothing was saved"), "{fault}");
    assert!(!format!("{fault} {:?}", fault.hint()).contains("what was sent"));
}

async fn lines() {
    let tools = tools(MemoryPort::default());
    let sent = r#"{"todos":[{"content":"say \"hi\"","status":"completed"},{"content":"b","status":"in_progress"}]}"#;
    settled(&tools, "todo_write", sent).await;
    let read = settled(&tools, "todo_read", "{}").await;
    let lines: Vec<&str> = read.text.lines().collect();
    let [header, first, second] = lines.as_slice() else { panic!("three lines: {}", read.text) };
    assert!(header.contains("2 items"), "{header}");
    assert_eq!(*first, r#"1. [completed] "say \"hi\"""#);
    assert_eq!(*second, r#"2. [in_progress] "b""#);
}

async fn read_extra_arg() {
    let tools = tools(MemoryPort::default());
    for arguments in [r#"{"limit":1}"#, r#"{"todos":[]}"#, "[]", "1"] {
        let outcome = settled(&tools, "todo_read", arguments).await;
        assert!(!outcome.ok && outcome.structured.is_none(), "{arguments}");
    }
}

async fn write_id() {
    let tools = tools(MemoryPort::default());
    let sent = r#"{"todos":[{"id":"1","content":"a","status":"pending"}]}"#;
    let outcome = settled(&tools, "todo_write", sent).await;
    assert!(!outcome.ok && outcome.text.contains(r#"remove "id""#), "{}", outcome.text);
    let read = settled(&tools, "todo_read", "{}").await;
    assert!(read.structured.expect("a list").items.is_empty(), "nothing was saved");
}

async fn write_inner_spaces() {
    let tools = tools(MemoryPort::default());
    let content = format!("a{}b", " ".repeat(300));
    let sent = format!(r#"{{"todos":[{{"content":"{content}","status":"pending"}}]}}"#);
    let outcome = settled(&tools, "todo_write", &sent).await;
    assert_eq!(outcome.structured.expect("a list").items[0].content, "a b");
    let schema = tools.list().into_iter().map(|tool| tool.input_schema.to_string());
    assert!(schema.into_iter().all(|schema| !schema.contains("maxLength")));
}
