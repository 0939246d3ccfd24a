//! `session.todo.query`, and that no client can write a list.

use maka_host_protocol::SessionTodoQueryResult;
use serde_json::json;

use crate::cases::host_cases;
use crate::live_host::{LiveHost, alter, items};

host_cases! {
    query_absent = "query-absent";
    query_removed = "query-removed";
    query_archived = "query-archived";
    query_corrupt_row = "query-corrupt-row";
    query_extra_field = "query-extra-field";
    query_result_bad_status = "query-result-bad-status";
    no_client_write = "no-client-write";
}

async fn query_absent() {
    let live = LiveHost::start().await;
    let mut viewer = live.viewer().await;
    viewer.refused("not_found", "session.todo.query", json!({"sessionId":"nobody"})).await;
    assert_eq!(live.record("nobody"), None);
}

async fn query_removed() {
    let live = LiveHost::start().await;
    let live = live
        .restart(|root| alter(root, "INSERT INTO maka_session_tombstones VALUES ('gone', 1)"))
        .await;
    let mut viewer = live.viewer().await;
    viewer.refused("not_found", "session.todo.query", json!({"sessionId":"gone"})).await;
    assert_eq!(live.record("gone"), None);
}

async fn query_archived() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    live.model("a").await.write(&items(2)).await;
    let live = live.restart(|root| alter(root, "UPDATE maka_sessions SET archived = 1")).await;
    let result = live.viewer().await.done("session.todo.query", json!({"sessionId":"a"})).await;
    assert_eq!(result, json!({"sessionId":"a","items":items(2)}));
    live.model("a").await.write(&items(3)).await;
    let rename = json!({"sessionId":"a","name":"other"});
    let mut client = live.client().await;
    client.refused("operation_conflict", "session.rename", rename).await;
}

async fn query_corrupt_row() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    live.model("a").await.write(&items(2)).await;
    let damage = "UPDATE workflow_session_todo_documents SET record_json = '{\"schemaVersion\":1'";
    let live = live.restart(|root| alter(root, damage)).await;
    let mut viewer = live.viewer().await;
    let error =
        viewer.refused("internal_failure", "session.todo.query", json!({"sessionId":"a"})).await;
    assert!(error["hint"].as_str().expect("a hint").contains("todo_write"), "{error}");
    assert_eq!(live.record("a").as_deref(), Some("{\"schemaVersion\":1"));
    live.model("a").await.write(&items(1)).await;
    let result = viewer.done("session.todo.query", json!({"sessionId":"a"})).await;
    assert_eq!(result["items"], items(1), "a write mends it");
}

async fn query_extra_field() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let mut viewer = live.viewer().await;
    let input = json!({"sessionId":"a","cursor":"x"});
    let error = viewer.refused("invalid_request", "session.todo.query", input).await;
    assert!(error["message"].as_str().expect("a message").contains("cursor"), "{error}");
    for input in [json!({}), json!({"sessionId":"a b"}), json!([]), json!("a"), json!(null)] {
        viewer.refused("invalid_request", "session.todo.query", input).await;
    }
    viewer.done("session.todo.query", json!({"sessionId":"a"})).await;
}

async fn query_result_bad_status() {
    let good = r#"{"sessionId":"a","items":[{"content":"x","status":"pending"}]}"#;
    assert!(serde_json::from_str::<SessionTodoQueryResult>(good).is_ok());
    let bad = good.replace("pending", "blocked");
    let refused = serde_json::from_str::<SessionTodoQueryResult>(&bad).expect_err("refused");
    assert!(refused.to_string().contains("in_progress"), "{refused}");
}

async fn no_client_write() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    for role in ["viewer", "client"] {
        let mut wire = crate::wire::Wire::hello(live.host.socket(), role).await;
        for name in ["session.todo.write", "session.todo.replace", "session.todo.update"] {
            let input = json!({"sessionId":"a","items":[]});
            wire.refused("unknown_operation", name, input).await;
        }
        let call = json!({"name":"todo_write","arguments":{"todos":[]}});
        wire.refused("unauthorized", "tool.call", call).await;
        wire.done("host.status", json!({})).await;
    }
    assert_eq!(live.record("a"), None);
}

#[tokio::test]
async fn the_first_read_stores_an_empty_list_and_the_overview_stores_nothing() {
    let live = LiveHost::start().await;
    live.sessions(&["a", "b"]).await;
    let mut viewer = live.viewer().await;
    let overview = viewer.done("session.todo.overview", json!({})).await;
    assert_eq!(overview, json!({"entries":[]}));
    assert_eq!((live.record("a"), live.record("b")), (None, None));
    let result = viewer.done("session.todo.query", json!({"sessionId":"a"})).await;
    assert_eq!(result, json!({"sessionId":"a","items":[]}));
    assert_eq!(live.record("a").as_deref(), Some(r#"{"schemaVersion":1,"items":[]}"#));
    assert_eq!(live.record("b"), None);
}

#[tokio::test]
async fn the_largest_list_passes_through_the_tool_and_the_query() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    // 200 items of 200 code points that take the most bytes each, in UTF-8 and escaped.
    let largest: serde_json::Value = (0..200)
        .map(|number| {
            let content = format!("{number:03}{}", "\u{10ffff}".repeat(197));
            json!({"content":content,"status":"in_progress"})
        })
        .collect();
    let written = live.model("a").await.write(&largest).await;
    assert_eq!(written["ok"], true);
    let result = live.viewer().await.done("session.todo.query", json!({"sessionId":"a"})).await;
    assert_eq!(result["items"], largest);
}
