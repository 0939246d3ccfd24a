//! The Todo documents in SQLite.
//!
//! The list stands in `workflow_session_todo_documents`, the table that the reference
//! implementation released; the counts of each list stand beside it in our own table and change in
//! the same transaction. A list replaced by a tool call and the Turn that settles the call are one
//! transaction too.

mod copy;
mod overview;
mod replace;
mod rows;
mod store;

pub use store::SqliteTodoStore;

pub(crate) use rows::delete;
