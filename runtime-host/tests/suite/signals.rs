//! Change signals, over a real socket.

use serde_json::{Value, json};

use crate::cases::host_cases;
use crate::live_host::{LiveHost, items};
use crate::wire::Wire;

host_cases! {
    read_silent = "read-silent";
    invalid_replace_silent = "invalid-replace-silent";
    replace_identical_publishes = "replace-identical-publishes";
}

/// A viewer that hears of the Sessions.
async fn watcher(live: &LiveHost, input: Value) -> (Wire, String) {
    let mut viewer = live.viewer().await;
    let opened = viewer.done("subscription.open", input).await;
    let id = opened["subscriptionId"].as_str().expect("an id").to_owned();
    (viewer, id)
}

async fn read_silent() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let (mut watcher, id) = watcher(&live, json!({"sessionId":"a"})).await;
    let (mut viewer, mut model) = (live.viewer().await, live.model("a").await);
    for _ in 0..2 {
        viewer.done("session.todo.query", json!({"sessionId":"a"})).await;
        model.done("tool.call", json!({"name":"todo_read"})).await;
    }
    watcher.done("host.status", json!({})).await;
    model.write(&items(1)).await;
    let expected = json!({
        "kind":"invalidated","subscriptionId":id,"hostEpoch":live.host.epoch(),"sequence":1,
        "sessionId":"a","domain":"todo"
    });
    assert_eq!(watcher.hear().await, expected, "the write is the first thing heard");
    watcher.done("host.status", json!({})).await;
}

async fn invalid_replace_silent() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let (mut watcher, _) = watcher(&live, json!({})).await;
    let mut model = live.model("a").await;
    let refused = model.write(&json!([{"content":"  ","status":"pending"}])).await;
    assert_eq!(refused["ok"], false, "{refused}");
    watcher.done("host.status", json!({})).await;
    assert_eq!(live.record("a"), None);
}

async fn replace_identical_publishes() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let (mut watcher, _) = watcher(&live, json!({"sessionId":"a"})).await;
    let mut model = live.model("a").await;
    for sequence in 1..=2 {
        model.write(&items(1)).await;
        assert_eq!(watcher.hear().await["sequence"], json!(sequence));
    }
    watcher.done("host.status", json!({})).await;
}

#[tokio::test]
async fn creating_and_renaming_are_signalled_and_finding_is_not() {
    let live = LiveHost::start().await;
    let (mut watcher, _) = watcher(&live, json!({})).await;
    let mut client = live.client().await;
    let made = client.done("session.open_by_name", json!({"name":"x"})).await;
    assert_eq!(made["created"], true);
    let id = made["session"]["sessionId"].clone();
    let heard = watcher.hear().await;
    assert_eq!((&heard["domain"], &heard["sessionId"]), (&json!("session"), &id));
    let found = client.done("session.open_by_name", json!({"name":" x "})).await;
    assert_eq!((&found["created"], &found["session"]["sessionId"]), (&json!(false), &id));
    watcher.done("host.status", json!({})).await;
    client.done("session.rename", json!({"sessionId":id,"name":"y"})).await;
    assert_eq!(watcher.hear().await["sequence"], 2);
}

#[tokio::test]
async fn a_closed_subscription_and_another_session_are_not_heard() {
    let live = LiveHost::start().await;
    live.sessions(&["a", "b"]).await;
    let (mut watcher, id) = watcher(&live, json!({"sessionId":"a"})).await;
    live.model("b").await.write(&items(1)).await;
    watcher.done("subscription.close", json!({"subscriptionId":id})).await;
    live.model("a").await.write(&items(1)).await;
    watcher.refused("not_found", "subscription.close", json!({"subscriptionId":id})).await;
    watcher.refused("not_found", "subscription.open", json!({"sessionId":"nobody"})).await;
}

#[tokio::test]
async fn a_watcher_that_reads_late_hears_each_session_once_and_reads_the_newest() {
    let live = LiveHost::start().await;
    live.sessions(&["a", "b"]).await;
    let (mut watcher, _) = watcher(&live, json!({})).await;
    let (mut a, mut b) = (live.model("a").await, live.model("b").await);
    for count in 1..=20 {
        a.write(&items(count)).await;
        b.write(&items(count)).await;
    }
    let mut newest = std::collections::BTreeSet::new();
    let mut sequence = 0;
    while newest.len() < 2 {
        let heard = watcher.hear().await;
        sequence += 1;
        assert_eq!(heard["sequence"], json!(sequence), "no number is left out");
        let session = heard["sessionId"].clone();
        // Another connection reads: replies and signals of the watcher's own may interleave.
        let read =
            live.viewer().await.done("session.todo.query", json!({"sessionId":session})).await;
        if read["items"] == items(20) {
            newest.insert(session.to_string());
        }
    }
}

#[tokio::test]
async fn every_one_of_many_watchers_hears_of_a_write() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let mut watchers = Vec::new();
    for number in 0..100 {
        let one = if number % 2 == 0 { json!({}) } else { json!({"sessionId":"a"}) };
        watchers.push(watcher(&live, one).await);
    }
    live.model("a").await.write(&items(1)).await;
    for (watcher, id) in &mut watchers {
        let heard = watcher.hear().await;
        assert_eq!((&heard["subscriptionId"], &heard["sequence"]), (&json!(id), &json!(1)));
    }
}
