//! What every command is given: the state root and the way to a Host.

use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::root;

/// The state root that a command works on.
#[derive(Debug, Clone)]
pub struct Context {
    root: PathBuf,
}

impl Context {
    /// Resolves the state root.
    ///
    /// # Errors
    /// Where no state root can be named.
    pub fn new(root: Option<&Path>) -> Result<Self, Failure> {
        Ok(Self { root: root::resolve(root)? })
    }

    /// The state root, absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }
}
