//! Permissions that hold whatever the umask: folders 0700, files 0600.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;

const PRIVATE_FOLDER: u32 = 0o700;
const PRIVATE_FILE: u32 = 0o600;
const PERMISSION_BITS: u32 = 0o7777;

/// Creates a file that must not exist, readable and writable by its owner alone.
pub(crate) fn create_private_file(path: &Path) -> io::Result<File> {
    let file =
        OpenOptions::new().read(true).write(true).create_new(true).mode(PRIVATE_FILE).open(path)?;
    // The mode given to open is cut by the umask, which may take more than the others' bits.
    file.set_permissions(Permissions::from_mode(PRIVATE_FILE))?;
    Ok(file)
}

/// Makes an existing file private, by its path: a descriptor on a live database must not be
/// opened, because closing it would drop the locks that SQLite holds. An absent file is fine.
pub(crate) fn restrict_file(path: &Path) -> io::Result<()> {
    restrict(path, PRIVATE_FILE)
}

/// Makes an existing folder private.
pub(super) fn restrict_folder(path: &Path) -> io::Result<()> {
    restrict(path, PRIVATE_FOLDER)
}

fn restrict(path: &Path, wanted: u32) -> io::Result<()> {
    let mode = match fs::metadata(path) {
        Ok(metadata) => metadata.permissions().mode(),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(fault) => return Err(fault),
    };
    if mode & PERMISSION_BITS == wanted {
        return Ok(());
    }
    fs::set_permissions(path, Permissions::from_mode(wanted))
}
