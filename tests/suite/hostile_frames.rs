//! What a Host answers to peers that break the wire's rules, over its real socket.

use maka_host_protocol::{
    ErrorCode, MAX_FRAME_BYTES, MAX_IN_FLIGHT, Notification, PROTOCOL_VERSION, Refused, ServerFrame,
};
use maka_tests::host_process::HostProcess;
use maka_tests::numbered;
use maka_tests::scratch::Scratch;
use maka_tests::wire::Wire;

const STATUS: &str = r#"{"requestId":"s","operation":"host.status","input":{}}"#;

struct Served {
    host: HostProcess,
    _scratch: Scratch,
}

fn serve() -> Served {
    let scratch = Scratch::new().unwrap();
    Served { host: HostProcess::start(&scratch.root()).unwrap(), _scratch: scratch }
}

/// Reads until the error frame that ends the connection; tells its code and how many replies came
/// before it.
fn end_of(wire: &mut Wire) -> (ErrorCode, usize) {
    let mut replies = 0;
    loop {
        match wire.next_frame().unwrap().expect("closed without an error frame") {
            ServerFrame::Reply(_) => replies += 1,
            ServerFrame::Notification(Notification::Error(error)) => {
                assert!(wire.next_line().unwrap().is_none(), "open after an error frame");
                return (error.code, replies);
            }
            ServerFrame::Notification(other) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_framing_fault_ends_the_connection_after_the_whole_lines_before_it() {
    let served = serve();
    let oversize = vec![b'x'; MAX_FRAME_BYTES + 1];
    let faults: [(&[u8], ErrorCode); 5] = [
        (&oversize, ErrorCode::FrameTooLarge),
        (b"\xff\xfe", ErrorCode::InvalidUtf8),
        (b"", ErrorCode::InvalidFrame),
        (b"{\"requestId\":", ErrorCode::InvalidFrame),
        (b"[1]", ErrorCode::InvalidFrame),
    ];
    for (bytes, code) in faults {
        let mut wire = served.host.viewer().unwrap();
        let mut sent = format!("{STATUS}\n").into_bytes();
        sent.extend_from_slice(bytes);
        sent.push(b'\n');
        wire.send(&sent).unwrap();
        assert_eq!(
            end_of(&mut wire),
            (code, 1),
            "{:?}",
            &sent[STATUS.len()..][..9.min(bytes.len())]
        );
    }
    served.host.client().unwrap().new_session("still serving").unwrap();
}

#[test]
fn a_stream_that_ends_inside_a_line_gets_its_whole_lines_answered() {
    let served = serve();
    let mut wire = served.host.viewer().unwrap();
    wire.send(format!("{STATUS}\n{{\"requestId\":\"half").as_bytes()).unwrap();
    wire.finish_sending().unwrap();
    assert_eq!(end_of(&mut wire), (ErrorCode::InvalidFrame, 1));
}

#[test]
fn a_half_closed_connection_gets_its_answer() {
    let served = serve();
    let mut wire = served.host.viewer().unwrap();
    wire.send(format!("{STATUS}\r\n").as_bytes()).unwrap();
    wire.finish_sending().unwrap();
    let frame = wire.next_frame().unwrap().unwrap();
    assert!(matches!(frame, ServerFrame::Reply(reply) if reply.ok));
}

#[test]
fn bytes_that_come_one_by_one_make_a_frame() {
    let served = serve();
    let mut wire = Wire::raw(served.host.socket()).unwrap();
    let hello = format!(
        "{{\"kind\":\"hello\",\"protocol\":{PROTOCOL_VERSION},\"role\":\"viewer\",\"clientName\":\"é\"}}\n"
    );
    for byte in hello.as_bytes() {
        wire.send(&[*byte]).unwrap();
    }
    wire.shake().unwrap();
}

#[test]
fn a_peer_without_a_proper_hello_is_refused_and_nothing_runs() {
    let served = serve();
    let mut wire = Wire::raw(served.host.socket()).unwrap();
    wire.send(format!("{STATUS}\n").as_bytes()).unwrap();
    let line = wire.next_line().unwrap().unwrap();
    assert!(line.contains("invalid_frame"), "{line}");
    assert!(wire.next_line().unwrap().is_none());

    let mut wire = Wire::raw(served.host.socket()).unwrap();
    wire.send(b"{\"kind\":\"hello\",\"protocol\":99,\"role\":\"viewer\",\"clientName\":\"x\"}\n")
        .unwrap();
    let refused = wire.shake().unwrap_err().downcast::<Refused>().unwrap();
    assert_eq!(refused.code, ErrorCode::UnsupportedProtocol);
    assert_eq!(refused.supported, Some(vec![PROTOCOL_VERSION]));

    let unknown = maka_core::SessionId::parse("nobody").unwrap();
    let refused = served.host.model(&unknown).unwrap_err().downcast::<Refused>().unwrap();
    assert_eq!(refused.code, ErrorCode::NotFound);
}

#[test]
fn bad_input_is_an_error_reply_and_the_connection_stays() {
    let served = serve();
    let mut viewer = served.host.viewer().unwrap();
    let bad = [
        ("session.todo.query", r#"{"sessionId":"a","cursor":"b"}"#, ErrorCode::InvalidRequest),
        ("session.todo.query", r#"{"sessionId":"a/b"}"#, ErrorCode::InvalidRequest),
        ("session.todo.query", r#"{"sessionId":"nobody"}"#, ErrorCode::NotFound),
        ("session.todo.replace", "{}", ErrorCode::UnknownOperation),
        ("task.ledger.query", "{}", ErrorCode::UnknownOperation),
        ("session.create", r#"{"name":"x"}"#, ErrorCode::Unauthorized),
        ("tool.call", r#"{"name":"todo_write"}"#, ErrorCode::Unauthorized),
    ];
    for (operation, input, code) in bad {
        let refused = viewer.ask(operation, input).unwrap().unwrap_err();
        assert_eq!(refused.code, code, "{operation} {input}: {refused}");
    }
    viewer.ask("host.status", "{}").unwrap().unwrap();
}

/// The 65th request in flight ends the connection; the 64 before it are answered or end with it,
/// and the list is one of those that were sent.
#[test]
fn a_65th_request_in_flight_ends_the_connection() {
    let served = serve();
    let session = served.host.client().unwrap().new_session("flooded").unwrap();
    let mut flooded = 0;
    for _ in 0..20 {
        let mut model = served.host.model(&session).unwrap();
        let mut burst = Vec::new();
        for number in 0..=MAX_IN_FLIGHT {
            let list = numbered::arguments(1, u64::try_from(number).unwrap());
            burst.extend_from_slice(
                format!("{{\"requestId\":\"{number}\",\"operation\":\"tool.call\",\"input\":{{\"name\":\"todo_write\",\"arguments\":{list}}}}}\n")
                    .as_bytes(),
            );
        }
        model.send(&burst).unwrap();
        model.finish_sending().unwrap();
        let mut replies = 0;
        while let Some(frame) = model.next_frame().unwrap() {
            match frame {
                ServerFrame::Reply(_) => replies += 1,
                ServerFrame::Notification(Notification::Error(error)) => {
                    assert_eq!(error.code, ErrorCode::InvalidFrame);
                    flooded += 1;
                }
                ServerFrame::Notification(other) => panic!("{other:?}"),
            }
        }
        assert!(replies <= MAX_IN_FLIGHT + 1);
    }
    assert!(flooded > 0, "no burst had 65 requests in flight");
    let list = served.host.viewer().unwrap().query_list(&session).unwrap();
    assert!(numbered::identify(1, &list.items.0).is_some());
}

#[test]
fn a_request_id_reused_while_in_flight_ends_the_connection() {
    let served = serve();
    let session = served.host.client().unwrap().new_session("twice").unwrap();
    let mut model = served.host.model(&session).unwrap();
    let list = numbered::arguments(1, 1);
    let request = format!(
        "{{\"requestId\":\"same\",\"operation\":\"tool.call\",\"input\":{{\"name\":\"todo_write\",\"arguments\":{list}}}}}\n"
    );
    model.send(request.repeat(2).as_bytes()).unwrap();
    assert_eq!(end_of(&mut model).0, ErrorCode::InvalidFrame);
}
