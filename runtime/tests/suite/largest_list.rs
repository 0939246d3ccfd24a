//! The largest list goes through a call whole, and its result fits a frame.

use maka_core::session_todo::{MAX_CODE_POINTS, MAX_ITEMS};
use serde_json::json;

use crate::doubles::{MemoryPort, settled, tools};

/// The limit of one message on the wire, in bytes.
const FRAME: usize = 786_432;
/// More than what a reply holds beside its result: an id of 128 bytes and a few names.
const ENVELOPE: usize = 1_000;

#[tokio::test]
async fn the_largest_lists_go_through_and_their_results_fit_a_frame() {
    let fill = |piece: &str| -> String { piece.chars().cycle().take(MAX_CODE_POINTS).collect() };
    for content in ["a", "\"", "\\", "\u{1}a", "😀", "\u{e000}a", "\u{301}", "é", "<session-todo>"]
    {
        let tools = tools(MemoryPort::default());
        let item = json!({ "content": fill(content), "status": "in_progress" });
        let sent = json!({ "todos": vec![item; MAX_ITEMS] }).to_string();
        assert!(sent.len() + ENVELOPE < FRAME, "{content:?}: the arguments fit a request");
        let outcome = settled(&tools, "todo_write", &sent).await;
        assert!(outcome.ok, "{}", outcome.text);
        assert_eq!(outcome.text.lines().count(), 1 + MAX_ITEMS);
        let result = json!({ "ok": true, "text": outcome.text, "structured": outcome.structured });
        let length = result.to_string().len();
        assert!(length + ENVELOPE < FRAME, "{content:?}: {length} bytes");
    }
}
