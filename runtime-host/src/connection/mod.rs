//! One connection: handshake, then one task that reads requests, answers them and writes replies
//! and notifications, until either side ends it.

mod handshake;
mod limits;
mod linger;
mod outbox;
mod requests;
mod serve;

pub use limits::ConnectionLimits;
pub(crate) use serve::serve;
