//! The upgrade of an older workspace, or of one that only the reference implementation wrote, to
//! workflow schema 12 with our own tables. One transaction, after a verified backup, and only when
//! a person asked for it.
//!
//! The tables of the reference implementation are read and stay as they are, except for the
//! removed Task Ledger and what was derived from it, which are dropped without being decoded.

mod error;
mod foreign;
mod ledger;
mod message;
mod messages;
mod plan;
mod report;
mod run;
mod session;
mod sessions;
mod todos;
mod turns;

pub use error::UpgradeError;
pub use plan::plan;
pub use report::{Skipped, UpgradePlan, UpgradeReport, UpgradeStep};
pub use run::upgrade;
