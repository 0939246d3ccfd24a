//! The contract's bounds keep the largest list below the frame: no operation needs paging for it.

use maka_core::SessionId;
use maka_core::session_todo::{MAX_CODE_POINTS, MAX_ITEMS, SessionTodo, TodoView};
use maka_host_protocol::{
    MAX_FRAME_BYTES, Operation, Reply, RequestId, SessionTodoQueryResult, ToolCallResult, WireTodo,
    encode_frame,
};
use serde::Serialize;
use serde_json::json;
use serde_json::value::to_raw_value;

/// The contents that cost most: in the document, on the wire, or once projected.
fn worst_contents() -> Vec<(&'static str, String)> {
    let fill = |piece: &str| -> String { piece.chars().cycle().take(MAX_CODE_POINTS).collect() };
    vec![
        ("control characters", fill("\u{1}")),
        ("control characters beside letters", fill("a\u{1}")),
        ("quotes", fill("\"")),
        ("backslashes", fill("\\")),
        ("emoji", fill("😀")),
        ("private use, projected to U+FFFD", fill("\u{e000}a")),
        ("noncharacters, projected to U+FFFD", fill("\u{10ffff}a")),
        ("short secrets, which a redaction lengthens", fill("token=\"a1\";")),
        ("marks without a base", fill("\u{301}")),
        ("tags", fill("<session-todo>")),
        ("line separators inside letters", fill("a\u{85}")),
    ]
}

fn frame_len(operation: Operation, result: &impl Serialize) -> usize {
    let result = to_raw_value(result).expect("it encodes");
    let request_id = RequestId("x".repeat(128));
    let reply = Reply::new(request_id, operation.as_str().to_owned(), Ok(result));
    encode_frame(&reply).map_or(usize::MAX, |line| line.len() - 1)
}

#[test]
fn the_largest_list_fits_the_query_reply_and_the_tool_reply() {
    let session_id = SessionId::parse("s".repeat(128)).expect("an id");
    for (what, content) in worst_contents() {
        let item = json!({ "content": content, "status": "in_progress" });
        let todo = SessionTodo::from_value(&json!(vec![item; MAX_ITEMS])).expect("a valid list");
        assert_eq!(todo.items().len(), MAX_ITEMS);

        let view = TodoView::of(session_id.clone(), &todo);
        // The text of a tool's result: each projected content as a JSON string on a line of its
        // own, itself inside a JSON string.
        let lines: Vec<String> = view
            .items
            .iter()
            .map(|item| format!("200. [in_progress] {}\n", json!(item.content)))
            .collect();
        let text = format!("{}{}", "h".repeat(1_000), lines.concat());
        let tool = ToolCallResult { ok: true, text, structured: Some(view) };
        let query =
            SessionTodoQueryResult { session_id: session_id.clone(), items: WireTodo(todo) };
        for (operation, length) in [
            (Operation::SessionTodoQuery, frame_len(Operation::SessionTodoQuery, &query)),
            (Operation::ToolCall, frame_len(Operation::ToolCall, &tool)),
        ] {
            assert!(length <= MAX_FRAME_BYTES, "{what}: {operation:?} takes {length} bytes");
        }
    }
}

/// Case `query-result-bad-status`: a reader of the wire refuses a list that breaks the document.
#[test]
fn a_list_on_the_wire_is_validated_when_it_is_read() {
    let parse = |items: &str| {
        let json = format!(r#"{{"sessionId":"s","items":{items}}}"#);
        serde_json::from_str::<SessionTodoQueryResult>(&json).map_err(|fault| fault.to_string())
    };
    assert!(parse(r#"[{"content":"a","status":"completed"}]"#).is_ok());
    for items in [
        r#"[{"content":"a","status":"blocked"}]"#,
        r#"[{"content":"a"}]"#,
        r#"[{"content":"","status":"pending"}]"#,
        r#"[{"content":"a","status":"pending","id":1}]"#,
        r#"null"#,
    ] {
        assert!(parse(items).is_err(), "{items}");
    }
    let blocked = parse(r#"[{"content":"a","status":"blocked"}]"#).expect_err("refused");
    assert!(blocked.contains("the status of item 1"), "{blocked}");
}
