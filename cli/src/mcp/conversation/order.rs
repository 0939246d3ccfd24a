use serde_json::json;

use super::client::Client;

#[tokio::test]
async fn calls_sent_together_take_effect_in_the_order_they_were_sent() {
    let (mut client, _) = Client::initialized().await;
    let mut last = 0;
    for name in ["todo_write", "todo_read", "todo_write", "todo_read"] {
        last = client.begin("tools/call", json!({ "name": name })).await;
    }
    while client.message().await.unwrap()["id"] != json!(last) {}
    let calls = client.door.calls.lock().unwrap().clone();
    let names: Vec<_> = calls.into_iter().map(|call| call.tool).collect();
    assert_eq!(names, ["todo_write", "todo_read", "todo_write", "todo_read"]);
}

#[tokio::test]
async fn a_call_that_was_sent_before_the_end_is_done_and_answered() {
    let (mut client, _) = Client::initialized().await;
    client.begin("tools/call", json!({ "name": "todo_write" })).await;
    let door = std::sync::Arc::clone(&client.door);
    client.end().await.unwrap();
    assert_eq!(door.calls.lock().unwrap().len(), 1);
}
