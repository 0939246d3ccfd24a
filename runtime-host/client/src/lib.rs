#![doc = include_str!("../README.md")]

mod client;
mod connect;
mod connection;
mod error;
mod identity;
mod operations;
mod pending;
mod reconnecting;
mod spawn;
mod subscription;
mod watch;

pub use client::HostClient;
pub use error::{CallError, ConnectError};
pub use identity::Identity;
pub use reconnecting::ReconnectingClient;
pub use spawn::SpawnSpec;
pub use subscription::Subscription;
pub use watch::{Signal, Watch};

pub use maka_host_protocol::{
    Accepted, BackupCreateInput, BackupCreateResult, Domain, ErrorBody, ErrorCode, ErrorFrame,
    HostState, HostStatusResult, HostStopResult, Invalidated, LEASE_FILE, LeaseText, Operation,
    Progress, Readiness, Refused, Role, SessionCreateInput, SessionGetInput, SessionListInput,
    SessionListResult, SessionOpenByNameInput, SessionOpenByNameResult, SessionRenameInput,
    SessionResult, SessionTodoOverviewEntry, SessionTodoOverviewInput, SessionTodoOverviewResult,
    SessionTodoQueryInput, SessionTodoQueryResult, StartRefusal, ToolCallInput, ToolCallResult,
    ToolDescription, ToolListResult, WireTodo,
};
