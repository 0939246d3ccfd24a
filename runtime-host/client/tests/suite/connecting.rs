//! Finding a Host and shaking hands with it.

use std::os::unix::net::UnixListener as BlockingListener;

use maka_core::ClientName;
use maka_host_client::{ConnectError, ErrorCode, HostClient, HostState, Identity};
use serde_json::json;
use tempfile::TempDir;

use crate::scripted_host::{ScriptedHost, accepted, session, viewer, write_lease};

async fn fault(root: &std::path::Path) -> ConnectError {
    HostClient::connect(root, &viewer()).await.expect_err("no connection")
}

#[tokio::test]
async fn a_root_without_a_host_is_not_running() {
    let folder = TempDir::new().expect("a folder");
    let root = folder.path().join("root");
    let lock = root.join("host.lock");
    assert!(matches!(fault(&root).await, ConnectError::NotRunning { root: r } if r == root));
    std::fs::create_dir(&root).expect("a root");
    assert!(matches!(fault(&root).await, ConnectError::NotRunning { .. }), "no lease file");
    for text in [&b""[..], b"{\"pid\":1", b"\xff", b"{\"pid\":1,\"hostEpoch\":\"e\"}"] {
        std::fs::write(&lock, text).expect("a lease file");
        assert!(matches!(fault(&root).await, ConnectError::NotRunning { .. }), "{text:?}");
    }
    let socket = root.join("host.sock");
    write_lease(&root, &socket);
    assert!(matches!(fault(&root).await, ConnectError::NotRunning { .. }), "no socket");
    drop(BlockingListener::bind(&socket).expect("a socket"));
    assert!(matches!(fault(&root).await, ConnectError::NotRunning { .. }), "nobody listens");
}

#[tokio::test]
async fn a_copied_folder_does_not_lead_to_the_host_of_the_original() {
    let host = ScriptedHost::start();
    let copy = TempDir::new().expect("a folder");
    write_lease(copy.path(), &host.socket());
    assert!(matches!(fault(copy.path()).await, ConnectError::NotRunning { .. }));
}

#[tokio::test]
async fn a_socket_outside_any_root_is_taken() {
    let host = ScriptedHost::start();
    let elsewhere = TempDir::new().expect("a folder");
    std::fs::rename(host.root().join("host.lock"), elsewhere.path().join("host.lock"))
        .expect("a lease file");
    let identity = viewer();
    let (client, _peer) =
        tokio::join!(HostClient::connect(elsewhere.path(), &identity), host.accept());
    assert!(client.is_ok());
}

#[tokio::test]
async fn the_hello_says_who_connects_and_the_answer_who_serves() {
    let host = ScriptedHost::start();
    let name = ClientName::parse("agent").expect("a name");
    let identity = Identity::model(name, session("s-1"));
    let serve = async {
        let (mut peer, hello) = host.greet().await;
        peer.send(&accepted("draining")).await;
        (peer, hello)
    };
    let (client, (_peer, hello)) = tokio::join!(HostClient::connect(host.root(), &identity), serve);
    let expected = json!({
        "kind": "hello", "protocol": 1, "role": "model", "clientName": "agent", "sessionId": "s-1",
    });
    assert_eq!(hello, expected);
    let client = client.expect("a connection");
    assert_eq!(client.accepted().state, HostState::Draining);
    assert_eq!(client.accepted().host_epoch, "e-1");
}

/// What a Host may say in place of "accepted", and what the client makes of it.
#[tokio::test]
async fn every_other_answer_is_told_apart() {
    let refused = json!({
        "kind": "refused", "code": "unsupported_protocol", "message": "no", "supported": [2],
    });
    let error = json!({ "kind": "error", "code": "invalid_frame", "message": "no" });
    for answer in [
        format!("{refused}\n"),
        format!("{error}\n"),
        "HTTP/1.1 400\r\n\r\n".into(),
        "\n".into(),
        String::new(),
    ] {
        let host = ScriptedHost::start();
        let serve = async {
            let (mut peer, _) = host.greet().await;
            peer.send_raw(answer.as_bytes()).await;
        };
        let (fault, ()) = tokio::join!(fault(host.root()), serve);
        let as_expected = match &fault {
            ConnectError::Refused(refused) => {
                answer.contains("refused") && refused.supported == Some(vec![2])
            }
            ConnectError::Closed(Some(frame)) => {
                answer.contains("error") && frame.code == ErrorCode::InvalidFrame
            }
            ConnectError::Closed(None) => answer.is_empty(),
            ConnectError::BadHandshake => answer.contains("HTTP") || answer == "\n",
            ConnectError::NotRunning { .. }
            | ConnectError::Timeout
            | ConnectError::Io(_)
            | ConnectError::Spawn { .. }
            | ConnectError::StartRefused(_)
            | ConnectError::StartFailed
            | ConnectError::StartTimeout => false,
        };
        assert!(as_expected, "{answer:?}: {fault:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_host_that_does_not_answer_is_given_up_after_five_seconds() {
    let host = ScriptedHost::start();
    let begun = tokio::time::Instant::now();
    let serve = async {
        let (peer, _) = host.greet().await;
        std::future::pending::<()>().await;
        drop(peer);
    };
    let fault = tokio::select! {
        fault = fault(host.root()) => fault,
        () = serve => panic!("the Host never ends"),
    };
    assert!(matches!(fault, ConnectError::Timeout), "{fault:?}");
    assert_eq!(begun.elapsed().as_secs(), 5);
}
