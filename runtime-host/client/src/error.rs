//! Why there is no connection, and why a call was not answered as it should be.

use std::io;
use std::path::PathBuf;

use maka_host_protocol::{ErrorBody, ErrorFrame, FrameFault, Refused, StartRefusal};

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// No Host serves this state root.
    #[error("reach a Runtime Host: none serves {}", root.display())]
    NotRunning {
        /// The state root.
        root: PathBuf,
    },
    /// The Host does not take this connection.
    #[error("connect to the Runtime Host: it refused")]
    Refused(#[source] Refused),
    /// The Host closed the connection in place of an answer to the hello.
    #[error("connect to the Runtime Host: it closed the connection")]
    Closed(#[source] Option<ErrorFrame>),
    /// The Host did not answer the hello in time (5 s).
    #[error("connect to the Runtime Host: it did not answer in time")]
    Timeout,
    /// What answered does not speak this protocol.
    #[error("connect to the Runtime Host: what answered does not speak its protocol")]
    BadHandshake,
    /// The socket failed, or the lease's file could not be read.
    #[error("connect to the Runtime Host")]
    Io(#[source] io::Error),
    /// The program of the Host could not be started.
    #[error("start the Runtime Host with {}", program.display())]
    Spawn {
        /// The program.
        program: PathBuf,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// The spawned Host does not serve, and says why.
    #[error("start the Runtime Host")]
    StartRefused(#[source] StartRefusal),
    /// The spawned Host ended without a word.
    #[error("start the Runtime Host: it ended before it was ready")]
    StartFailed,
    /// No Host served within the time that a start may take.
    #[error("start the Runtime Host: none served in time")]
    StartTimeout,
}

impl ConnectError {
    pub(crate) fn is_not_running(&self) -> bool {
        matches!(self, Self::NotRunning { .. })
    }
}

/// Why a call was not answered as it should be.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The Host answered with an error.
    #[error("{}", .0.message)]
    Refused(ErrorBody),
    /// The connection closed before an answer. Where `sent` is true the Host may have done what it
    /// was asked.
    #[error("hear from the Runtime Host: the connection closed")]
    Closed {
        /// Why the Host closed it, if it said so.
        #[source]
        frame: Option<ErrorFrame>,
        /// Whether the request had been handed to the socket.
        sent: bool,
    },
    /// The answer breaks the protocol or the document's rules, and was not used.
    #[error("understand the answer of the Runtime Host")]
    BadReply(#[source] serde_json::Error),
    /// The answer did not come in time. The Host may still do what it was asked.
    #[error("hear from the Runtime Host: no answer came in time")]
    Timeout,
    /// The request does not fit a frame, or is no JSON.
    #[error("send the request")]
    BadRequest(#[source] FrameFault),
    /// A lost connection could not be replaced.
    #[error("reach the Runtime Host again")]
    Unreachable(#[source] Box<ConnectError>),
}
