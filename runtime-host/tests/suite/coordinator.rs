//! The Todo coordinator over doubles: its order, its faults and its silence.

use maka_core::ports::{SessionTodoPort, TodoPortError};
use maka_core::{ClientName, Presence, StoreError};
use maka_host_protocol::Domain;
use maka_runtime_host::StopReason;

use crate::cases::host_cases;
use crate::doubles::{Bench, SignalMood, WriteFault, id, list, settle};

host_cases! {
    publication_throws = "publication-throws";
}

fn client() -> ClientName {
    ClientName::parse("a test").expect("valid")
}

async fn publication_throws() {
    for mood in [SignalMood::Fails, SignalMood::Panics] {
        let bench = Bench::new();
        *bench.signal.mood.lock().unwrap() = mood;
        let written = bench.coordinator.write(&id("a"), list("x"), &client()).await;
        assert_eq!(written.expect("the write succeeds").todo, list("x"));
        assert_eq!(bench.draining.reason(), Some(StopReason::SignalFailed));
        assert!(!bench.draining.begin(StopReason::Requested), "it was asked to drain once");
        assert_eq!(bench.coordinator.read(&id("a")).await.expect("reads"), list("x"));
        assert_eq!(bench.heard(), 1);
    }
}

#[tokio::test]
async fn the_signal_comes_after_the_commit_and_outside_the_lane() {
    let bench = Bench::held();
    let mut write = Box::pin({
        let coordinator = bench.coordinator.clone();
        async move { coordinator.write(&id("a"), list("x"), &client()).await }
    });
    assert!(futures_util::poll!(write.as_mut()).is_pending());
    settle().await;
    assert_eq!((bench.heard(), bench.admission.busy_lanes()), (0, 1), "not before the commit");
    bench.todos.gate.add_permits(1);
    write.await.expect("written");
    let heard = bench.signal.heard.lock().unwrap().clone();
    assert_eq!(heard, [(id("a"), Domain::Todo, 0)], "once, and with the lane left");
}

#[tokio::test]
async fn a_caller_that_goes_away_neither_undoes_the_write_nor_swallows_the_signal() {
    let bench = Bench::held();
    let (session, client) = (id("a"), client());
    let mut write = bench.coordinator.write(&session, list("x"), &client);
    assert!(futures_util::poll!(write.as_mut()).is_pending());
    drop(write);
    bench.todos.gate.add_permits(1);
    settle().await;
    assert_eq!(bench.coordinator.read(&session).await.expect("reads"), list("x"));
    assert_eq!(bench.heard(), 1);
}

#[tokio::test]
async fn a_write_that_fails_signals_nothing() {
    let bench = Bench::new();
    *bench.todos.fault.lock().unwrap() = Some(WriteFault::BeforeCommit);
    let failed = bench.coordinator.write(&id("a"), list("x"), &client()).await;
    assert!(matches!(failed, Err(TodoPortError::Store(StoreError::Environment { .. }))));
    *bench.todos.fault.lock().unwrap() = Some(WriteFault::AtCommit);
    let failed = bench.coordinator.write(&id("a"), list("x"), &client()).await;
    assert!(matches!(failed, Err(TodoPortError::Store(StoreError::CommitOutcomeUnknown { .. }))));
    assert_eq!((bench.heard(), bench.admission.busy_lanes()), (0, 0));
    assert_eq!(bench.draining.reason(), None, "the operation's door decides that");
}

#[tokio::test]
async fn an_identical_list_signals_again_and_reads_signal_nothing() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench.coordinator.read(&id("a")).await.expect("reads");
    }
    assert_eq!(bench.heard(), 0);
    for _ in 0..2 {
        bench.coordinator.write(&id("a"), list("x"), &client()).await.expect("written");
    }
    assert_eq!(bench.heard(), 2);
}

#[tokio::test]
async fn presence_is_asked_inside_the_lane_and_leaves_no_row() {
    let bench = Bench::held();
    let (session, client) = (id("a"), client());
    let mut first = bench.coordinator.write(&session, list("x"), &client);
    assert!(futures_util::poll!(first.as_mut()).is_pending());
    settle().await;
    let mut read = bench.coordinator.read(&session);
    assert!(futures_util::poll!(read.as_mut()).is_pending(), "it waits for the lane");
    bench.sessions.presence.lock().unwrap().insert(session.clone(), Presence::Removed);
    bench.todos.rows.lock().unwrap().clear();
    bench.todos.gate.add_permits(1);
    first.await.ok();
    bench.todos.rows.lock().unwrap().clear();
    assert!(matches!(read.await, Err(TodoPortError::NotFound(_))));
    let absent = bench.coordinator.write(&id("b"), list("x"), &client).await;
    assert!(matches!(absent, Err(TodoPortError::NotFound(_))));
    assert!(bench.todos.rows.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_write_records_the_turn_of_its_client() {
    let bench = Bench::new();
    for _ in 0..2 {
        bench.coordinator.write(&id("a"), list("x"), &client()).await.expect("written");
    }
    let turns = bench.todos.turns.lock().unwrap().clone();
    assert_eq!(turns[0].client, client());
    assert_eq!(turns[0].at.as_millis(), 1_000);
    assert_ne!(turns[0].turn_id, turns[1].turn_id);
}
