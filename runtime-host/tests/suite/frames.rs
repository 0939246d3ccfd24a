//! Frames and the handshake, over a real socket: what is served, what ends a connection and how.

use std::time::Duration;

use serde_json::json;

use crate::cases::host_cases;
use crate::live_host::LiveHost;
use crate::wire::Wire;

host_cases! {
    frame_limit = "frame-limit";
    frame_exact = "frame-exact";
    frame_empty_line = "frame-empty-line";
    frame_crlf = "frame-crlf";
    frame_bad_utf8 = "frame-bad-utf8";
    frame_split_utf8 = "frame-split-utf8";
    frame_partial_at_eof = "frame-partial-at-eof";
    hello_other_epoch = "hello-other-epoch";
    hello_missing = "hello-missing";
}

const MAX: usize = 786_432;

/// A `host.status` request of exactly `length` bytes: JSON allows white space around it.
fn padded(length: usize) -> String {
    let request = r#"{"requestId":"padded","operation":"host.status"}"#;
    format!("{request}{}", " ".repeat(length - request.len()))
}

async fn frame_limit() {
    let live = LiveHost::start().await;
    let mut wire = live.viewer().await;
    wire.say(&padded(MAX + 1)).await;
    wire.hear_the_end("frame_too_large").await;
    let mut endless = live.viewer().await;
    endless.bytes(&vec![b'x'; MAX + 2]).await;
    endless.hear_the_end("frame_too_large").await;
}

async fn frame_exact() {
    let live = LiveHost::start().await;
    let mut wire = live.viewer().await;
    wire.say(&padded(MAX)).await;
    assert_eq!(wire.hear().await["requestId"], "padded");
    wire.bytes(format!("{}\r\n", padded(MAX)).as_bytes()).await;
    assert_eq!(wire.hear().await["requestId"], "padded", "the CR does not count");
    wire.done("host.status", json!({})).await;
}

async fn frame_empty_line() {
    let live = LiveHost::start().await;
    for empty in ["", "\r"] {
        let mut wire = live.viewer().await;
        wire.say(empty).await;
        wire.hear_the_end("invalid_frame").await;
    }
}

async fn frame_crlf() {
    let live = LiveHost::start().await;
    let mut wire = live.viewer().await;
    wire.bytes(b"{\"requestId\":\"1\",\"operation\":\"host.status\"}\r\n").await;
    let reply = wire.hear_text().await;
    assert!(reply.contains("\"ok\":true") && !reply.contains('\r'), "{reply}");
}

async fn frame_bad_utf8() {
    let live = LiveHost::start().await;
    let mut wire = live.viewer().await;
    wire.bytes(b"{\"requestId\":\"\xff\",\"operation\":\"host.status\"}\n").await;
    wire.hear_the_end("invalid_utf8").await;
}

async fn frame_split_utf8() {
    let live = LiveHost::start().await;
    let (mut wire, mut other) = (live.viewer().await, live.viewer().await);
    let line = "{\"requestId\":\"é\",\"operation\":\"host.status\"}\n".as_bytes();
    let middle = line.iter().position(|byte| *byte == 0xc3).expect("é is two bytes") + 1;
    wire.bytes(&line[..middle]).await;
    // The Host has read the first half when it answers what was sent later.
    other.done("host.status", json!({})).await;
    wire.bytes(&line[middle..]).await;
    assert_eq!(wire.hear().await["requestId"], "é");
}

async fn frame_partial_at_eof() {
    let live = LiveHost::start().await;
    let mut wire = live.viewer().await;
    wire.bytes(b"{\"requestId\":\"1\",\"operation\":\"host.status\"}\n{\"requestId\":\"2\"").await;
    wire.shut().await;
    assert_eq!(wire.hear().await["requestId"], "1");
    wire.hear_the_end("invalid_frame").await;
}

