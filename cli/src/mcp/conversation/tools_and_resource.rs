use serde_json::{Value, json};

use super::client::{Client, URI};
use super::scripted_door::{Called, ScriptedDoor};
use crate::mcp::door::DoorFault;

#[tokio::test]
async fn the_handshake_offers_tools_and_a_resource_to_subscribe_to() {
    let (client, reply) = Client::initialized().await;
    let result = &reply["result"];
    assert_eq!(result["protocolVersion"], "2025-11-25");
    assert_eq!(result["serverInfo"]["name"], "maka");
    assert_eq!(result["capabilities"], json!({ "tools": {}, "resources": { "subscribe": true } }));
    assert!(result["instructions"].as_str().unwrap().contains("todo_write"));
    client.end().await.unwrap();
}

#[tokio::test]
async fn the_tools_carry_schemas_and_annotations() {
    let (mut client, _) = Client::initialized().await;
    let reply = client.request("tools/list", json!({})).await;
    let tools = &reply["result"]["tools"];
    assert_eq!(tools[0]["name"], "todo_read");
    assert_eq!(
        tools[0]["annotations"],
        json!({ "title": "Read the Todo list", "readOnlyHint": true, "destructiveHint": false,
            "idempotentHint": true, "openWorldHint": false })
    );
    assert_eq!(tools[1]["name"], "todo_write");
    assert_eq!(
        tools[1]["annotations"],
        json!({ "title": "Replace the Todo list", "readOnlyHint": false, "destructiveHint": true,
            "idempotentHint": true, "openWorldHint": false })
    );
    for tool in tools.as_array().unwrap() {
        assert_eq!(tool["inputSchema"]["type"], "object");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
}

#[tokio::test]
async fn a_call_brings_text_and_the_structured_list_and_names_the_client() {
    let (mut client, _) = Client::initialized().await;
    let arguments = json!({ "todos": [{ "content": "one", "status": "pending" }] });
    let params = json!({ "name": "todo_write", "arguments": arguments });
    let reply = client.request("tools/call", params).await;
    let result = &reply["result"];
    assert_eq!(result["isError"], false);
    assert_eq!(result["content"], json!([{ "type": "text", "text": "The list has 1 item." }]));
    assert_eq!(result["structuredContent"], serde_json::to_value(ScriptedDoor::view()).unwrap());
    let calls = client.door.calls.lock().unwrap().clone();
    let expected = Called {
        client: Some("probe".to_owned()),
        tool: "todo_write".to_owned(),
        arguments: Some(arguments.to_string()),
    };
    assert_eq!(calls, [expected]);
}

#[tokio::test]
async fn what_the_model_can_mend_is_an_error_result_and_no_protocol_error() {
    let (mut client, _) = Client::initialized().await;
    let reply = client.request("tools/call", json!({ "name": "task_list" })).await;
    assert_eq!(reply["result"]["isError"], true);
    assert_eq!(reply["result"]["content"][0]["text"], "There is no such tool.");
    assert_eq!(reply["result"].get("structuredContent"), None);
}

#[tokio::test]
async fn a_host_that_is_down_is_said_to_the_model_and_the_reader() {
    let (mut client, _) = Client::initialized().await;
    client.door.fail_with(DoorFault::new("no Host answers").with_hint("run `maka host start`"));
    let reply = client.request("tools/call", json!({ "name": "todo_read" })).await;
    assert_eq!(reply["result"]["isError"], true);
    let text = "no Host answers\nrun `maka host start`";
    assert_eq!(reply["result"]["content"][0]["text"], text);
    for (method, params) in [("resources/read", json!({ "uri": URI })), ("tools/list", json!({}))] {
        let reply = client.request(method, params).await;
        assert_eq!(reply["error"]["code"], -32603, "{method}");
        assert_eq!(reply["error"]["message"], text, "{method}");
    }
}

#[tokio::test]
async fn the_resource_is_listed_and_read_and_no_other_is_there() {
    let (mut client, _) = Client::initialized().await;
    let reply = client.request("resources/list", json!({})).await;
    let listed = &reply["result"]["resources"][0];
    assert_eq!(listed["uri"], URI);
    assert_eq!(listed["name"], "todo");
    assert_eq!(listed["title"], "Todo of fix login");
    assert_eq!(listed["mimeType"], "application/json");

    let reply = client.request("resources/read", json!({ "uri": URI })).await;
    let contents = &reply["result"]["contents"][0];
    assert_eq!(contents["uri"], URI);
    assert_eq!(contents["mimeType"], "application/json");
    let view: Value = serde_json::from_str(contents["text"].as_str().unwrap()).unwrap();
    assert_eq!(view, serde_json::to_value(ScriptedDoor::view()).unwrap());

    for method in ["resources/read", "resources/subscribe", "resources/unsubscribe"] {
        let other = json!({ "uri": "maka://session/another/todo" });
        let reply = client.request(method, other).await;
        assert_eq!(reply["error"]["code"], -32002, "{method}");
    }
}
