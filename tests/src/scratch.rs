//! State roots that vanish with the test.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::TempDir;

/// A folder for one test, with a state root in it that does not exist yet.
#[derive(Debug)]
pub struct Scratch {
    folder: TempDir,
}

impl Scratch {
    /// Makes the folder. Its path is short, so that a socket below it fits the system's limit.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn new() -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("mk").tempdir_in("/tmp");
        Ok(Self { folder: folder.context("make a folder")? })
    }

    /// Makes the folder, with a state root that holds a copy of a workspace of `tests/workspaces`:
    /// a file, or a folder with a file and its log.
    ///
    /// # Errors
    /// Where it cannot be made.
    pub fn with_workspace(name: &str) -> Result<Self> {
        let scratch = Self::new()?;
        let root = scratch.root();
        fs::create_dir(&root).context("make a state root")?;
        fs::set_permissions(&root, fs::Permissions::from_mode(0o700)).context("close it")?;
        let source = workspaces().join(name);
        if source.is_dir() {
            for entry in fs::read_dir(&source).with_context(|| format!("list {source:?}"))? {
                let entry = entry.context("list a workspace")?;
                fs::copy(entry.path(), root.join(entry.file_name())).context("copy a file")?;
            }
        } else {
            fs::copy(&source, root.join("runtime.sqlite"))
                .with_context(|| format!("copy {source:?}"))?;
        }
        Ok(scratch)
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The state root.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.folder.path().join("root")
    }

    /// The state root's database.
    #[must_use]
    pub fn database(&self) -> PathBuf {
        self.root().join("runtime.sqlite")
    }
}

/// The folder of the workspaces that the reference implementation wrote.
#[must_use]
pub fn workspaces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("workspaces")
}
