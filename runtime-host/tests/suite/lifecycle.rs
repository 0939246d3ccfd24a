//! How a Host starts, is found, drains and stops.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use maka_host_protocol::LeaseText;
use maka_runtime_host::{Faults, Host, StartError, StopReason};
use serde_json::json;

use crate::cases::host_cases;
use crate::live_host::{LiveHost, items, options};
use crate::wire::Wire;

host_cases! {
    restart_two_clients = "restart-two-clients";
}

async fn restart_two_clients() {
    let mut live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    for count in [129, 7] {
        live.model("a").await.write(&items(count)).await;
        let epoch = live.host.epoch().to_owned();
        live = live.restart(|_root| {}).await;
        assert_ne!(live.host.epoch(), epoch);
        let (mut first, mut second) = (live.viewer().await, live.client().await);
        for wire in [&mut first, &mut second] {
            let result = wire.done("session.todo.query", json!({"sessionId":"a"})).await;
            assert_eq!(result["items"], items(count));
        }
    }
}

#[tokio::test]
async fn a_second_host_fails_at_once_and_names_the_first() {
    let live = LiveHost::start().await;
    let refused = Host::start(options(live.folder.path())).await.expect_err("held");
    let StartError::Held(Some(owner)) = &refused else { panic!("unexpected {refused}") };
    assert_eq!(owner.pid, std::process::id());
    assert_eq!(owner.host_epoch, live.host.epoch());
    let message = refused.to_string();
    assert!(message.contains(&owner.pid.to_string()) && message.contains(&owner.socket));
    live.viewer().await.done("host.status", json!({})).await;
}

#[tokio::test]
async fn the_lease_names_the_socket_and_files_are_private() {
    let live = LiveHost::start().await;
    let text = std::fs::read_to_string(live.root().join("host.lock")).expect("the lease");
    let text = LeaseText::parse(&text).expect("one line of JSON");
    assert_eq!(text.socket, live.root().join("host.sock").display().to_string());
    let mode = |path| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(live.root()), 0o700);
    assert_eq!(mode(live.root().join("host.sock")), 0o600);
    assert_eq!(mode(live.root().join("host.log")), 0o600);
}

#[tokio::test]
async fn a_stale_socket_is_replaced_and_a_stopped_host_leaves_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("root").join("host.sock");
    std::fs::create_dir(folder.path().join("root")).expect("created");
    drop(std::os::unix::net::UnixListener::bind(&socket).expect("bound"));
    assert!(socket.exists(), "a listener that is gone leaves its file");
    let host = Host::start(options(folder.path())).await.expect("starts");
    Wire::hello(&socket, "viewer").await;
    assert_eq!(host.stop().await, StopReason::Requested);
    assert!(!socket.exists());
    let again = Host::start(options(folder.path())).await.expect("the lease is free");
    again.stop().await;
}

#[tokio::test]
async fn a_file_that_is_no_socket_is_never_deleted() {
    let folder = tempfile::tempdir().expect("a folder");
    let place = folder.path().join("root").join("host.sock");
    std::fs::create_dir(folder.path().join("root")).expect("created");
    std::fs::write(&place, "somebody's notes").expect("written");
    assert!(Host::start(options(folder.path())).await.is_err());
    assert_eq!(std::fs::read_to_string(&place).expect("still there"), "somebody's notes");
}

#[tokio::test]
async fn a_root_whose_path_is_too_long_serves_at_a_short_private_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let runtime_dir = folder.path().join("run");
    std::fs::create_dir(&runtime_dir).expect("created");
    let mut options = options(folder.path());
    options.root = folder.path().join("x".repeat(120)).join("root");
    options.runtime_dir = Some(runtime_dir.clone());
    let host = Host::start(options).await.expect("starts");
    assert!(host.socket().starts_with(&runtime_dir), "{}", host.socket().display());
    let own = host.socket().parent().expect("a folder").to_owned();
    let mode = std::fs::metadata(&own).expect("there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let mut wire = Wire::hello(host.socket(), "viewer").await;
    let status = wire.done("host.status", json!({})).await;
    assert_eq!(status["socket"], json!(host.socket().display().to_string()));
    host.stop().await;
    assert!(!own.exists(), "the folder goes with the socket");
}

#[tokio::test]
async fn a_stop_answers_refuses_new_work_and_ends_what_runs() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let holder = rusqlite::Connection::open(live.root().join("runtime.sqlite")).unwrap();
    holder.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (mut model, mut client) = (live.model("a").await, live.client().await);
    let arguments = json!({"todos":items(3)});
    let write = model.ask("tool.call", json!({"name":"todo_write","arguments":arguments})).await;
    let status = r#"{"requestId":"s","operation":"host.stop"}"#;
    model.say(status).await;
    assert_eq!(model.hear().await["error"]["code"], "unauthorized");
    assert_eq!(client.done("host.stop", json!({})).await, json!({"draining":true}));
    let query = json!({"sessionId":"a"});
    client.refused("host_draining", "session.todo.query", query).await;
    assert_eq!(client.done("host.status", json!({})).await["state"], "draining");
    assert_eq!(client.done("host.stop", json!({})).await, json!({"draining":true}));
    holder.execute_batch("ROLLBACK").unwrap();
    let settled = model.hear().await;
    assert_eq!((&settled["requestId"], &settled["ok"]), (&json!(write), &json!(true)));
    client.hear_silence().await;
    let again = Host::start(options(live.folder.path())).await.expect("the end tells it is free");
    again.stop().await;
    model.hear_silence().await;
    drop((client, model));
    assert_eq!(live.host.wait().await, StopReason::Requested);
    let record = live.record("a").expect("a row");
    assert!(record.contains("step 2"), "{record}");
}

