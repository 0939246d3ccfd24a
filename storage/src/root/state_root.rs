//! The folder itself and the names in it.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::ownership::restrict_folder;

/// Why a folder cannot be a state root.
#[derive(Debug, thiserror::Error)]
pub enum RootError {
    /// There is nothing at the path.
    #[error("find the state root {}: there is no such folder", .0.display())]
    Missing(PathBuf),
    /// Something else stands at the path.
    #[error("use {} as the state root: it is not a folder", .0.display())]
    NotAFolder(PathBuf),
    /// It belongs to another user.
    #[error(
        "use {} as the state root: it belongs to user {owner}, not to you (user {own})",
        path.display()
    )]
    ForeignOwner {
        /// The folder.
        path: PathBuf,
        /// Whose it is, as a user id.
        owner: u32,
        /// Who asks, as a user id.
        own: u32,
    },
    /// Files cannot be created in it.
    #[error("write to the state root {}: allow yourself to write there, or choose another", .0.display())]
    Unwritable(PathBuf),
    /// The machine refused.
    #[error("{act} {}", path.display())]
    Io {
        /// The act that failed, as a lowercase fragment that the path follows.
        act: &'static str,
        /// The folder.
        path: PathBuf,
        /// What the machine said.
        #[source]
        cause: io::Error,
    },
}

/// A folder that holds one workspace. The value is a checked path; it keeps nothing open.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateRoot {
    path: PathBuf,
}

impl StateRoot {
    /// Takes the folder, creating it and its missing parents, and makes it private (0700).
    ///
    /// # Errors
    /// [`RootError`] where the path is a file, belongs to someone else or cannot be written.
    pub fn open_or_create(path: &Path) -> Result<Self, RootError> {
        let path = absolute(path)?;
        if fs::symlink_metadata(&path).is_err() {
            DirBuilder::new()
                .recursive(true)
                .mode(0o700)
                .create(&path)
                .map_err(|cause| creation_error(&path, cause))?;
        }
        let root = Self::existing(path)?;
        root.check_writable()?;
        restrict_folder(&root.path).map_err(io_error("make private", &root.path))?;
        Ok(root)
    }

    /// Takes a folder that is there already and changes nothing about it.
    ///
    /// # Errors
    /// [`RootError`] where there is none, it is a file or it belongs to someone else.
    pub fn open_existing(path: &Path) -> Result<Self, RootError> {
        Self::existing(absolute(path)?)
    }

    fn existing(path: PathBuf) -> Result<Self, RootError> {
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            Err(cause) => return Err(lookup_error(path, cause)),
        };
        if !metadata.is_dir() {
            return Err(RootError::NotAFolder(path));
        }
        check_owner(&path, metadata.uid(), rustix::process::geteuid().as_raw())?;
        Ok(Self { path })
    }

    fn check_writable(&self) -> Result<(), RootError> {
        let refused = || RootError::Unwritable(self.path.clone());
        let metadata =
            fs::metadata(&self.path).map_err(io_error("look at the state root", &self.path))?;
        // Asked of the mode too, so that the superuser does not write where an owner forbade it.
        if metadata.permissions().mode() & 0o300 != 0o300 {
            return Err(refused());
        }
        let wanted = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        rustix::fs::access(&self.path, wanted).map_err(|_| refused())
    }

    /// The folder, as an absolute path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The database, `runtime.sqlite`.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.path.join("runtime.sqlite")
    }

    /// The file that the owner locks, `host.lock`.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.path.join("host.lock")
    }

    /// The socket, `host.sock`.
    #[must_use]
    pub fn socket(&self) -> PathBuf {
        self.path.join("host.sock")
    }

    /// The folder of backups, `backups`.
    #[must_use]
    pub fn backups(&self) -> PathBuf {
        self.path.join("backups")
    }

    /// The log, `host.log`.
    #[must_use]
    pub fn log_file(&self) -> PathBuf {
        self.path.join("host.log")
    }

    /// The settings, `config.toml`.
    #[must_use]
    pub fn config_file(&self) -> PathBuf {
        self.path.join("config.toml")
    }
}

fn check_owner(path: &Path, owner: u32, own: u32) -> Result<(), RootError> {
    if owner == own {
        return Ok(());
    }
    Err(RootError::ForeignOwner { path: path.to_owned(), owner, own })
}

fn absolute(path: &Path) -> Result<PathBuf, RootError> {
    std::path::absolute(path).map_err(io_error("make absolute the path", path))
}

fn lookup_error(path: PathBuf, cause: io::Error) -> RootError {
    let kind = cause.kind();
    if kind == io::ErrorKind::NotFound {
        RootError::Missing(path)
    } else if kind == io::ErrorKind::NotADirectory {
        RootError::NotAFolder(path)
    } else {
        RootError::Io { act: "look at the state root", path, cause }
    }
}

fn creation_error(path: &Path, cause: io::Error) -> RootError {
    use io::ErrorKind::{AlreadyExists, NotADirectory, PermissionDenied, ReadOnlyFilesystem};
    let path = path.to_owned();
    let kind = cause.kind();
    if [NotADirectory, AlreadyExists].contains(&kind) {
        RootError::NotAFolder(path)
    } else if [PermissionDenied, ReadOnlyFilesystem].contains(&kind) {
        RootError::Unwritable(path)
    } else {
        RootError::Io { act: "create the state root", path, cause }
    }
}

fn io_error(act: &'static str, path: &Path) -> impl FnOnce(io::Error) -> RootError {
    let path = path.to_owned();
    move |cause| RootError::Io { act, path, cause }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{RootError, check_owner};

    #[test]
    fn a_folder_of_another_user_is_refused_with_both_users() {
        let refused = check_owner(Path::new("/r"), 1, 2);
        assert!(matches!(refused, Err(RootError::ForeignOwner { owner: 1, own: 2, .. })));
        assert!(check_owner(Path::new("/r"), 7, 7).is_ok());
    }
}
