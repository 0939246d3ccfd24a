//! Outliving the Host.

use maka_host_client::{CallError, ConnectError, ErrorCode, Operation, ReconnectingClient, Signal};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::scripted_host::{Peer, ScriptedHost, session, signal, viewer};

fn reconnecting(host: &ScriptedHost) -> ReconnectingClient {
    ReconnectingClient::new(host.root(), viewer(), None)
}

async fn call(client: &ReconnectingClient, operation: Operation) -> Result<Value, CallError> {
    client.call(operation, &json!({})).await
}

/// Takes a connection and closes it at its first request.
async fn fail_one(host: &ScriptedHost) {
    let mut peer = host.accept().await;
    peer.receive().await.expect("a request");
}

async fn answer_one(peer: &mut Peer, result: Value) -> Value {
    let request = peer.receive().await.expect("a request");
    peer.reply(&request, result).await;
    request
}

#[tokio::test]
async fn a_call_that_may_be_done_twice_is_made_once_more() {
    for operation in [Operation::SessionTodoQuery, Operation::ToolCall, Operation::HostStatus] {
        let host = ScriptedHost::start();
        let client = reconnecting(&host);
        let serve = async {
            fail_one(&host).await;
            let mut peer = host.accept().await;
            answer_one(&mut peer, json!(1)).await;
        };
        let (answer, ()) = tokio::join!(call(&client, operation), serve);
        assert_eq!(answer.expect("an answer"), json!(1), "{operation:?}");
    }
}

#[tokio::test]
async fn a_call_is_not_made_a_third_time() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let serve = async {
        fail_one(&host).await;
        fail_one(&host).await;
    };
    let (answer, ()) = tokio::join!(call(&client, Operation::ToolCall), serve);
    assert!(matches!(answer, Err(CallError::Closed { sent: true, .. })), "{answer:?}");
}

#[tokio::test]
async fn a_call_that_may_not_be_done_twice_fails_when_it_may_have_been_done() {
    for operation in [Operation::SessionRename, Operation::SessionCreate, Operation::BackupCreate] {
        let host = ScriptedHost::start();
        let client = reconnecting(&host);
        let (answer, ()) = tokio::join!(call(&client, operation), fail_one(&host));
        assert!(matches!(answer, Err(CallError::Closed { sent: true, .. })), "{operation:?}");
    }
}

#[tokio::test]
async fn any_call_after_a_loss_goes_over_a_new_connection() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let (first, peer) = tokio::join!(client.connected(), host.accept());
    drop(peer);
    first.expect("a connection").closed().await;
    let serve = async {
        let mut peer = host.accept().await;
        answer_one(&mut peer, json!(1)).await;
    };
    let (answer, ()) = tokio::join!(call(&client, Operation::SessionRename), serve);
    assert_eq!(answer.expect("an answer"), json!(1));
}

#[tokio::test]
async fn a_stopping_host_has_done_nothing_so_the_next_is_asked() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let serve = async {
        let mut old = host.accept().await;
        let request = old.receive().await.expect("a request");
        old.refuse(&request, "host_draining").await;
        let mut new = host.accept().await;
        answer_one(&mut new, json!(1)).await;
    };
    let (answer, ()) = tokio::join!(call(&client, Operation::SessionRename), serve);
    assert_eq!(answer.expect("an answer"), json!(1));
}

#[tokio::test]
async fn callers_share_one_connection() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let serve = async {
        let mut peer = host.accept().await;
        for _ in 0..2 {
            answer_one(&mut peer, json!(1)).await;
        }
    };
    let other = client.clone();
    let (a, b, ()) = tokio::join!(
        call(&client, Operation::HostStatus),
        call(&other, Operation::SessionList),
        serve
    );
    assert!(a.is_ok() && b.is_ok());
}

#[tokio::test]
async fn a_host_that_is_gone_is_unreachable() {
    let folder = TempDir::new().expect("a folder");
    let client = ReconnectingClient::new(folder.path(), viewer(), None);
    let answer = call(&client, Operation::HostStatus).await;
    let Err(CallError::Unreachable(fault)) = answer else { panic!("{answer:?}") };
    assert!(matches!(*fault, ConnectError::NotRunning { .. }));
}

async fn accept_subscription(host: &ScriptedHost, id: &str) -> Peer {
    let mut peer = host.accept().await;
    let request = peer.request("subscription.open").await;
    assert_eq!(request.pointer("/input/sessionId"), Some(&json!("s")));
    peer.reply(&request, json!({ "subscriptionId": id })).await;
    peer
}

/// Case `panel-recovered-subscription` from the client's side.
#[tokio::test]
async fn a_watch_tells_of_the_loss_and_of_the_recovery() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let (watch, mut peer) =
        tokio::join!(client.watch(Some(session("s"))), accept_subscription(&host, "1"));
    let mut watch = watch.expect("a watch");
    peer.send(&signal("1", "s", 1, "todo")).await;
    assert!(matches!(watch.next().await, Ok(Signal::Changed(change)) if change.sequence == 1));

    drop(peer);
    assert!(matches!(watch.next().await, Ok(Signal::Lost)));
    let host = host.restart();
    let (recovered, mut peer) = tokio::join!(watch.next(), accept_subscription(&host, "7"));
    assert!(matches!(recovered, Ok(Signal::Recovered)), "{recovered:?}");
    peer.send(&signal("7", "s", 1, "todo")).await;
    assert!(matches!(watch.next().await, Ok(Signal::Changed(_))));
}

#[tokio::test]
async fn a_watch_waits_for_a_host_that_is_away() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let (watch, peer) =
        tokio::join!(client.watch(Some(session("s"))), accept_subscription(&host, "1"));
    let mut watch = watch.expect("a watch");
    let lock = std::fs::read(host.root().join("host.lock")).expect("a lease text");
    std::fs::remove_file(host.root().join("host.lock")).expect("a lease file");
    drop(peer);
    assert!(matches!(watch.next().await, Ok(Signal::Lost)));
    // A look that finds no Host, given up half-way, costs nothing.
    assert!(tokio::time::timeout(std::time::Duration::from_millis(1), watch.next()).await.is_err());
    std::fs::write(host.root().join("host.lock"), lock).expect("a lease file");
    let (recovered, _peer) = tokio::join!(watch.next(), accept_subscription(&host, "2"));
    assert!(matches!(recovered, Ok(Signal::Recovered)), "{recovered:?}");
}

#[tokio::test]
async fn a_watch_ends_where_waiting_would_not_help() {
    let host = ScriptedHost::start();
    let client = reconnecting(&host);
    let (watch, peer) =
        tokio::join!(client.watch(Some(session("s"))), accept_subscription(&host, "1"));
    let mut watch = watch.expect("a watch");
    drop(peer);
    assert!(matches!(watch.next().await, Ok(Signal::Lost)));
    let serve = async {
        let mut peer = host.accept().await;
        let request = peer.request("subscription.open").await;
        peer.refuse(&request, "not_found").await;
        peer
    };
    let (ended, _peer) = tokio::join!(watch.next(), serve);
    assert!(
        matches!(&ended, Err(CallError::Refused(error)) if error.code == ErrorCode::NotFound),
        "{ended:?}"
    );
}
