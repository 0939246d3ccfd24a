//! A hidden folder beside the place where something shall come to be.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::error::BackupError;
use super::manifest::{DATABASE, MANIFEST};

/// Between the name of the target and the number of the try.
const INFIX: &str = ".staging-";

/// What we ever put into such a folder.
const OWN_FILES: [&str; 3] = [DATABASE, MANIFEST, "runtime.sqlite-journal"];

/// The folder. It is locked while it lives, so that nobody takes it for a leftover, and removed
/// with what is in it unless it was published.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    target: PathBuf,
    parent: PathBuf,
    folder: File,
    published: bool,
}

impl Staging {
    /// Makes the folder beside `target`, which must not exist, and removes what earlier tries
    /// that were killed have left in the same place.
    ///
    /// # Errors
    /// [`BackupError::TargetExists`], or what the machine refused.
    pub(super) fn beside(target: &Path) -> Result<Self, BackupError> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let target =
            std::path::absolute(target).map_err(BackupError::io("make absolute", target))?;
        if target.symlink_metadata().is_ok() {
            return Err(BackupError::TargetExists(target));
        }
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            return Err(BackupError::TargetExists(target));
        };
        let parent = parent.to_owned();
        sweep(&parent).map_err(BackupError::io("look through", &parent))?;
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = name.to_string_lossy();
        let path = parent.join(format!(".{name}{INFIX}{:08x}{number:08x}", std::process::id()));
        let folder = make(&path).map_err(BackupError::io("create", &path))?;
        Ok(Self { path, target, parent, folder, published: false })
    }

    /// The folder.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where it shall come to be.
    pub(super) fn target(&self) -> &Path {
        &self.target
    }

    /// Syncs the folder and gives it its place, durably.
    ///
    /// # Errors
    /// [`BackupError::TargetExists`] where somebody took the place meanwhile.
    pub(super) fn publish(mut self) -> Result<PathBuf, BackupError> {
        self.folder.sync_all().map_err(BackupError::io("sync", &self.path))?;
        rename_new(&self.path, &self.target).map_err(|cause| {
            if cause.kind() == io::ErrorKind::AlreadyExists {
                BackupError::TargetExists(self.target.clone())
            } else {
                BackupError::io("create", &self.target)(cause)
            }
        })?;
        self.published = true;
        sync_folder(&self.parent)?;
        Ok(self.target.clone())
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        if !self.published {
            // What stays behind is swept by the next try.
            let _ = fs::remove_dir_all(&self.path);
        }
    }
}

/// Syncs a folder, so that the names in it are durable.
pub(super) fn sync_folder(path: &Path) -> Result<(), BackupError> {
    File::open(path).and_then(|folder| folder.sync_all()).map_err(BackupError::io("sync", path))
}

/// A name that the next try would sweep, for a folder that is to be removed.
pub(super) fn leftover_name(name: &str) -> String {
    format!(".{name}{INFIX}{:016x}", std::process::id())
}

fn make(path: &Path) -> io::Result<File> {
    DirBuilder::new().mode(0o700).create(path)?;
    // The mode given above is cut by the umask.
    fs::set_permissions(path, Permissions::from_mode(0o700))?;
    let folder = File::open(path)?;
    // Where folders cannot be locked nobody sweeps them either.
    let _ = folder.try_lock();
    Ok(folder)
}

/// Renames, but never over anything.
fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    match renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE) {
        Err(rustix::io::Errno::INVAL | rustix::io::Errno::NOSYS | rustix::io::Errno::NOTSUP) => {}
        renamed => return Ok(renamed?),
    }
    // A file system that cannot promise it: a folder still replaces nothing but an empty folder.
    if to.symlink_metadata().is_ok() {
        return Err(io::ErrorKind::AlreadyExists.into());
    }
    fs::rename(from, to)
}

/// Removes leftovers: folders with a name of ours, that hold files of ours only, and that nobody
/// holds locked.
fn sweep(parent: &Path) -> io::Result<()> {
    for entry in fs::read_dir(parent)? {
        let entry = entry?;
        let path = entry.path();
        let ours = entry.file_name().to_str().is_some_and(is_staging_name)
            && entry.file_type()?.is_dir()
            && holds_own_files_only(&path);
        if ours && File::open(&path).is_ok_and(|folder| folder.try_lock().is_ok()) {
            // A leftover that cannot be removed takes space, and hinders nothing.
            let _ = fs::remove_dir_all(&path);
        }
    }
    Ok(())
}

fn is_staging_name(name: &str) -> bool {
    let number = name.strip_prefix('.').and_then(|name| name.rsplit_once(INFIX));
    number.is_some_and(|(of, number)| {
        !of.is_empty() && number.len() == 16 && number.bytes().all(|b| b.is_ascii_hexdigit())
    })
}

fn holds_own_files_only(path: &Path) -> bool {
    let Ok(entries) = fs::read_dir(path) else { return false };
    entries.into_iter().all(|entry| {
        entry.is_ok_and(|entry| {
            entry.file_name().to_str().is_some_and(|name| OWN_FILES.contains(&name))
        })
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{Staging, is_staging_name, leftover_name};

    #[test]
    fn only_our_own_leftovers_are_swept() {
        let dir = tempfile::tempdir().expect("a folder");
        let leftover = dir.path().join(leftover_name("old"));
        let foreign = dir.path().join(leftover_name("foreign"));
        let other = dir.path().join(".old.staging-area");
        for (folder, file) in
            [(&leftover, "runtime.sqlite"), (&foreign, "mine.txt"), (&other, "runtime.sqlite")]
        {
            fs::create_dir(folder).expect("created");
            fs::write(folder.join(file), "x").expect("written");
        }
        let living = Staging::beside(&dir.path().join("a")).expect("made");
        let second = Staging::beside(&dir.path().join("b")).expect("made");
        assert!(!leftover.exists());
        assert!(foreign.exists() && other.exists());
        assert!(living.path().exists(), "a folder that is in use is no leftover");
        let path = second.path().to_owned();
        drop(second);
        assert!(!path.exists(), "what is not published goes");
    }

    #[test]
    fn nothing_is_ever_replaced() {
        let dir = tempfile::tempdir().expect("a folder");
        let target = dir.path().join("target");
        let staging = Staging::beside(&target).expect("made");
        // Taken between the check and the rename, and by what a plain rename would replace.
        fs::create_dir(&target).expect("created");
        assert!(staging.publish().is_err());
        assert!(Staging::beside(&target).is_err());
        assert_eq!(fs::read_dir(dir.path()).expect("listed").count(), 1);
    }

    #[test]
    fn names_of_other_programs_are_not_ours() {
        assert!(is_staging_name(&leftover_name("x")));
        for name in ["x.staging-0000000000000000", ".staging-0000000000000000", ".x.staging-0"] {
            assert!(!is_staging_name(name), "{name}");
        }
    }
}
