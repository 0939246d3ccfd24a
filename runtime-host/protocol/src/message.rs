//! Requests, replies, notifications and error frames.

use maka_core::SessionId;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{ErrorBody, ErrorCode};

/// Names a request on its connection, 1 to 128 bytes, chosen by the client and not in flight twice.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(pub String);

/// Names a subscription on its connection; chosen by the Host.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SubscriptionId(pub String);

/// `{"requestId","operation","input"}`. The input stays raw JSON until the operation reads it, so
/// that a fault in it is that operation's error and not the connection's end.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Request {
    /// Names the request.
    pub request_id: RequestId,
    /// The operation's name on the wire.
    pub operation: String,
    /// The operation's input; absent reads as `{}`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub input: Option<Box<RawValue>>,
}

/// `{"requestId","operation","ok":true,"result"}` or `{…,"ok":false,"error"}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Reply {
    /// The request that is answered.
    pub request_id: RequestId,
    /// The operation that was named.
    pub operation: String,
    /// Whether `result` or `error` follows.
    pub ok: bool,
    /// The result, raw until the caller reads it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub result: Option<Box<RawValue>>,
    /// The error.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub error: Option<ErrorBody>,
}

/// How a request ended.
pub type ReplyOutcome = Result<Box<RawValue>, ErrorBody>;

/// A reply that is neither a result nor an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[error("a reply holds neither exactly a result nor exactly an error")]
pub struct ReplyFault;

impl Reply {
    /// Builds the reply to a request.
    #[must_use]
    pub fn new(request_id: RequestId, operation: String, outcome: ReplyOutcome) -> Self {
        let ok = outcome.is_ok();
        let (result, error) = match outcome {
            Ok(result) => (Some(result), None),
            Err(error) => (None, Some(error)),
        };
        Self { request_id, operation, ok, result, error }
    }

    /// How the request ended.
    ///
    /// # Errors
    /// [`ReplyFault`] where `ok` does not agree with what follows it.
    pub fn into_outcome(self) -> Result<ReplyOutcome, ReplyFault> {
        match (self.ok, self.result, self.error) {
            (true, Some(result), None) => Ok(Ok(result)),
            (false, None, Some(error)) => Ok(Err(error)),
            _ => Err(ReplyFault),
        }
    }
}

/// What changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Domain {
    /// The Session's list.
    Todo,
    /// The Session's own facts: created, renamed, archived, removed.
    Session,
    /// The Session's transcript.
    Transcript,
}

/// A change signal: identity only, never content, coalesced per Session and domain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Invalidated {
    /// The subscription that asked for it.
    pub subscription_id: SubscriptionId,
    /// The Host's run.
    pub host_epoch: String,
    /// Counts the signals of this subscription, from 1.
    pub sequence: u64,
    /// Whose state changed.
    pub session_id: SessionId,
    /// What changed.
    pub domain: Domain,
}

/// How far a long operation is; at most a few a second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Progress {
    /// The request that runs.
    pub request_id: RequestId,
    /// Units done.
    pub done: u64,
    /// Units in all, as far as known now.
    pub total: u64,
}

/// A frame that answers no request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Notification {
    /// `{"kind":"invalidated",…}`
    Invalidated(Invalidated),
    /// `{"kind":"progress",…}`
    Progress(Progress),
    /// `{"kind":"error",…}`, the last frame before the Host closes.
    Error(ErrorFrame),
}

/// Why the Host closes the connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{message}")]
pub struct ErrorFrame {
    /// The code.
    pub code: ErrorCode,
    /// What went wrong, for a person.
    pub message: String,
}

/// Any frame of the Host after the handshake.
#[derive(Debug, Clone)]
pub enum ServerFrame {
    /// An answer to a request.
    Reply(Reply),
    /// Anything else.
    Notification(Notification),
}

impl ServerFrame {
    /// Reads a frame of the Host.
    ///
    /// # Errors
    /// Where the line is neither a reply nor a notification.
    pub fn parse(line: &str) -> Result<Self, serde_json::Error> {
        // Raw results cannot pass through an untagged enum, and replies are the common case.
        serde_json::from_str(line)
            .map(Self::Reply)
            .or_else(|_| serde_json::from_str(line).map(Self::Notification))
    }
}
