//! The state root on disk: its folder and owner lease, the SQLite database with its upgrade to
//! workflow schema 12, the stores, and backups.

mod fault;

pub use fault::{FaultSyntax, Faults, InjectedFault};
