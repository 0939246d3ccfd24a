//! The handshake: one hello, one answer.

use maka_core::Presence;
use maka_host_protocol::{
    ErrorCode, ErrorFrame, FrameDecoder, Handshake, Hello, PROTOCOL_VERSION, Refused, Role,
};
use serde::Deserialize;
use tokio::io::AsyncReadExt;
use tokio::net::UnixStream;

use super::requests::framing_error;
use crate::errors::{Failure, failed_to, not_found};
use crate::services::{Peer, Services};

/// Why a connection does not come to be.
#[derive(Debug)]
pub(super) enum Rejection {
    /// The peer went away before its hello was complete.
    Gone,
    /// It broke the framing, or did not say hello.
    Fault(ErrorFrame),
    /// It said hello, and is refused.
    Refused(Handshake),
}

/// The part of a hello that every protocol shares.
#[derive(Deserialize)]
struct AnyHello {
    kind: String,
    protocol: u64,
}

/// Reads the first frame. What was read behind it stays in the decoder.
pub(super) async fn first_frame(
    stream: &mut UnixStream,
    decoder: &mut FrameDecoder,
) -> Result<String, Rejection> {
    let mut buffer = [0; 1_024];
    loop {
        match decoder.next_frame() {
            Ok(Some(line)) => return Ok(line),
            Ok(None) => {}
            Err(fault) => return Err(Rejection::Fault(framing_error(fault))),
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => {
                return Err(match decoder.finish() {
                    Ok(()) => Rejection::Gone,
                    Err(fault) => Rejection::Fault(framing_error(fault)),
                });
            }
            Ok(read) => decoder.push(buffer.get(..read).unwrap_or_default()),
        }
    }
}

/// Judges a hello.
pub(super) async fn judge(line: &str, services: &Services) -> Result<Peer, Rejection> {
    let any: AnyHello = match serde_json::from_str(line) {
        Ok(hello) => hello,
        Err(_) => return Err(Rejection::Fault(no_hello())),
    };
    if any.kind != "hello" {
        return Err(Rejection::Fault(no_hello()));
    }
    if any.protocol != u64::from(PROTOCOL_VERSION) {
        let message = format!("protocol {} is not spoken here", any.protocol);
        return Err(Rejection::Refused(Handshake::Refused(Refused {
            code: ErrorCode::UnsupportedProtocol,
            message,
            supported: Some(vec![PROTOCOL_VERSION]),
        })));
    }
    let hello: Hello = serde_json::from_str(line).map_err(|fault| {
        let detail: String = fault.to_string().chars().take(200).collect();
        refused(ErrorCode::InvalidRequest, format!("the hello is not complete: {detail}"))
    })?;
    match (hello.role, hello.session_id) {
        (Role::Model, None) => Err(refused(
            ErrorCode::InvalidRequest,
            "a model connection names its Session: add \"sessionId\" to the hello".to_owned(),
        )),
        (Role::Viewer | Role::Client, Some(_)) => Err(refused(
            ErrorCode::InvalidRequest,
            "only a model connection is bound to a Session: remove \"sessionId\" from the hello"
                .to_owned(),
        )),
        (role, None) => Ok(Peer { role, client: hello.client_name, session: None }),
        (role, Some(session)) => match services.sessions.presence(&session).await {
            Ok(Presence::Present) => {
                Ok(Peer { role, client: hello.client_name, session: Some(session) })
            }
            Ok(Presence::Removed | Presence::Absent) => {
                Err(refused(ErrorCode::NotFound, not_found(&session).message))
            }
            Err(error) => {
                let message = failed_to(&error);
                let (body, stop) = Failure::Store(error).into_body();
                if let Some(reason) = stop {
                    services.draining.begin(reason);
                }
                Err(refused(body.code, message))
            }
        },
    }
}

/// The error frame for a peer that said nothing in time.
pub(super) fn too_late() -> ErrorFrame {
    ErrorFrame {
        code: ErrorCode::InvalidFrame,
        message: "no hello came in time: send one within 5 seconds of connecting".to_owned(),
    }
}

fn no_hello() -> ErrorFrame {
    ErrorFrame {
        code: ErrorCode::InvalidFrame,
        message: "the first frame must be a hello: {\"kind\":\"hello\",\"protocol\":1,\"role\":…,\
                  \"clientName\":…}"
            .to_owned(),
    }
}

fn refused(code: ErrorCode, message: String) -> Rejection {
    Rejection::Refused(Handshake::Refused(Refused { code, message, supported: None }))
}
