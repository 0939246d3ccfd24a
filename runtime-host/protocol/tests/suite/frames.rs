//! Every kind of frame as it stands on the wire.

use maka_core::{ClientName, SessionId};
use maka_host_protocol::{
    Accepted, Domain, ErrorBody, ErrorCode, ErrorFrame, Handshake, Hello, HostState, Invalidated,
    Notification, PROTOCOL_VERSION, Progress, Refused, Reply, Request, RequestId, Role,
    SubscriptionId, encode_frame,
};
use serde::Serialize;
use serde_json::value::to_raw_value;

fn line(message: &impl Serialize) -> String {
    String::from_utf8(encode_frame(message).expect("it fits")).expect("UTF-8")
}

fn session() -> SessionId {
    SessionId::parse("s-1").expect("an id")
}

fn hello(role: Role, session_id: Option<SessionId>) -> Hello {
    let client_name = ClientName::parse("maka").expect("a name");
    Hello { protocol: PROTOCOL_VERSION, role, client_name, session_id }
}

#[test]
fn the_handshake() {
    let accepted = Accepted {
        protocol: 1,
        host_epoch: "e-1".to_owned(),
        host_version: "0.1.0".to_owned(),
        state: HostState::Ready,
    };
    let refused = Refused {
        code: ErrorCode::UnsupportedProtocol,
        message: "protocol 2 is not spoken here".to_owned(),
        supported: Some(vec![1]),
    };
    let lines = [
        line(&hello(Role::Viewer, None)),
        line(&hello(Role::Model, Some(session()))),
        line(&Handshake::Accepted(accepted)),
        line(&Handshake::Refused(refused)),
    ];
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn requests_and_replies() {
    let id = || RequestId("7".to_owned());
    let operation = || "session.get".to_owned();
    let input = Some(to_raw_value(&serde_json::json!({ "sessionId": "s-1" })).expect("raw"));
    let error = ErrorBody::new(ErrorCode::NotFound, "there is no Session s-1");
    let lines = [
        line(&Request { request_id: id(), operation: operation(), input }),
        line(&Request { request_id: id(), operation: operation(), input: None }),
        line(&Reply::new(id(), operation(), Ok(to_raw_value(&[1]).expect("raw")))),
        line(&Reply::new(id(), operation(), Err(error.clone()))),
        line(&Reply::new(id(), operation(), Err(error.with_hint("see `maka session list`")))),
    ];
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn notifications() {
    let signal = |domain| {
        line(&Notification::Invalidated(Invalidated {
            subscription_id: SubscriptionId("1".to_owned()),
            host_epoch: "e-1".to_owned(),
            sequence: 3,
            session_id: session(),
            domain,
        }))
    };
    let progress = Progress { request_id: RequestId("7".to_owned()), done: 1, total: 9 };
    let error =
        ErrorFrame { code: ErrorCode::FrameTooLarge, message: "a line is too long".to_owned() };
    let lines = [
        signal(Domain::Todo),
        signal(Domain::Session),
        signal(Domain::Transcript),
        line(&Notification::Progress(progress)),
        line(&Notification::Error(error)),
    ];
    insta::assert_snapshot!(lines.concat());
}

#[test]
fn error_codes() {
    let codes = [
        ErrorCode::HostDraining,
        ErrorCode::InvalidRequest,
        ErrorCode::UnknownOperation,
        ErrorCode::Unauthorized,
        ErrorCode::NotFound,
        ErrorCode::SessionBusy,
        ErrorCode::OperationConflict,
        ErrorCode::PersistenceFailed,
        ErrorCode::CommitOutcomeUnknown,
        ErrorCode::WorkspaceNeedsUpgrade,
        ErrorCode::InternalFailure,
        ErrorCode::FrameTooLarge,
        ErrorCode::InvalidUtf8,
        ErrorCode::InvalidFrame,
        ErrorCode::SlowConsumer,
        ErrorCode::UnsupportedProtocol,
    ];
    insta::assert_snapshot!(codes.map(|code| line(&code)).concat());
}
