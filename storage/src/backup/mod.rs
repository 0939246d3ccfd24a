//! Backups: a folder with a consistent `runtime.sqlite` and a manifest that seals it.
//!
//! Whatever is made here, a backup or a restored state root, is staged in a hidden folder beside
//! its place, synced, verified and only then renamed: it is there whole or not at all.

mod check;
mod create;
mod error;
mod inventory;
mod manifest;
mod restore;
mod shelf;
mod snapshot;
mod staging;

pub use create::{create, create_offline};
pub use error::BackupError;
pub use inventory::verify;
pub use manifest::BackupInfo;
pub use restore::restore;
pub use shelf::{ListedBackup, list, prune};

pub(crate) use snapshot::snapshot;
