//! Roles: a connection says what it is, and that decides which operations exist for it.

use serde::{Deserialize, Serialize};

/// What a connection is. A discipline between processes of one user, not a wall against them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads and subscribes: the window, watchers.
    Viewer,
    /// Also creates and changes Sessions: the CLI. Never writes a Todo.
    Client,
    /// One Session's tools and nothing else: a model.
    Model,
}

impl Role {
    /// The word on the wire.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Viewer => "viewer",
            Self::Client => "client",
            Self::Model => "model",
        }
    }
}
