#![doc = include_str!("../README.md")]

pub mod backup;
mod database;
mod fault;
mod known_present;
mod open_error;
mod page;
mod readers;
mod root;
mod schema;
mod session_rows;
mod session_store;
mod session_todo_store;
mod sqlite_error;
pub mod upgrade;
mod writer;

pub use backup::BackupError;
pub use database::Database;
pub use fault::{FaultSyntax, Faults, InjectedFault};
pub use open_error::OpenError;
pub use root::{LeaseError, RootError, RootLease, StateRoot};
pub use schema::WORKFLOW_VERSION;
pub use session_store::SqliteSessionStore;
pub use session_todo_store::SqliteTodoStore;
