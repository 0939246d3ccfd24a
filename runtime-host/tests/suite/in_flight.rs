//! Requests in flight: 64, `host.status` exempt, no id twice, slow readers closed.

use std::time::Duration;

use serde_json::{Value, json};

use crate::cases::host_cases;
use crate::live_host::{LiveHost, items};
use crate::wire::Wire;

host_cases! {
    inflight_65 = "inflight-65";
    inflight_status_reserve = "inflight-status-reserve";
}

/// Another program that holds the database's write lock, so that writes stay in flight.
struct Holder(rusqlite::Connection);

impl Holder {
    fn new(live: &LiveHost) -> Self {
        let connection = rusqlite::Connection::open(live.root().join("runtime.sqlite")).unwrap();
        connection.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(connection)
    }

    fn release(self) {
        self.0.execute_batch("ROLLBACK").unwrap();
    }
}

fn create(number: usize) -> String {
    let name = format!("n{number}");
    json!({"requestId":name,"operation":"session.create","input":{"name":name}}).to_string()
}

/// `count` writes and a `host.status` behind them, in one piece.
fn burst(count: usize) -> String {
    let mut lines: Vec<String> = (0..count).map(create).collect();
    lines.push(r#"{"requestId":"status","operation":"host.status"}"#.to_owned());
    lines.join("\n")
}

async fn inflight_65() {
    let live = LiveHost::start().await;
    let mut wire = live.client().await;
    let holder = Holder::new(&live);
    let lines = format!("{}\n{}", burst(64), create(64));
    wire.say(&lines).await;
    // It stands before the 65th in the same read, so the 65th is judged when this is heard.
    assert_eq!(wire.hear().await["requestId"], "status");
    holder.release();
    for _ in 0..64 {
        let reply = wire.hear().await;
        assert_eq!(reply["ok"], true, "earlier lines are served first: {reply}");
    }
    wire.hear_the_end("invalid_frame").await;
    let count = live.select("SELECT CAST(count(*) AS TEXT) FROM maka_sessions");
    assert_eq!(count, ["64"]);
}

async fn inflight_status_reserve() {
    let live = LiveHost::start().await;
    let mut wire = live.client().await;
    let holder = Holder::new(&live);
    wire.say(&burst(64)).await;
    let status = wire.hear().await;
    assert_eq!((&status["requestId"], &status["ok"]), (&json!("status"), &json!(true)));
    holder.release();
    for _ in 0..64 {
        assert_eq!(wire.hear().await["ok"], true);
    }
    wire.done("session.list", json!({})).await;
}

#[tokio::test]
async fn a_request_id_in_flight_twice_ends_the_connection_and_a_used_one_does_not() {
    let live = LiveHost::start().await;
    let mut wire = live.client().await;
    for _ in 0..2 {
        wire.say(&create(1)).await;
        assert_eq!(wire.hear().await["ok"], true);
    }
    wire.say(&format!("{}\n{}", create(1), create(1))).await;
    assert_eq!(wire.hear().await["ok"], true);
    wire.hear_the_end("invalid_frame").await;
}

/// Fills what a connection can take, without reading.
async fn flood(wire: &mut Wire) {
    let query = r#"{"requestId":"q","operation":"session.todo.query","input":{"sessionId":"a"}}"#;
    let lines = format!("{query}\n").repeat(100);
    wire.bytes(lines.as_bytes()).await;
}

#[tokio::test]
async fn a_reader_that_takes_nothing_is_closed_with_that_reason() {
    let live = LiveHost::start_with(|options| {
        options.limits.write_stall = Duration::from_millis(50);
        options.limits.linger = Duration::from_secs(30);
    })
    .await;
    live.sessions(&["a"]).await;
    live.model("a").await.write(&items(200)).await;
    let (mut slow, mut other) = (live.viewer().await, live.viewer().await);
    flood(&mut slow).await;
    // The others are served all the while.
    let log = live.root().join("host.log");
    while !std::fs::read_to_string(&log).expect("the log").contains("slow consumer") {
        other.done("session.todo.query", json!({"sessionId":"a"})).await;
    }
    let mut heard: Vec<Value> = Vec::new();
    loop {
        let line = slow.hear_text().await;
        if line.is_empty() {
            break;
        }
        heard.push(serde_json::from_str(&line).expect("whole frames only"));
    }
    let last = heard.pop().expect("something was said");
    assert_eq!(last["code"], "slow_consumer", "{last}");
    assert!(heard.iter().all(|reply| reply["ok"] == true));
    assert!(heard.len() < 100, "what was not taken is dropped");
}
