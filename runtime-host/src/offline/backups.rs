//! Backups of a state root that no Host serves, and what is done with backups.

use std::path::{Path, PathBuf};

use maka_core::ports::Clock;
use maka_storage::backup::{self, BackupInfo, ListedBackup};
use maka_storage::{RootLease, StateRoot};

use super::OfflineError;
use crate::clock::SystemClock;
use crate::start_error::StartError;

/// Makes a verified backup at `target`, which must not exist. The database may be of any schema,
/// also one that still waits for its upgrade. `progress` hears pages done of pages in all.
///
/// # Errors
/// [`OfflineError`]; nothing stands at `target`. [`StartError::Held`] where a Host runs: ask it.
pub fn create_backup(
    root: &Path,
    target: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, OfflineError> {
    let root = existing(root)?;
    let lease = RootLease::acquire(root).map_err(StartError::from)?;
    Ok(backup::create_offline(&lease, target, SystemClock.now(), progress)?)
}

/// Lists the backups in the state root's own folder of backups, newest first.
///
/// # Errors
/// [`OfflineError`] where the folder cannot be read.
pub fn list_backups(root: &Path) -> Result<Vec<ListedBackup>, OfflineError> {
    Ok(backup::list(&existing(root)?)?)
}

/// Verifies a backup wherever it stands. `progress` hears bytes done of bytes in all.
///
/// # Errors
/// [`OfflineError`] with the first thing that is wrong.
pub fn verify_backup(
    dir: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, OfflineError> {
    Ok(backup::verify(dir, progress)?)
}

/// Restores a backup as the state root `new_root`, which must not exist, so no Host runs on it.
/// An older schema comes back as it is. `progress` hears bytes done of bytes in all. The path of
/// the result is the new root.
///
/// # Errors
/// [`OfflineError`]; nothing stands at `new_root`.
pub fn restore_backup(
    dir: &Path,
    new_root: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, OfflineError> {
    Ok(backup::restore(dir, new_root, progress)?)
}

/// Removes the oldest backups of a state root beyond the `keep` newest, and names them. Damaged
/// ones stay.
///
/// # Errors
/// [`OfflineError`] where a folder cannot be removed; those before it are gone.
pub fn prune_backups(root: &Path, keep: usize) -> Result<Vec<PathBuf>, OfflineError> {
    Ok(backup::prune(&existing(root)?, keep)?)
}

fn existing(root: &Path) -> Result<StateRoot, StartError> {
    Ok(StateRoot::open_existing(root)?)
}
