//! The backups in a state root's own folder of backups.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::error::BackupError;
use super::inventory::check_names;
use super::manifest::{BackupInfo, MANIFEST, Manifest};
use super::staging::{leftover_name, sync_folder};
use crate::StateRoot;

/// One folder that has the manifest of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedBackup {
    /// The folder.
    pub path: PathBuf,
    /// What it says of itself; `None` where that cannot be read.
    pub info: Option<BackupInfo>,
    /// What is plainly wrong with it; hashes are not looked at.
    pub problem: Option<String>,
}

/// Lists the backups of a state root, newest first, those that cannot be read last. Folders without
/// a manifest are not backups. No hash is taken: see [`super::verify`].
///
/// # Errors
/// [`BackupError::Io`] where the folder cannot be listed. That there is none is fine.
pub fn list(root: &StateRoot) -> Result<Vec<ListedBackup>, BackupError> {
    let shelf = root.backups();
    let entries = match fs::read_dir(&shelf) {
        Ok(entries) => entries,
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(cause) => return Err(BackupError::io("list", &shelf)(cause)),
    };
    let mut listed = Vec::new();
    for entry in entries {
        let entry = entry.map_err(BackupError::io("list", &shelf))?;
        let path = entry.path();
        let hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        let folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if folder && !hidden && path.join(MANIFEST).symlink_metadata().is_ok() {
            listed.push(look_at(path));
        }
    }
    listed.sort_by(|a, b| {
        let key = |backup: &ListedBackup| backup.info.as_ref().map(|info| info.created_at);
        key(b).cmp(&key(a)).then_with(|| b.path.cmp(&a.path))
    });
    Ok(listed)
}

fn look_at(path: PathBuf) -> ListedBackup {
    let manifest = Manifest::read(&path);
    let info = manifest.as_ref().ok().and_then(|manifest| manifest.info(&path).ok());
    let checked = manifest.and_then(|manifest| {
        check_names(&path, &manifest)?;
        manifest.info(&path)
    });
    ListedBackup { path, info, problem: checked.err().map(|error| error.to_string()) }
}

/// Removes the oldest backups of a state root beyond the `keep` newest, and returns the removed
/// folders, newest first. Damaged backups and everything else in the folder stay.
///
/// # Errors
/// [`BackupError::Io`] where a folder cannot be removed; those before it are gone.
pub fn prune(root: &StateRoot, keep: usize) -> Result<Vec<PathBuf>, BackupError> {
    let whole = list(root)?.into_iter().filter(|backup| backup.problem.is_none());
    let mut removed = Vec::new();
    for backup in whole.skip(keep) {
        remove(&root.backups(), &backup.path)?;
        removed.push(backup.path);
    }
    Ok(removed)
}

/// Takes the folder's name away first, so that a half removed backup is never taken for one.
fn remove(shelf: &Path, path: &Path) -> Result<(), BackupError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let aside = shelf.join(leftover_name(&name));
    fs::rename(path, &aside).map_err(BackupError::io("remove", path))?;
    sync_folder(shelf)?;
    fs::remove_dir_all(&aside).map_err(BackupError::io("remove", &aside))
}
