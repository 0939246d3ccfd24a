//! The upgrade of an older workspace, and what it would do.

use std::path::Path;

use maka_core::ports::Clock;
use maka_storage::upgrade::{UpgradePlan, UpgradeReport, UpgradeStep};
use maka_storage::{Faults, RootLease, StateRoot};

use super::OfflineError;
use crate::clock::SystemClock;
use crate::start_error::StartError;

/// Tells what an upgrade of the workspace would do. Changes not a byte of it and takes no lease,
/// so it may be asked while a Host runs.
///
/// # Errors
/// [`OfflineError`] where an upgrade would refuse the workspace.
pub fn plan(root: &Path) -> Result<UpgradePlan, OfflineError> {
    let root = StateRoot::open_existing(root).map_err(StartError::from)?;
    Ok(maka_storage::upgrade::plan(&root).map_err(StartError::from)?)
}

/// Upgrades the workspace, after a verified backup. To be called only when a person asked for it.
/// Where nothing needs an upgrade, nothing is written and no backup made.
///
/// # Errors
/// [`OfflineError`]; the workspace is as it was, except where the error says that this cannot be
/// known. [`StartError::Held`] where a Host runs.
pub fn upgrade(
    root: &Path,
    faults: &Faults,
    progress: &mut dyn FnMut(UpgradeStep),
) -> Result<UpgradeReport, OfflineError> {
    let root = StateRoot::open_existing(root).map_err(StartError::from)?;
    let lease = RootLease::acquire(root).map_err(StartError::from)?;
    let report = maka_storage::upgrade::upgrade(&lease, SystemClock.now(), faults, progress);
    Ok(report.map_err(StartError::from)?)
}
