//! The state root on disk: its folder and owner lease, the SQLite database with its upgrade to
//! workflow schema 12, the stores, and backups.

mod fault;
mod open_error;
mod root;
mod schema;
mod sqlite_error;

pub use fault::{FaultSyntax, Faults, InjectedFault};
pub use open_error::OpenError;
pub use root::{LeaseError, RootError, RootLease, StateRoot};
