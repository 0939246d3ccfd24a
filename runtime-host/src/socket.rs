//! The socket's place on disk: in the state root, or, where that path is too long for the system,
//! in a private folder elsewhere.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, FileTypeExt, MetadataExt, PermissionsExt};
use std::os::unix::net::SocketAddr;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tokio::net::UnixListener;

/// Why no socket could be bound.
#[derive(Debug, thiserror::Error)]
pub enum SocketError {
    /// The folder for short paths is not private.
    #[error("use the folder {} for the socket: {found}", path.display())]
    NotPrivate {
        /// The folder.
        path: PathBuf,
        /// What is wrong with it.
        found: &'static str,
    },
    /// The machine refused.
    #[error("{act} {}", path.display())]
    Io {
        /// The act that failed, as a lowercase fragment that the path follows.
        act: &'static str,
        /// The path.
        path: PathBuf,
        /// What the machine said.
        #[source]
        cause: io::Error,
    },
}

/// A bound socket. Dropping it removes its file, and the folder that was made for it.
#[derive(Debug)]
pub(crate) struct HostSocket {
    path: PathBuf,
    own_folder: Option<PathBuf>,
    ours: bool,
}

impl HostSocket {
    /// Binds the socket of `root`. The caller holds the owner lease, so a file that stands there
    /// belongs to a Host that is gone, and is removed.
    ///
    /// # Errors
    /// [`SocketError`].
    pub(crate) fn bind(
        root: &Path,
        wanted: PathBuf,
        runtime_dir: Option<&Path>,
    ) -> Result<(Self, UnixListener), SocketError> {
        let (path, own_folder) = if SocketAddr::from_pathname(&wanted).is_ok() {
            (wanted, None)
        } else {
            let folder = short_folder(root, runtime_dir);
            private_folder(&folder)?;
            (folder.join("host.sock"), Some(folder))
        };
        let standing = fs::symlink_metadata(&path);
        if standing.is_ok_and(|found| !found.file_type().is_socket()) {
            // Whatever it is, no Host left it: it is not ours to delete.
            let cause = io::ErrorKind::AlreadyExists.into();
            return Err(io_error("replace what is not a socket; move it away from", &path)(cause));
        }
        match fs::remove_file(&path) {
            Ok(()) => tracing::info!("a stale socket was removed"),
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => {}
            Err(cause) => return Err(io_error("remove the stale socket", &path)(cause)),
        }
        let listener = UnixListener::bind(&path).map_err(io_error("bind the socket", &path))?;
        // The folder is private already; this holds also where somebody opens it up.
        fs::set_permissions(&path, Permissions::from_mode(0o600))
            .map_err(io_error("make private the socket", &path))?;
        Ok((Self { path, own_folder, ours: true }, listener))
    }

    /// Gives the file up without removing it: the lease was lost, and what stands there now may be
    /// another Host's.
    pub(crate) fn leave(mut self) {
        self.ours = false;
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for HostSocket {
    fn drop(&mut self) {
        if !self.ours {
            return;
        }
        // What cannot be removed is stale for the next Host, which removes it under its lease.
        let _ = fs::remove_file(&self.path);
        if let Some(folder) = &self.own_folder {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The folder for a root whose own path is too long: one for each root, in the user's runtime
/// folder, else in the folder for temporary files.
fn short_folder(root: &Path, runtime_dir: Option<&Path>) -> PathBuf {
    let digest = Sha256::digest(root.as_os_str().as_encoded_bytes());
    let hash: String = digest.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
    let uid = rustix::process::geteuid().as_raw();
    let candidates = [
        runtime_dir.map(|folder| folder.join(format!("maka-{hash}"))),
        Some(std::env::temp_dir().join(format!("maka-{uid}-{hash}"))),
    ];
    let fits = |folder: &PathBuf| SocketAddr::from_pathname(folder.join("host.sock")).is_ok();
    candidates
        .into_iter()
        .flatten()
        .find(fits)
        .unwrap_or_else(|| PathBuf::from(format!("/tmp/maka-{uid}-{hash}")))
}

/// Makes a folder that is ours alone, or checks that it is.
fn private_folder(path: &Path) -> Result<(), SocketError> {
    match DirBuilder::new().mode(0o700).create(path) {
        Ok(()) => {}
        Err(fault) if fault.kind() == io::ErrorKind::AlreadyExists => {}
        Err(cause) => return Err(io_error("create the socket's folder", path)(cause)),
    }
    // The link itself is looked at: another user's link to a folder of ours is not ours.
    let found = fs::symlink_metadata(path).map_err(io_error("look at", path))?;
    let refuse = |found| Err(SocketError::NotPrivate { path: path.to_owned(), found });
    if !found.is_dir() {
        return refuse("it is not a folder");
    }
    if found.uid() != rustix::process::geteuid().as_raw() {
        return refuse("it belongs to another user");
    }
    if found.mode() & 0o077 != 0 {
        return refuse("other users may enter it; set its mode to 0700 or remove it");
    }
    Ok(())
}

fn io_error(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SocketError {
    let path = path.to_owned();
    move |cause| SocketError::Io { act, path, cause }
}

#[cfg(test)]
mod tests {
    use std::fs::Permissions;
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::{SocketError, private_folder, short_folder};

    #[test]
    fn a_folder_that_others_may_enter_or_that_is_a_link_is_refused() {
        let temp = tempfile::tempdir().expect("a folder");
        let open = temp.path().join("open");
        std::fs::create_dir(&open).expect("created");
        std::fs::set_permissions(&open, Permissions::from_mode(0o755)).expect("set");
        assert!(matches!(private_folder(&open), Err(SocketError::NotPrivate { .. })));
        let own = temp.path().join("own");
        private_folder(&own).expect("created");
        private_folder(&own).expect("found again");
        let link = temp.path().join("link");
        symlink(&own, &link).expect("linked");
        assert!(matches!(private_folder(&link), Err(SocketError::NotPrivate { .. })));
    }

    #[test]
    fn each_root_has_its_own_short_folder() {
        let short = |root: &str| short_folder(root.as_ref(), Some("/run/user/1".as_ref()));
        assert_ne!(short("/a"), short("/b"));
        assert!(short("/a").starts_with("/run/user/1"));
        let long = "/x".repeat(60);
        let elsewhere = short_folder("/a".as_ref(), Some(long.as_ref()));
        assert!(!elsewhere.starts_with(&long), "a long runtime folder is of no use");
    }
}
