//! Whether a folder holds exactly what its manifest lists, byte for byte.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;

use sha2::{Digest, Sha256};

use super::check;
use super::error::BackupError;
use super::manifest::{BackupInfo, DATABASE, FileEntry, MANIFEST, Manifest};

/// Bytes read at once, and between two calls of a progress callback.
const PIECE: usize = 1 << 20;

/// Told how many bytes of how many are done.
pub(super) type Progress<'a> = &'a mut dyn FnMut(u64, u64);

/// Verifies a backup: its inventory, the hash of each file, and that its database is whole and
/// not newer than it says. `progress` hears bytes done of bytes in all, once a mebibyte.
///
/// # Errors
/// [`BackupError`] with the first thing that is wrong.
pub fn verify(dir: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<BackupInfo, BackupError> {
    let manifest = Manifest::read(dir)?;
    check_names(dir, &manifest)?;
    let entry = manifest.database(dir)?;
    verify_file(dir, entry, &mut std::io::sink(), &mut Tally::new(entry, progress))?;
    check::database(dir, &dir.join(DATABASE), manifest.native_version)?;
    manifest.info(dir)
}

/// Checks that the folder holds the manifest and the database that it lists, of its size, and
/// nothing else.
pub(super) fn check_names(dir: &Path, manifest: &Manifest) -> Result<(), BackupError> {
    let corrupt = |fault: String| Err(BackupError::corrupt(dir, fault));
    let listed = manifest.database(dir)?;
    let entries = fs::read_dir(dir).map_err(BackupError::io("list", dir))?;
    for entry in entries {
        let entry = entry.map_err(BackupError::io("list", dir))?;
        let name = entry.file_name();
        // This does not follow a symbolic link.
        let kind = entry.file_type().map_err(BackupError::io("look at", &entry.path()))?;
        if !kind.is_file() {
            return corrupt(format!("it holds {name:?}, which is not an ordinary file"));
        }
        if name != MANIFEST && name != DATABASE {
            return corrupt(format!("it holds {name:?}, which its manifest does not list"));
        }
    }
    match dir.join(DATABASE).symlink_metadata().map(|metadata| metadata.len()) {
        Ok(size) if size == listed.size => Ok(()),
        Ok(_) => corrupt(format!("its {DATABASE} has another size than listed")),
        Err(_) => corrupt(format!("its {DATABASE} is missing")),
    }
}

/// Reads one listed file once, writes what it reads to `copy`, and compares its hash.
pub(super) fn verify_file(
    dir: &Path,
    entry: &FileEntry,
    copy: &mut dyn Write,
    tally: &mut Tally<'_>,
) -> Result<(), BackupError> {
    let path = dir.join(&entry.path);
    let found = hash(&path, copy, tally)?;
    if (found.size, &found.sha256) == (entry.size, &entry.sha256) {
        return Ok(());
    }
    let fault = format!("{:?} is not the file that its manifest lists", entry.path);
    Err(BackupError::corrupt(dir, fault))
}

/// Describes a file in one pass over it.
pub(super) fn hash(
    path: &Path,
    copy: &mut dyn Write,
    tally: &mut Tally<'_>,
) -> Result<FileEntry, BackupError> {
    let mut file = File::open(path).map_err(BackupError::io("open", path))?;
    let mut piece = vec![0; PIECE];
    let mut digest = Sha256::new();
    let mut size = 0;
    loop {
        let read = file.read(&mut piece).map_err(BackupError::io("read", path))?;
        let Some(bytes) = piece.get(..read).filter(|bytes| !bytes.is_empty()) else { break };
        digest.update(bytes);
        copy.write_all(bytes).map_err(BackupError::io("copy", path))?;
        let read = u64::try_from(read).unwrap_or(u64::MAX);
        size += read;
        tally.add(read);
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let sha256 = digest.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(FileEntry { path: name.to_owned(), size, sha256 })
}

/// Adds up what is done and tells it.
pub(super) struct Tally<'a> {
    done: u64,
    total: u64,
    progress: Progress<'a>,
}

impl<'a> Tally<'a> {
    pub(super) fn new(entry: &FileEntry, progress: Progress<'a>) -> Self {
        Self { done: 0, total: entry.size, progress }
    }

    /// Tells nobody.
    pub(super) fn silent(progress: Progress<'a>) -> Self {
        Self { done: 0, total: 0, progress }
    }

    fn add(&mut self, bytes: u64) {
        self.done += bytes;
        (self.progress)(self.done, self.total.max(self.done));
    }
}
