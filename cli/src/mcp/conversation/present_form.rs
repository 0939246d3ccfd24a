//! Revision 2026-07-28: no handshake, metadata in each request, `subscriptions/listen`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::client::{Client, URI};

fn with_meta(mut params: Value) -> Value {
    params["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "probe", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    params
}

fn listen() -> Value {
    let uris = [URI, "maka://session/another/todo"];
    with_meta(json!({ "notifications": { "resourceSubscriptions": uris } }))
}

#[tokio::test]
async fn a_client_may_discover_and_call_without_a_handshake() {
    let mut client = Client::silent();
    let found = client.request("server/discover", with_meta(json!({}))).await;
    assert_eq!(found["result"]["capabilities"]["resources"], json!({ "subscribe": true }));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&json!("2026-07-28")), "{versions:?}");
    let params = with_meta(json!({ "name": "todo_read", "arguments": {} }));
    let reply = client.request("tools/call", params).await;
    assert_eq!(reply["result"]["resultType"], "complete");
    assert_eq!(reply["result"]["structuredContent"]["schema"], "maka.todo.v1");
    assert_eq!(client.door.calls.lock().unwrap()[0].client.as_deref(), Some("probe"));
    client.end().await.unwrap();
}

#[tokio::test]
async fn a_listener_hears_of_what_was_accepted_until_it_cancels() {
    let mut client = Client::silent();
    let id = client.begin("subscriptions/listen", listen()).await;
    let heard = client.notification().await;
    assert_eq!(heard["method"], "notifications/subscriptions/acknowledged");
    assert_eq!(heard["params"]["notifications"], json!({ "resourceSubscriptions": [URI] }));

    for _ in 0..2 {
        client.door.change();
        let heard = client.notification().await;
        assert_eq!(heard["method"], "notifications/resources/updated");
        assert_eq!(heard["params"]["uri"], URI);
        assert_eq!(heard["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    }

    let cancel = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled",
        "params": { "requestId": id } });
    client.send(&cancel).await;
    client.request("tools/list", with_meta(json!({}))).await;
    client.door.change();
    client.request("tools/list", with_meta(json!({}))).await;
    assert!(client.notified.is_empty(), "{:?}", client.notified);
    client.end().await.unwrap();
}

#[tokio::test]
async fn the_older_form_is_no_method_of_the_present_revision() {
    let mut client = Client::silent();
    let reply = client.request("resources/subscribe", with_meta(json!({ "uri": URI }))).await;
    assert_eq!(reply["error"]["code"], -32601);
}

#[tokio::test]
async fn an_open_listener_does_not_hold_up_the_end() {
    let mut client = Client::silent();
    client.begin("subscriptions/listen", listen()).await;
    client.notification().await;
    let begun = Instant::now();
    client.end().await.unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}
