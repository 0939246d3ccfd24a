//! Restoring a backup as a new state root.

use std::path::Path;

use super::check;
use super::error::BackupError;
use super::inventory::{Tally, check_names, verify_file};
use super::manifest::{BackupInfo, DATABASE, Manifest};
use super::staging::Staging;
use crate::root::create_private_file;

/// Restores a backup into `new_root`, which must not exist, so no Host can be running on it. The
/// database comes back as it is, whatever its schema; an older one is upgraded, after a backup of
/// its own, when a person asks for that. What is copied is what was verified. `progress` hears
/// bytes done of bytes in all, once a mebibyte. The path of the result is the new root.
///
/// # Errors
/// [`BackupError`]; nothing stands at `new_root`.
pub fn restore(
    dir: &Path,
    new_root: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, BackupError> {
    let manifest = Manifest::read(dir)?;
    check_names(dir, &manifest)?;
    let info = manifest.info(dir)?;
    let staging = Staging::beside(new_root)?;
    let entry = manifest.database(dir)?;
    let path = staging.path().join(DATABASE);
    let mut copy = create_private_file(&path).map_err(BackupError::io("create", &path))?;
    verify_file(dir, entry, &mut copy, &mut Tally::new(entry, progress))?;
    copy.sync_all().map_err(BackupError::io("sync", &path))?;
    drop(copy);
    check::database(dir, &path, manifest.native_version)?;
    Ok(BackupInfo { path: staging.publish()?, ..info })
}
