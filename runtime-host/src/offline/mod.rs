//! Work on a state root without a Host: what an upgrade would do, the upgrade itself, and backups.
//!
//! What writes takes the owner lease for as long as it runs, so it never meets a running Host. All
//! functions block their thread and report progress through a closure.

mod error;
mod upgrade;

pub use error::OfflineError;
pub use maka_storage::upgrade::{Skipped, UpgradePlan, UpgradeReport, UpgradeStep};
pub use upgrade::{plan, upgrade};
