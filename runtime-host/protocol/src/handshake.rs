//! The handshake: the client's hello, and the Host's one answer.

use maka_core::{ClientName, SessionId};
use serde::{Deserialize, Serialize};

use crate::{ErrorCode, Role};

/// The protocol that this build speaks.
pub const PROTOCOL_VERSION: u32 = 1;

/// The first frame of a client, due within 5 seconds:
/// `{"kind":"hello","protocol":1,"role":"viewer","clientName":"…"}`. A Host looks at `protocol`
/// before it reads the rest, which another protocol may shape otherwise. Members that are not
/// known are passed over, so that a later client can say more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename = "hello", rename_all = "camelCase", from = "TaggedHello")]
pub struct Hello {
    /// The protocol that the client speaks.
    pub protocol: u32,
    /// What the connection is.
    pub role: Role,
    /// What the client calls itself.
    pub client_name: ClientName,
    /// The one Session of a `model` connection; absent for the other roles.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session_id: Option<SessionId>,
}

/// A hello as it is read. Serde writes the tag of a struct but does not ask for it.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum TaggedHello {
    #[serde(rename_all = "camelCase")]
    Hello {
        protocol: u32,
        role: Role,
        client_name: ClientName,
        #[serde(default)]
        session_id: Option<SessionId>,
    },
}

impl From<TaggedHello> for Hello {
    fn from(hello: TaggedHello) -> Self {
        let TaggedHello::Hello { protocol, role, client_name, session_id } = hello;
        Self { protocol, role, client_name, session_id }
    }
}

/// What the Host is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HostState {
    /// Serving.
    Ready,
    /// Stopping; no new work.
    Draining,
}

/// The Host takes the connection.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Accepted {
    /// The protocol spoken from here on.
    pub protocol: u32,
    /// Names this run of the Host; another value after a reconnect means it was restarted.
    pub host_epoch: String,
    /// The Host's program version.
    pub host_version: String,
    /// What the Host is doing.
    pub state: HostState,
}

/// The Host does not take the connection, and closes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct Refused {
    /// Why, for a program.
    pub code: ErrorCode,
    /// Why, for a person.
    pub message: String,
    /// The protocols that this Host speaks, where that is the reason.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub supported: Option<Vec<u32>>,
}

/// The Host's answer to a hello.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Handshake {
    /// `{"kind":"accepted",…}`
    Accepted(Accepted),
    /// `{"kind":"refused",…}`
    Refused(Refused),
}
