//! The other operations, and which role has which.

use maka_host_protocol::{Operation, Role};
use serde_json::json;

use crate::live_host::{LiveHost, items};
use crate::wire::Wire;

#[tokio::test]
async fn a_role_decides_which_operations_exist() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    for role in [Role::Viewer, Role::Client, Role::Model] {
        let mut wire = match role {
            Role::Model => live.model("a").await,
            Role::Viewer | Role::Client => Wire::hello(live.host.socket(), role.as_str()).await,
        };
        for operation in Operation::ALL {
            if !operation.is_for(role) {
                wire.refused("unauthorized", operation.as_str(), json!({})).await;
            }
        }
        for name in ["session.remove", "", "HOST.STATUS", "todo_write"] {
            wire.refused("unknown_operation", name, json!({})).await;
        }
        let removed = wire.refused("unknown_operation", "task.ledger.query", json!({})).await;
        let message = removed["message"].as_str().expect("a message");
        assert!(message.contains("removed, use session.todo.query"), "{message}");
    }
}

#[tokio::test]
async fn sessions_are_created_listed_in_pages_read_and_renamed() {
    let live = LiveHost::start().await;
    live.sessions(&["a", "b", "c"]).await;
    let mut client = live.client().await;
    let again = json!({"name":"x","sessionId":"a"});
    client.refused("operation_conflict", "session.create", again).await;
    for name in ["", " \n ", &"x".repeat(201)] {
        client.refused("invalid_request", "session.create", json!({"name":name})).await;
    }
    let first = client.done("session.list", json!({"limit":2})).await;
    assert_eq!(first["sessions"].as_array().expect("a page").len(), 2);
    let rest = json!({"limit":2,"cursor":first["nextCursor"]});
    let second = client.done("session.list", rest).await;
    assert_eq!(second["sessions"].as_array().expect("a page").len(), 1);
    assert_eq!(second.get("nextCursor"), None);
    for limit in [0, 501] {
        client.refused("invalid_request", "session.list", json!({"limit":limit})).await;
    }
    client.done("session.rename", json!({"sessionId":"a","name":" new\nname "})).await;
    let read = client.done("session.get", json!({"sessionId":"a"})).await;
    assert_eq!(read["session"]["name"], "new name");
    client.refused("not_found", "session.get", json!({"sessionId":"nobody"})).await;
    client.refused("not_found", "session.rename", json!({"sessionId":"no","name":"x"})).await;
}

#[tokio::test]
async fn the_overview_pages_within_a_frame_and_shows_unfinished_items() {
    let live = LiveHost::start().await;
    let ids: Vec<String> = (0..8).map(|number| format!("s{number}")).collect();
    let large: serde_json::Value = (0..200)
        .map(|number| json!({"content":format!("{number}{}", "é".repeat(196)),"status":"pending"}))
        .collect();
    for id in &ids {
        live.sessions(&[id]).await;
        live.model(id).await.write(&large).await;
    }
    let mut viewer = live.viewer().await;
    let (mut seen, mut cursor) = (0, json!(null));
    loop {
        let input = if cursor.is_null() { json!({}) } else { json!({"cursor":cursor}) };
        let page = viewer.done("session.todo.overview", input).await;
        for entry in page["entries"].as_array().expect("entries") {
            assert_eq!(entry["counts"]["pending"], 200);
            assert_eq!(entry["unfinished"], large);
            seen += 1;
        }
        match page.get("nextCursor") {
            Some(next) => cursor = next.clone(),
            None => break,
        }
    }
    assert_eq!(seen, ids.len());
}

#[tokio::test]
async fn a_model_has_its_tools_and_its_session_alone() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let mut model = live.model("a").await;
    let tools = model.done("tool.list", json!({})).await;
    let names: Vec<&str> = tools["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .map(|tool| tool["name"].as_str().expect("a name"))
        .collect();
    assert_eq!(names, ["todo_read", "todo_write"]);
    let written = model.write(&items(2)).await;
    assert_eq!(written["structured"]["items"], items(2));
    assert_eq!(written["structured"]["schema"], "maka.todo.v1");
    let read = model.done("tool.call", json!({"name":"todo_read"})).await;
    assert_eq!(read["structured"], written["structured"]);
    let removed = model.done("tool.call", json!({"name":"task_list"})).await;
    assert_eq!(removed["ok"], false);
    assert!(removed["text"].as_str().expect("text").contains("todo_read"), "{removed}");
    let other = json!({"name":"todo_read","sessionId":"b"});
    model.refused("invalid_request", "tool.call", other).await;
    let turns = live.select("SELECT client FROM maka_turns");
    assert_eq!(turns, ["a model"], "one Turn, of the write, with its client");
}

#[tokio::test]
async fn a_backup_is_made_while_the_host_serves() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    live.model("a").await.write(&items(5)).await;
    let mut client = live.client().await;
    client.refused("invalid_request", "backup.create", json!({"path":"relative"})).await;
    let target = live.folder.path().join("backup");
    let id = client.ask("backup.create", json!({"path":target})).await;
    let reply = loop {
        let frame = client.hear().await;
        if frame["kind"] != "progress" {
            break frame;
        }
        assert_eq!(frame["requestId"], json!(id));
    };
    assert_eq!(reply["ok"], true, "{reply}");
    assert!(target.join("runtime.sqlite").exists());
    assert_eq!(reply["result"]["sha256"].as_str().expect("a digest").len(), 64);
    let taken = client.ask("backup.create", json!({"path":target})).await;
    let reply = client.hear().await;
    assert_eq!((&reply["requestId"], &reply["ok"]), (&json!(taken), &json!(false)));
    assert_eq!(reply["error"]["code"], "operation_conflict", "{reply}");
}

#[tokio::test]
async fn callers_at_once_open_the_same_session_by_name() {
    let live = LiveHost::start().await;
    let mut callers = Vec::new();
    for _ in 0..8 {
        callers.push(live.client().await);
    }
    for caller in &mut callers {
        caller.ask("session.open_by_name", json!({"name":"shared"})).await;
    }
    let (mut created, mut ids) = (0, std::collections::BTreeSet::new());
    for caller in &mut callers {
        let reply = caller.hear().await;
        created += usize::from(reply["result"]["created"] == true);
        ids.insert(reply["result"]["session"]["sessionId"].to_string());
    }
    assert_eq!((created, ids.len()), (1, 1));
}
