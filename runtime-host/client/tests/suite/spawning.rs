//! Spawning a Host, or finding the one that another client spawned. A shell stands in for the
//! Host's program; the test listens in its place.

use maka_host_client::{ConnectError, HostClient, SpawnSpec};
use serde_json::json;

use crate::scripted_host::{ScriptedHost, accepted, viewer};

const READY: &str = r#"{"ready":true}"#;
const HELD: &str =
    r#"{"ready":false,"code":"lease_held","message":"another Host serves","exitCode":1}"#;
const OLD: &str = r#"{"ready":false,"code":"workspace_needs_upgrade","message":"old","hint":"maka upgrade","exitCode":5}"#;

/// A program that runs `script` in the root of `host`.
fn program(host: &ScriptedHost, script: &str) -> SpawnSpec {
    let script = format!("cd '{}'; {script}", host.root().display());
    SpawnSpec { program: "/bin/sh".into(), args: vec!["-c".into(), script.into()] }
}

/// A root whose lease text waits as `next.lock` until a program puts it into place.
fn dormant() -> ScriptedHost {
    let host = ScriptedHost::start();
    let root = host.root();
    std::fs::rename(root.join("host.lock"), root.join("next.lock")).expect("a lease file");
    host
}

async fn spawned(host: &ScriptedHost, script: &str) -> Result<HostClient, ConnectError> {
    HostClient::connect_or_spawn(host.root(), &viewer(), &program(host, script)).await
}

#[tokio::test]
async fn a_host_that_serves_is_not_spawned_again() {
    let host = ScriptedHost::start();
    let (client, _peer) = tokio::join!(spawned(&host, "touch spawned"), host.accept());
    assert!(client.is_ok());
    assert!(!host.root().join("spawned").exists());
}

#[tokio::test]
async fn where_none_serves_one_is_spawned() {
    let host = dormant();
    let script = format!("read line && exit 3; mv next.lock host.lock; echo '{READY}'");
    let (client, _peer) = tokio::join!(spawned(&host, &script), host.accept());
    assert!(client.is_ok(), "{client:?}");
}

#[tokio::test]
async fn the_loser_of_a_race_finds_the_winner() {
    let host = dormant();
    let script = format!("echo '{HELD}'; exec >/dev/null; mv next.lock host.lock");
    let (client, _peer) = tokio::join!(spawned(&host, &script), host.accept());
    assert!(client.is_ok(), "{client:?}");
}

#[tokio::test]
async fn a_host_that_is_stopping_is_waited_out() {
    let host = ScriptedHost::start();
    let refused = json!({ "kind": "refused", "code": "host_draining", "message": "stopping" });
    let serve = async {
        for answer in [refused, accepted("draining")] {
            let (mut peer, _) = host.greet().await;
            peer.send(&answer).await;
        }
        host.accept().await
    };
    let (client, _peer) = tokio::join!(spawned(&host, "exit 1"), serve);
    assert!(client.is_ok(), "{client:?}");
}

#[tokio::test]
async fn a_host_that_does_not_start_says_why() {
    let host = dormant();
    let fault = spawned(&host, &format!("echo '{OLD}'")).await.expect_err("refused");
    let ConnectError::StartRefused(refusal) = fault else { panic!("{fault:?}") };
    assert_eq!((refusal.code.as_str(), refusal.exit_code), ("workspace_needs_upgrade", 5));
    assert_eq!(refusal.hint.as_deref(), Some("maka upgrade"));

    for script in ["exit 0", "echo listening", "echo '{\"ready\":false}'", "kill -9 $$"] {
        let fault = spawned(&host, script).await.expect_err("failed");
        assert!(matches!(fault, ConnectError::StartFailed), "{script}: {fault:?}");
    }
    let absent = SpawnSpec { program: "/nonexistent/maka".into(), args: Vec::new() };
    let fault = HostClient::connect_or_spawn(host.root(), &viewer(), &absent).await;
    assert!(matches!(fault, Err(ConnectError::Spawn { .. })), "{fault:?}");
}

#[tokio::test]
async fn a_host_that_dies_once_it_is_ready_is_not_started_for_ever() {
    let host = dormant();
    let script = format!("echo x >> starts; echo '{READY}'");
    let fault = spawned(&host, &script).await.expect_err("nobody serves");
    assert!(matches!(fault, ConnectError::StartFailed), "{fault:?}");
    let starts = std::fs::read_to_string(host.root().join("starts")).expect("it was started");
    assert_eq!(starts.lines().count(), 4);
}

#[tokio::test(start_paused = true)]
async fn a_start_that_takes_too_long_is_given_up_after_ten_seconds() {
    let host = dormant();
    let begun = tokio::time::Instant::now();
    let fault = spawned(&host, "exec sleep 2").await;
    assert!(matches!(fault, Err(ConnectError::StartTimeout)), "{fault:?}");
    assert_eq!(begun.elapsed().as_secs(), 10);
}
