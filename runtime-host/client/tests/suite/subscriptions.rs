//! Change signals: coalesced, and the newest never lost.

use maka_host_client::{Domain, HostClient, Subscription};
use serde_json::json;

use crate::scripted_host::{Peer, ScriptedHost, ok, session, signal};

/// A subscription that the Host calls "1".
async fn subscribed(client: &HostClient, peer: &mut Peer) -> Subscription {
    let serve = async {
        let request = peer.request("subscription.open").await;
        peer.reply(&request, json!({ "subscriptionId": "1" })).await;
    };
    let (subscription, ()) = tokio::join!(client.subscribe(Some(session("s"))), serve);
    subscription.expect("a subscription")
}

#[tokio::test]
async fn signals_right_behind_the_reply_are_not_lost() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        let request = peer.request("subscription.open").await;
        assert_eq!(request.get("input"), Some(&json!({})));
        let reply = ok(&request, json!({ "subscriptionId": "1" }));
        let lines = format!("{reply}\n{}\n", signal("1", "s", 1, "todo"));
        peer.send_raw(lines.as_bytes()).await;
    };
    let (subscription, ()) = tokio::join!(client.subscribe(None), serve);
    let signal = subscription.expect("a subscription").next().await.expect("a signal");
    assert_eq!(
        (signal.session_id, signal.domain, signal.sequence),
        (session("s"), Domain::Todo, 1)
    );
}

#[tokio::test]
async fn a_reader_that_lags_gets_the_newest_of_each_session_and_domain_once() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let mut subscription = subscribed(&client, &mut peer).await;
    let mut sequence = 0;
    for _ in 0..1_000 {
        for (id, domain) in [("a", "todo"), ("b", "todo"), ("a", "session")] {
            sequence += 1;
            peer.send(&signal("1", id, sequence, domain)).await;
        }
    }
    peer.send(&signal("9", "a", 1, "todo")).await;
    drop(peer);
    client.closed().await;
    let mut seen = Vec::new();
    while let Some(signal) = subscription.next().await {
        seen.push((signal.session_id, signal.domain, signal.sequence));
    }
    let expected = [
        (session("a"), Domain::Todo, 2_998),
        (session("b"), Domain::Todo, 2_999),
        (session("a"), Domain::Session, 3_000),
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_reader_too_far_behind_is_told_to_start_over() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let mut subscription = subscribed(&client, &mut peer).await;
    let lines: String =
        (0..20_000).map(|n| format!("{}\n", signal("1", &format!("s-{n}"), n, "todo"))).collect();
    peer.send_raw(lines.as_bytes()).await;
    // An answer behind the signals shows that they have been taken.
    let serve = async {
        let request = peer.request("host.status").await;
        peer.refuse(&request, "host_draining").await;
    };
    let (answer, ()) = tokio::join!(client.host_status(), serve);
    assert!(answer.is_err());
    assert_eq!(subscription.next().await, None);
    assert!(!client.is_closed());
}

#[tokio::test]
async fn a_dropped_subscription_is_closed_at_the_host() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let subscription = subscribed(&client, &mut peer).await;
    drop(subscription);
    let request = peer.request("subscription.close").await;
    assert_eq!(request.get("input"), Some(&json!({ "subscriptionId": "1" })));
    peer.reply(&request, json!({})).await;
}

#[tokio::test]
async fn a_subscription_whose_caller_went_away_is_closed_at_the_host() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let request = tokio::select! {
        _ = client.subscribe(None) => panic!("nobody has answered"),
        request = peer.request("subscription.open") => request,
    };
    peer.reply(&request, json!({ "subscriptionId": "1" })).await;
    let request = peer.request("subscription.close").await;
    peer.reply(&request, json!({})).await;
}

#[tokio::test]
async fn a_subscription_keeps_its_connection_open() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let mut subscription = subscribed(&client, &mut peer).await;
    drop(client);
    peer.send(&signal("1", "s", 1, "todo")).await;
    assert!(subscription.next().await.is_some());
}
