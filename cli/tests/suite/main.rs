//! The real `maka` command, each test on a state root of its own.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

mod backup;
mod bad_input;
mod demo;
mod exit_codes;
mod help;
mod host;
mod mcp;
mod old_workspace;
mod session;
mod todo;
mod tool;
mod watch;
mod world;
