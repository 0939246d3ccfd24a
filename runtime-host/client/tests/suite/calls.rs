//! Calls over one connection, and what a Host may do to them.

use std::time::Duration;

use maka_host_client::{
    CallError, ErrorCode, HostClient, Operation, SessionGetInput, SessionTodoQueryInput,
    SessionTodoQueryResult,
};
use serde_json::{Value, json};
use tokio::net::UnixStream;

use crate::scripted_host::{Peer, ScriptedHost, ok, session};

async fn get(client: &HostClient, id: &str) -> Result<Value, CallError> {
    client.call(Operation::SessionGet, &SessionGetInput { session_id: session(id) }).await
}

fn asked(request: &Value) -> Value {
    request.pointer("/input/sessionId").cloned().expect("a Session")
}

#[tokio::test]
async fn answers_find_their_callers_in_any_order() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        let mut requests = Vec::new();
        for _ in 0..3 {
            requests.push(peer.request("session.get").await);
        }
        for request in requests.iter().rev() {
            peer.reply(request, asked(request)).await;
        }
    };
    let (a, b, c, ()) =
        tokio::join!(get(&client, "a"), get(&client, "b"), get(&client, "c"), serve);
    assert_eq!(
        [a, b, c].map(|answer| answer.expect("an answer")),
        ["a", "b", "c"].map(Value::from)
    );
}

#[tokio::test]
async fn a_refusal_carries_code_message_and_hint() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        let request = peer.request("session.get").await;
        peer.refuse(&request, "not_found").await;
    };
    let (answer, ()) = tokio::join!(get(&client, "a"), serve);
    let Err(CallError::Refused(error)) = answer else { panic!("{answer:?}") };
    assert_eq!((error.code, error.message.as_str()), (ErrorCode::NotFound, "no"));
    assert_eq!(error.hint.as_deref(), Some("do"));
    assert!(!client.is_closed());
}

/// Case `query-result-bad-status`.
#[tokio::test]
async fn a_list_that_breaks_the_document_is_refused_and_the_connection_stays() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        for status in ["blocked", "pending"] {
            let request = peer.request("session.todo.query").await;
            let items = json!([{ "content": "a", "status": status }]);
            peer.reply(&request, json!({ "sessionId": "s", "items": items })).await;
        }
    };
    let id = session("s");
    let input = SessionTodoQueryInput { session_id: id.clone() };
    let query = async {
        let bad: Result<SessionTodoQueryResult, _> =
            client.call(Operation::SessionTodoQuery, &input).await;
        (bad, client.session_todo_query(&id).await)
    };
    let ((bad, good), ()) = tokio::join!(query, serve);
    assert!(matches!(bad, Err(CallError::BadReply(_))), "{bad:?}");
    assert_eq!(good.expect("a list").items.0.items().len(), 1);
}

/// What a Host may do in place of an answer; each ends the connection and every call on it.
#[tokio::test]
async fn a_connection_that_ends_ends_its_calls_and_says_why() {
    let error = json!({ "kind": "error", "code": "slow_consumer", "message": "read faster" });
    for (word, code) in [
        (String::new(), None),
        (format!("{error}\n"), Some(ErrorCode::SlowConsumer)),
        ("\n".to_owned(), Some(ErrorCode::InvalidFrame)),
        ("nonsense\n".to_owned(), Some(ErrorCode::InvalidFrame)),
        (
            format!("{}\n", ok(&json!({ "requestId": "99" }), json!({}))),
            Some(ErrorCode::InvalidFrame),
        ),
        (
            "{\"requestId\":\"1\",\"operation\":\"x\",\"ok\":true}\n".to_owned(),
            Some(ErrorCode::InvalidFrame),
        ),
        ("half a li".to_owned(), None),
    ] {
        let host = ScriptedHost::start();
        let (client, mut peer) = host.pair().await;
        let serve = async {
            peer.request("session.get").await;
            peer.request("session.get").await;
            peer.send_raw(word.as_bytes()).await;
            drop(peer);
        };
        let (a, b, ()) = tokio::join!(get(&client, "a"), get(&client, "b"), serve);
        for answer in [a, b] {
            let Err(CallError::Closed { frame, sent: true }) = answer else {
                panic!("{word:?}: {answer:?}")
            };
            assert_eq!(frame.map(|frame| frame.code), code, "{word:?}");
        }
        assert_eq!(client.closed().await.map(|frame| frame.code), code, "{word:?}");
        assert!(client.is_closed());
        let late = get(&client, "a").await;
        assert!(matches!(late, Err(CallError::Closed { sent: false, .. })), "{late:?}");
    }
}

