#![doc = include_str!("../README.md")]

mod accept;
mod admission;
mod clock;
mod config;
mod connection;
mod errors;
mod host;
mod log;
pub mod offline;
mod operations;
mod server;
mod services;
mod socket;
mod start_error;

pub use admission::{Admission, LaneLease, Reentry};
pub use clock::{SystemClock, UuidIds};
pub use config::ConfigError;
pub use connection::ConnectionLimits;
pub use host::{Host, HostOptions};
pub use maka_storage::{FaultSyntax, Faults};
pub use server::{
    ChangeSignal, Draining, SessionTodoCoordinator, SignalFault, StopReason, TodoParts,
};
pub use socket::SocketError;
pub use start_error::StartError;
