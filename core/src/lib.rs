#![doc = include_str!("../README.md")]

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