#[tokio::test]
async fn answers_before_the_end_are_delivered() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        let request = peer.request("session.get").await;
        peer.send_raw(format!("{}\n\n", ok(&request, json!(1))).as_bytes()).await;
    };
    let (answer, ()) = tokio::join!(get(&client, "a"), serve);
    assert_eq!(answer.expect("an answer"), json!(1));
    assert!(client.closed().await.is_some());
}

#[tokio::test]
async fn an_answer_in_pieces_is_one_answer() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let serve = async {
        let request = peer.request("session.get").await;
        let line = format!("{}\r\n", ok(&request, json!("é€😀")));
        for byte in line.as_bytes() {
            peer.send_raw(&[*byte]).await;
            tokio::task::yield_now().await;
        }
    };
    let (answer, ()) = tokio::join!(get(&client, "a"), serve);
    assert_eq!(answer.expect("an answer"), json!("é€😀"));
}

#[tokio::test]
async fn requests_that_the_socket_does_not_take_at_once_go_out_whole_and_in_order() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let large = json!({ "x": "y".repeat(700_000) });
    let small = json!({});
    let calls = async {
        tokio::join!(
            client.call::<_, Value>(Operation::SessionGet, &large),
            client.call::<_, Value>(Operation::SessionList, &large),
            client.call::<_, Value>(Operation::HostStatus, &small),
        )
    };
    let serve = async {
        for operation in ["session.get", "session.list", "host.status"] {
            let request = peer.request(operation).await;
            peer.reply(&request, json!(operation)).await;
        }
    };
    let ((a, b, c), ()) = tokio::join!(calls, serve);
    assert!(a.is_ok() && b.is_ok() && c.is_ok());
}

#[tokio::test]
async fn a_request_does_not_overtake_one_that_is_half_written() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let large = json!({ "x": "y".repeat(700_000) });
    let small = json!({});
    let first = tokio::spawn({
        let client = client.clone();
        async move { client.call::<_, Value>(Operation::SessionGet, &large).await.map(drop) }
    });
    let (bell, rope) = UnixStream::pair().expect("a pair");
    rope.writable().await.expect("it is open");
    // Now the socket would take a small request, while most of the large one still waits. The bell
    // rings with the news of it, and this test runs before the connection's task.
    peer.take_now().await;
    rope.try_write(b"!").expect("it is empty");
    bell.readable().await.expect("it is open");
    let serve = async {
        for operation in ["session.get", "session.list"] {
            let request = peer.request(operation).await;
            peer.reply(&request, json!(1)).await;
        }
    };
    let (second, ()) = tokio::join!(client.call::<_, Value>(Operation::SessionList, &small), serve);
    assert!(second.is_ok() && first.await.expect("a task").is_ok());
}

#[tokio::test]
async fn a_host_that_closes_on_a_request_half_taken_is_heard_all_the_same() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let large = json!({ "x": "y".repeat(700_000) });
    let serve = async {
        peer.send(&json!({ "kind": "error", "code": "slow_consumer", "message": "m" })).await;
        drop(peer);
    };
    let (answer, ()) = tokio::join!(client.call::<_, Value>(Operation::SessionGet, &large), serve);
    let Err(CallError::Closed { frame: Some(frame), sent: true }) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(frame.code, ErrorCode::SlowConsumer);
}

#[tokio::test]
async fn a_request_over_the_frame_is_refused_here_and_the_connection_stays() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let huge = json!({ "x": "y".repeat(800_000) });
    let answer = client.call::<_, Value>(Operation::SessionGet, &huge).await;
    assert!(matches!(answer, Err(CallError::BadRequest(_))), "{answer:?}");
    let serve = async {
        let request = peer.request("session.get").await;
        peer.reply(&request, json!(1)).await;
    };
    let (answer, ()) = tokio::join!(get(&client, "a"), serve);
    assert!(answer.is_ok());
}

/// The Host closes a connection at the 65th request in flight, so it must not get there.
#[tokio::test]
async fn the_65th_call_waits_for_a_place_and_the_status_does_not() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let calls: Vec<_> = (0..65)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { get(&client, "a").await.map(drop) })
        })
        .collect();
    let mut requests = Vec::new();
    for _ in 0..64 {
        requests.push(peer.request("session.get").await);
    }
    let status = tokio::spawn({
        let client = client.clone();
        async move { client.call::<_, Value>(Operation::HostStatus, &json!({})).await.map(drop) }
    });
    // Were the 65th call on its way, it would come first.
    let request = peer.request("host.status").await;
    peer.reply(&request, json!({})).await;
    status.await.expect("a task").expect("an answer");
    let first = requests.pop().expect("64 requests");
    peer.reply(&first, json!({})).await;
    requests.push(peer.request("session.get").await);
    for request in requests {
        peer.reply(&request, json!({})).await;
    }
    for call in calls {
        call.await.expect("a task").expect("an answer");
    }
}

