//! The clock and the ids of a running Host.

use std::time::{SystemTime, UNIX_EPOCH};

use maka_core::ports::{Clock, IdSource};
use maka_core::{SessionId, Timestamp, TurnId};
use uuid::Uuid;

/// The machine's wall clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        // A clock before 1970 reads as 1970: nothing depends on the order of instants.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp::from_millis(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
    }
}

/// Version 7 UUIDs: unique, and in the order of their making.
#[derive(Debug, Clone, Copy, Default)]
pub struct UuidIds;

impl IdSource for UuidIds {
    #[expect(clippy::expect_used, reason = "a hyphenated UUID is 36 letters of the id's alphabet")]
    fn session_id(&self) -> SessionId {
        SessionId::parse(Uuid::now_v7().to_string()).expect("a UUID is a Session id")
    }

    #[expect(clippy::expect_used, reason = "a hyphenated UUID holds no control character")]
    fn turn_id(&self) -> TurnId {
        TurnId::parse(Uuid::now_v7().to_string()).expect("a UUID is a Turn id")
    }
}