#[tokio::test]
async fn a_host_without_connections_stops_and_one_with_a_connection_does_not() {
    let patience = Duration::from_millis(100);
    let live = LiveHost::start_with(|options| options.idle_exit = Some(patience)).await;
    let mut wire = live.viewer().await;
    let waited = tokio::time::timeout(5 * patience, live.host.wait()).await;
    assert!(waited.is_err(), "somebody is connected");
    wire.done("host.status", json!({})).await;
    drop(wire);
    assert_eq!(live.host.wait().await, StopReason::Idle);
}

#[tokio::test]
async fn the_idle_time_comes_from_the_settings_unless_an_option_overrides_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("root");
    std::fs::create_dir(&root).expect("created");
    std::fs::write(root.join("config.toml"), "[host]\nidle_exit_seconds = 1\n").expect("written");
    let mut configured = options(folder.path());
    configured.idle_exit = None;
    let host = Host::start(configured.clone()).await.expect("starts");
    assert_eq!(host.wait().await, StopReason::Idle);
    std::fs::write(root.join("config.toml"), "[host]\nidle = 1\n").expect("written");
    let refused = Host::start(configured).await.expect_err("the settings are wrong");
    assert!(matches!(refused, StartError::Config(_)), "{refused}");
}

#[tokio::test]
async fn the_log_tells_of_the_removed_variable_once_and_of_no_content() {
    let live = LiveHost::start_with(|options| options.task_ledger_env_seen = true).await;
    live.sessions(&["a"]).await;
    let secret = json!([{"content":"a very private plan","status":"pending"}]);
    live.model("a").await.write(&secret).await;
    live.host.stop().await;
    let log = std::fs::read_to_string(live.root().join("host.log")).expect("the log");
    assert_eq!(log.matches("MAKA_TASK_LEDGER_TOOLS").count(), 1, "{log}");
    assert!(!log.contains("private plan") && !log.contains("the a"), "{log}");
    assert!(log.contains("serving") && log.contains("draining"), "{log}");
}

#[tokio::test]
async fn a_root_that_is_a_file_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("root"), "x").expect("written");
    let refused = Host::start(options(folder.path())).await.expect_err("a file");
    assert!(matches!(refused, StartError::Root(_)), "{refused}");
}

#[tokio::test]
async fn a_host_that_lost_its_lease_writes_nothing_and_leaves_the_next_ones_socket() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let mut model = live.model("a").await;
    std::fs::remove_file(live.root().join("host.lock")).expect("removed");
    let next = Host::start(options(live.folder.path())).await.expect("finds no lease");
    let arguments = json!({"todos":items(1)});
    let call = json!({"name":"todo_write","arguments":arguments});
    model.refused("host_draining", "tool.call", call).await;
    drop(model);
    assert_eq!(live.host.wait().await, StopReason::LeaseLost);
    let mut viewer = Wire::hello(next.socket(), "viewer").await;
    let result = viewer.done("session.todo.query", json!({"sessionId":"a"})).await;
    assert_eq!(result["items"], json!([]));
    next.stop().await;
}

#[tokio::test]
async fn a_commit_whose_outcome_is_unknown_is_told_so_and_drains_the_host() {
    let faults = Faults::parse("writer.committed=fail").expect("a specification");
    let live = LiveHost::start_with(|options| options.faults = faults).await;
    let mut client = live.client().await;
    let create = json!({"name":"x","sessionId":"a"});
    client.refused("commit_outcome_unknown", "session.create", create).await;
    client.hear_silence().await;
    drop(client);
    assert_eq!(live.host.wait().await, StopReason::CommitOutcomeUnknown);
    let live = live.restart(|_root| {}).await;
    let read = live.viewer().await.done("session.get", json!({"sessionId":"a"})).await;
    assert_eq!(read["session"]["name"], "x", "it had become durable");
}

#[tokio::test]
async fn a_write_that_the_machine_refuses_is_told_so_and_the_host_goes_on() {
    let faults = Faults::parse("todo.replace=fail").expect("a specification");
    let live = LiveHost::start_with(|options| options.faults = faults).await;
    live.sessions(&["a"]).await;
    let mut watcher = live.viewer().await;
    watcher.done("subscription.open", json!({})).await;
    let call = json!({"name":"todo_write","arguments":{"todos":items(1)}});
    live.model("a").await.refused("persistence_failed", "tool.call", call).await;
    assert_eq!(watcher.done("host.status", json!({})).await["state"], "ready");
    assert_eq!(live.record("a"), None);
}
