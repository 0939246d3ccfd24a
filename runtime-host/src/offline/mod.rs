//! Work on a state root without a Host: what an upgrade would do, the upgrade itself, and backups.
//!
//! What reads or writes the database takes the owner lease for as long as it runs, so it never
//! meets a running Host; a plan only looks. All functions block their thread and report progress
//! through a closure. The results serialize with members in camelCase.

mod backups;
mod error;
mod upgrade;

pub use backups::{create_backup, list_backups, prune_backups, restore_backup, verify_backup};
pub use error::OfflineError;
pub use maka_storage::BackupError;
pub use maka_storage::backup::{BackupInfo, ListedBackup};
pub use maka_storage::upgrade::{Skipped, UpgradeError, UpgradePlan, UpgradeReport, UpgradeStep};
pub use upgrade::{plan, upgrade};
