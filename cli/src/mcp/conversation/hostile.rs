//! Lines that no well-behaved client sends. None of them ends the server.

use serde_json::json;

use super::client::Client;
use crate::mcp::line_reader::MAX_LINE_BYTES;

#[tokio::test]
async fn broken_lines_are_answered_and_the_conversation_goes_on() {
    let (mut client, _) = Client::initialized().await;
    for line in ["{\"jsonrpc\":", "hello", "[]", "{}", "\u{1b}[31m"] {
        client.line(line.as_bytes()).await;
        let answer = client.message().await.unwrap();
        assert!(answer["error"]["code"].is_i64(), "{line}: {answer}");
        assert_eq!(answer.get("id"), None);
    }
    client.line(b"\xff\xfe").await;
    assert_eq!(client.message().await.unwrap()["error"]["code"], -32700);
    client.line(b"").await;
    assert!(client.request("tools/list", json!({})).await["result"]["tools"].is_array());
}

#[tokio::test]
async fn an_unpaired_surrogate_reaches_the_tool_as_it_was_written() {
    let (mut client, _) = Client::initialized().await;
    let arguments = r#"{"todos":[{"content":"a\ud800","status":"pending"}]}"#;
    let line = format!(
        r#"{{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{{"name":"todo_write","arguments":{arguments}}}}}"#
    );
    client.line(line.as_bytes()).await;
    assert!(client.reply(9).await["result"].is_object());
    assert_eq!(client.door.calls.lock().unwrap()[0].arguments.as_deref(), Some(arguments));
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_and_forgotten() {
    let (mut client, _) = Client::initialized().await;
    client.line(&vec![b'x'; MAX_LINE_BYTES + 1]).await;
    assert_eq!(client.message().await.unwrap()["error"]["code"], -32600);
    assert!(client.request("tools/list", json!({})).await["result"]["tools"].is_array());
}

#[tokio::test]
async fn parameters_of_the_wrong_shape_are_named_as_such() {
    let (mut client, _) = Client::initialized().await;
    for (method, params) in [
        ("tools/call", json!({ "arguments": {} })),
        ("resources/read", json!({ "uri": 7 })),
        ("resources/subscribe", json!({})),
    ] {
        let reply = client.request(method, params).await;
        assert_eq!(reply["error"]["code"], -32602, "{method}: {reply}");
    }
    let listed = client.request("tools/call", json!([1])).await;
    assert_eq!(listed["error"]["code"], -32600);
    assert_eq!(client.request("no/such", json!({})).await["error"]["code"], -32601);
}

#[tokio::test]
async fn what_comes_before_the_first_request_is_passed_over() {
    let mut client = Client::silent();
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
    client.send(&json!({ "jsonrpc": "2.0", "id": 1, "result": {} })).await;
    let params = json!({ "protocolVersion": "2024-11-05", "capabilities": {},
        "clientInfo": { "name": "probe", "version": "1" } });
    let reply = client.request("initialize", params).await;
    assert_eq!(reply["result"]["protocolVersion"], "2024-11-05");
    client.end().await.unwrap();
}

#[tokio::test]
async fn the_stream_may_end_before_and_inside_a_message() {
    Client::silent().end().await.unwrap();
    let (mut client, _) = Client::initialized().await;
    client.half_line(b"{\"jsonrpc\":\"2.0\",\"id\":3,\"meth").await;
    client.end().await.unwrap();
}
