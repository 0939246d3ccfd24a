//! The suite of the wire.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

mod decoder;
mod documents;
mod frames;
mod handshake;
mod operations;
mod requests;