#[tokio::test]
async fn a_call_that_nobody_waits_for_keeps_its_place_until_it_is_answered() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let dropped: Vec<_> = (0..64)
        .map(|_| {
            let client = client.clone();
            tokio::spawn(async move { get(&client, "gone").await.map(drop) })
        })
        .collect();
    let mut requests = Vec::new();
    for _ in 0..64 {
        requests.push(peer.request("session.get").await);
    }
    for call in dropped {
        call.abort();
        assert!(call.await.expect_err("it was aborted").is_cancelled());
    }
    let waiting = client.clone().with_call_timeout(Duration::from_millis(1));
    let answer = get(&waiting, "a").await;
    assert!(matches!(answer, Err(CallError::Timeout)), "{answer:?}");
    for request in requests {
        peer.reply(&request, json!({})).await;
    }
    let (answer, ()) = tokio::join!(get(&client, "b"), answer_one(&mut peer));
    assert!(answer.is_ok());
}

async fn answer_one(peer: &mut Peer) {
    let request = peer.request("session.get").await;
    peer.reply(&request, json!({})).await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_does_not_come_in_time_is_a_timeout() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let client = client.with_call_timeout(Duration::from_secs(3));
    let begun = tokio::time::Instant::now();
    let answer = get(&client, "a").await;
    assert!(matches!(answer, Err(CallError::Timeout)), "{answer:?}");
    assert_eq!(begun.elapsed().as_secs(), 3);
    // The late answer is of no use to anyone, and does no harm.
    answer_one(&mut peer).await;
    let (answer, ()) = tokio::join!(get(&client, "b"), answer_one(&mut peer));
    assert!(answer.is_ok());
}

#[tokio::test]
async fn progress_reaches_its_caller_before_the_answer() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let (seen_in, mut seen) = tokio::sync::mpsc::unbounded_channel();
    let serve = async {
        let request = peer.request("backup.create").await;
        for done in 1..=3 {
            let id = request.get("requestId");
            peer.send(&json!({ "kind": "progress", "requestId": id, "done": done, "total": 3 }))
                .await;
            assert_eq!(seen.recv().await, Some(done));
        }
        peer.reply(&request, json!({ "path": "/b", "bytes": 1, "sha256": "00" })).await;
    };
    let backup = client.backup_create("/b".to_owned(), |progress| {
        seen_in.send(progress.done).expect("the test listens");
    });
    let (made, ()) = tokio::join!(backup, serve);
    assert_eq!(made.expect("a backup").path, "/b");
}

#[tokio::test]
async fn the_connection_closes_with_its_last_handle() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let other = client.clone();
    drop(client);
    let (answer, ()) = tokio::join!(get(&other, "a"), answer_one(&mut peer));
    assert!(answer.is_ok());
    drop(other);
    assert_eq!(peer.receive().await, None);
}

/// A Host that stops waits for its peers' ends, so a handle that stays must not keep it waiting.
#[tokio::test]
async fn the_socket_closes_with_the_hosts_end_although_a_handle_stays() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    peer.send(&json!({ "kind": "error", "code": "slow_consumer", "message": "m" })).await;
    let end = tokio::time::timeout(Duration::from_secs(10), peer.receive()).await;
    assert_eq!(end, Ok(None));
    assert!(client.closed().await.is_some());
}

#[tokio::test]
async fn all_pages_are_read() {
    let host = ScriptedHost::start();
    let (client, mut peer) = host.pair().await;
    let row = |id: &str| json!({ "sessionId": id, "name": id, "archived": false, "createdAt": 1, "revision": 1 });
    let serve = async {
        let request = peer.request("session.list").await;
        peer.reply(&request, json!({ "sessions": [row("a")], "nextCursor": "c1" })).await;
        let request = peer.request("session.list").await;
        assert_eq!(request.pointer("/input/cursor"), Some(&json!("c1")));
        assert_eq!(request.pointer("/input/includeArchived"), Some(&json!(true)));
        peer.reply(&request, json!({ "sessions": [row("b")] })).await;
    };
    let (sessions, ()) = tokio::join!(client.session_list(true), serve);
    let ids: Vec<String> =
        sessions.expect("a list").into_iter().map(|s| s.session_id.into()).collect();
    assert_eq!(ids, ["a", "b"]);
}
