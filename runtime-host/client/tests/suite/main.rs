//! The suite of the client, against a Host that the tests script.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod calls;
mod connecting;
mod reconnecting;
mod scripted_host;
mod spawning;
mod subscriptions;