async fn hello_other_epoch() {
    let live = LiveHost::start().await;
    for protocol in [json!(0), json!(2), json!(4_000_000_000_000_u64)] {
        let mut wire = Wire::connect(live.host.socket()).await;
        let hello = json!({"kind":"hello","protocol":protocol,"new":"ways"});
        wire.bytes(
            format!("{hello}\n{{\"requestId\":\"1\",\"operation\":\"host.status\"}}\n").as_bytes(),
        )
        .await;
        let answer = wire.hear().await;
        assert_eq!(answer["kind"], "refused");
        assert_eq!(answer["code"], "unsupported_protocol");
        assert_eq!(answer["supported"], json!([1]));
        wire.hear_silence().await;
    }
}

async fn hello_missing() {
    let live = LiveHost::start().await;
    for first in [
        r#"{"requestId":"1","operation":"host.status"}"#,
        r#"{"kind":"goodbye","protocol":1}"#,
        "not JSON",
        "[]",
    ] {
        let mut wire = Wire::connect(live.host.socket()).await;
        wire.say(first).await;
        wire.hear_the_end("invalid_frame").await;
    }
}

#[tokio::test]
async fn a_hello_that_does_not_come_in_time_ends_the_connection() {
    let short = Duration::from_millis(50);
    let live = LiveHost::start_with(|options| options.limits.handshake = short).await;
    let mut wire = Wire::connect(live.host.socket()).await;
    wire.bytes(b"{\"kind\":\"hel").await;
    wire.hear_the_end("invalid_frame").await;
}

#[tokio::test]
async fn a_hello_that_lacks_something_is_refused_with_what_it_lacks() {
    let live = LiveHost::start().await;
    let hello = |change: &dyn Fn(&mut serde_json::Value)| {
        let mut hello = json!({"kind":"hello","protocol":1,"role":"viewer","clientName":"x"});
        change(&mut hello);
        hello
    };
    let table = [
        (hello(&|hello| hello["role"] = json!("king")), "invalid_request", "role"),
        (hello(&|hello| hello["clientName"] = json!("")), "invalid_request", "client name"),
        (hello(&|hello| hello["sessionId"] = json!("a")), "invalid_request", "sessionId"),
        (hello(&|hello| hello["role"] = json!("model")), "invalid_request", "sessionId"),
        (
            hello(&|hello| {
                hello["role"] = json!("model");
                hello["sessionId"] = json!("nobody");
            }),
            "not_found",
            "nobody",
        ),
    ];
    for (hello, code, named) in table {
        let mut wire = Wire::connect(live.host.socket()).await;
        wire.say(&hello.to_string()).await;
        let answer = wire.hear().await;
        assert_eq!((&answer["kind"], &answer["code"]), (&json!("refused"), &json!(code)));
        let message = answer["message"].as_str().expect("a message");
        assert!(message.contains(named) || named == "role", "{hello}: {message}");
        wire.hear_silence().await;
    }
}

#[tokio::test]
async fn lines_that_are_no_request_end_the_connection_after_the_lines_before() {
    let live = LiveHost::start().await;
    let long_id = format!(r#"{{"requestId":"{}","operation":"host.status"}}"#, "x".repeat(129));
    for line in [
        "not JSON",
        "{}",
        r#"{"requestId":"","operation":"host.status"}"#,
        r#"{"requestId":"2","operation":"host.status","extra":1}"#,
        r#"{"requestId":2,"operation":"host.status"}"#,
        &long_id,
    ] {
        let mut wire = live.viewer().await;
        wire.say(&format!("{{\"requestId\":\"1\",\"operation\":\"host.status\"}}\n{line}")).await;
        assert_eq!(wire.hear().await["requestId"], "1");
        wire.hear_the_end("invalid_frame").await;
    }
}

#[tokio::test]
async fn a_peer_that_shuts_its_side_gets_its_replies() {
    let live = LiveHost::start().await;
    live.sessions(&["a"]).await;
    let mut wire = live.client().await;
    let first = wire.ask("session.rename", json!({"sessionId":"a","name":"other"})).await;
    let second = wire.ask("session.todo.query", json!({"sessionId":"a"})).await;
    wire.shut().await;
    let mut heard = [wire.hear().await, wire.hear().await].map(|reply| {
        assert_eq!(reply["ok"], true, "{reply}");
        reply["requestId"].as_str().expect("an id").to_owned()
    });
    heard.sort();
    assert_eq!(heard, [first, second]);
    wire.hear_silence().await;
}
