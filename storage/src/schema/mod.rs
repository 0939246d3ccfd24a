//! What the database must look like: which files are opened, which are upgraded and which are
//! refused, and how a fresh one is made.
//!
//! Ours are the scopes `workflow` and `maka` of the registry with their tables. Everything else
//! in a workspace belongs to the reference implementation and is looked at only where it hangs on
//! a table of ours or on one that the upgrade drops.

mod connect;
mod ddl;
mod fresh;
mod inspect;
mod objects;
mod open;
mod registry;
mod shapes;

pub(crate) use connect::{checkpoint_on_close, open_observer, open_reader, sole_connection};
pub(crate) use fresh::{create_own_tables, create_todo_table, register};
pub(crate) use inspect::{
    HINT_STRANGE, OldWorkspace, Standing, blocked, inspect, read_error, write_error,
};
pub(crate) use open::{beside, check_writable, io_error, open_writer, prepare_files, set_log_mode};
pub use shapes::WORKFLOW_VERSION;
pub(crate) use shapes::{LEDGER, PLAN_PROJECTIONS, Released, TASK_PROJECTIONS, TODO};
