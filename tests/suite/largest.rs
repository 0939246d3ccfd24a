//! The largest lists pass through every way of reading and writing.

use maka_core::session_todo::{MAX_CODE_POINTS, MAX_ITEMS};
use maka_host_protocol::ToolCallResult;
use maka_tests::host_process::HostProcess;
use maka_tests::program::maka_command;
use maka_tests::scratch::Scratch;
use serde_json::{Value, json};

/// A list as large as the bounds allow, of one character that is costly in its own way.
fn largest(character: char) -> Value {
    let content: String = std::iter::repeat_n(character, MAX_CODE_POINTS).collect();
    let item = json!({"content": content, "status": "in_progress"});
    json!({ "todos": vec![item; MAX_ITEMS] })
}

#[test]
fn the_largest_lists_pass_through_query_and_tool_call() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("large").unwrap();
    let mut model = host.model(&session).unwrap();
    let mut viewer = host.viewer().unwrap();
    // Six bytes each in the stored JSON; four bytes each in UTF-8; four each in a JSON string that
    // stands in a JSON string; three that look like one column each.
    for character in ['\u{1}', '😀', '\\', '一'] {
        let list = largest(character);
        let written = model.write_list(&list.to_string()).unwrap();
        let read = model.tool("todo_read", "{}").unwrap().unwrap();
        for settled in [&written, &read] {
            assert_eq!(shown_items(settled), MAX_ITEMS, "{character:?}");
        }
        let queried = viewer.query_list(&session).unwrap();
        assert_eq!(serde_json::to_value(&queried.items).unwrap(), list["todos"], "{character:?}");
    }
}

fn shown_items(settled: &ToolCallResult) -> usize {
    assert!(settled.ok, "{}", settled.text);
    assert!(settled.text.contains("200. ") || settled.text.contains("200."), "{}", settled.text);
    settled.structured.as_ref().unwrap().items.len()
}

#[test]
fn the_largest_list_passes_through_the_command() {
    let scratch = Scratch::new().unwrap();
    let root = scratch.root();
    let host = HostProcess::start(&root).unwrap();
    host.client().unwrap().new_session("large").unwrap();
    let input = scratch.folder().join("list.json");
    std::fs::write(&input, largest('一').to_string()).unwrap();
    let call = ["tool", "call", "todo_write", "--session", "@last", "--json", "--input"];
    let output = maka_command(&root).unwrap().args(call).arg(&input).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let output =
        maka_command(&root).unwrap().args(["todo", "show", "@last", "--json"]).output().unwrap();
    let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(shown["items"], largest('一')["todos"]);
    assert_eq!(shown["counts"]["in_progress"], MAX_ITEMS);
}
