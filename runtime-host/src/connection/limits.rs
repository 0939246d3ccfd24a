//! How long a connection may keep the Host waiting.

use std::time::Duration;

/// Times that a connection is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConnectionLimits {
    /// Until its hello is complete.
    pub handshake: Duration,
    /// Without taking a byte of what waits for it; over it, it is a slow consumer.
    pub write_stall: Duration,
    /// To take the last frame and close its side, once the Host has decided to close.
    pub linger: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            handshake: Duration::from_secs(5),
            write_stall: Duration::from_secs(10),
            linger: Duration::from_secs(2),
        }
    }
}
