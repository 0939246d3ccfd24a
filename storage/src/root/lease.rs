//! The owner lease: an exclusive lock on `host.lock`, held for the life of the value.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;

use super::ownership::restrict_file;
use super::state_root::StateRoot;

/// More text than this in a lock file was not written by a Host.
const MAX_TEXT_BYTES: u64 = 4096;

/// Why this process cannot own the state root.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another process owns it.
    #[error("own the state root: another process holds its lease")]
    Held {
        /// What the owner wrote about itself; empty while it starts.
        text: String,
    },
    /// The machine refused.
    #[error("{act}")]
    Io {
        /// The act that failed, as a lowercase fragment.
        act: &'static str,
        /// What the machine said.
        #[source]
        cause: io::Error,
    },
}

/// Ownership of one state root. While it lives no other process gets it; dropping it gives the
/// root free.
#[derive(Debug)]
pub struct RootLease {
    root: StateRoot,
    file: File,
    identity: (u64, u64),
}

impl RootLease {
    /// Takes the lease at once or not at all.
    ///
    /// # Errors
    /// [`LeaseError::Held`] with the owner's text where another process, or another lease of this
    /// one, holds it.
    pub fn acquire(root: StateRoot) -> Result<Arc<Self>, LeaseError> {
        let path = root.lock_file();
        loop {
            let file = open(&path)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(LeaseError::Held { text: read_text(&file)? });
                }
                Err(TryLockError::Error(cause)) => return Err(io_error("lock host.lock")(cause)),
            }
            let identity = identity(&file)?;
            // Where the file was replaced between the opening and the locking, the lock is one on
            // a file that nobody else will ever look at.
            if path_identity(&path) == Some(identity) {
                file.set_len(0).map_err(io_error("clear host.lock"))?;
                return Ok(Arc::new(Self { root, file, identity }));
            }
        }
    }

    /// Writes what the owner says about itself, for those who find the lease held. The text is to
    /// be believed only while the lock is held.
    ///
    /// # Errors
    /// [`LeaseError::Io`] where the file cannot be written.
    pub fn announce(&self, text: &str) -> Result<(), LeaseError> {
        let length = u64::try_from(text.len()).unwrap_or(u64::MAX);
        self.file
            .write_all_at(text.as_bytes(), 0)
            .and_then(|()| self.file.set_len(length))
            .map_err(io_error("write host.lock"))
    }

    /// The owned state root.
    #[must_use]
    pub fn root(&self) -> &StateRoot {
        &self.root
    }

    /// Whether `host.lock` is still the file that this process locked. Once it was deleted or
    /// replaced another process may own the root, and nothing may be written any more.
    #[must_use]
    pub fn is_held(&self) -> bool {
        path_identity(&self.root.lock_file()) == Some(self.identity)
    }
}

impl Drop for RootLease {
    fn drop(&mut self) {
        // The lock itself goes with the descriptor. A text that stays behind misleads nobody, so
        // a failure to clear it is of no consequence.
        let _ = self.file.set_len(0);
    }
}

fn open(path: &Path) -> Result<File, LeaseError> {
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(path)
        .map_err(io_error("open host.lock"))?;
    restrict_file(path).map_err(io_error("make host.lock private"))?;
    Ok(file)
}

fn read_text(file: &File) -> Result<String, LeaseError> {
    let mut bytes = Vec::new();
    file.take(MAX_TEXT_BYTES).read_to_end(&mut bytes).map_err(io_error("read host.lock"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn identity(file: &File) -> Result<(u64, u64), LeaseError> {
    let metadata = file.metadata().map_err(io_error("look at host.lock"))?;
    Ok((metadata.dev(), metadata.ino()))
}

fn path_identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}

fn io_error(act: &'static str) -> impl FnOnce(io::Error) -> LeaseError {
    move |cause| LeaseError::Io { act, cause }
}
