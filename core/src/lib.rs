//! The pure part of Maka: the Session Todo document with its bounds and display projection, typed
//! ids, Session and Turn facts, and the ports that the other crates implement.
//!
//! Nothing here reads a clock, an environment variable, a file or a socket, and no runtime is
//! linked; a test in the workspace holds that line.

mod id;
pub mod ports;
mod session;
pub mod session_todo;
mod store_error;
mod time;
pub mod transcript;
mod turn;

pub use id::{ClientName, IdFault, SessionId, TurnId};
pub use session::{
    CopyKind, Lineage, NameFault, NewSession, Page, PageRequest, Presence, Session, SessionName,
};
pub use store_error::{EnvironmentFault, StoreError};
pub use time::Timestamp;
pub use turn::{ToolTurn, TurnState};
