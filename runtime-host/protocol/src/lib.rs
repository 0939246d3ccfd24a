#![doc = include_str!("../README.md")]

mod error;
mod frame;
mod handshake;
mod lease;
mod message;
mod operation;
mod role;
mod session_operations;
mod status;
mod todo_operations;
mod tool_operations;

pub use error::{ErrorBody, ErrorCode};
pub use frame::{FrameDecoder, FrameFault, MAX_FRAME_BYTES, encode_frame};
pub use handshake::{Accepted, Handshake, Hello, HostState, PROTOCOL_VERSION, Refused};
pub use lease::{LEASE_FILE, LeaseText, Readiness, StartRefusal};
pub use message::{
    Domain, ErrorFrame, Invalidated, Notification, Progress, Reply, ReplyFault, ReplyOutcome,
    Request, RequestId, ServerFrame, SubscriptionId,
};
pub use operation::Operation;
pub use role::Role;
pub use session_operations::{
    SessionCreateInput, SessionGetInput, SessionListInput, SessionListResult,
    SessionOpenByNameInput, SessionOpenByNameResult, SessionRenameInput, SessionResult,
};
pub use status::{BackupCreateInput, BackupCreateResult, HostStatusResult, HostStopResult};
pub use todo_operations::{
    SessionTodoOverviewEntry, SessionTodoOverviewInput, SessionTodoOverviewResult,
    SessionTodoQueryInput, SessionTodoQueryResult, SubscriptionCloseInput, SubscriptionOpenInput,
    SubscriptionOpenResult, WireTodo,
};
pub use tool_operations::{ToolCallInput, ToolCallResult, ToolDescription, ToolListResult};

/// The most requests that a connection may have in flight; `host.status` is exempt.
pub const MAX_IN_FLIGHT: usize = 64;
