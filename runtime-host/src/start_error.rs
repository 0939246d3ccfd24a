//! Why a Host did not start, and what a person can do about it.

use std::io;

use maka_core::StoreError;
use maka_host_protocol::LeaseText;
use maka_storage::upgrade::UpgradeError;
use maka_storage::{LeaseError, OpenError, RootError};

use crate::config::ConfigError;
use crate::socket::SocketError;

/// Why a Host did not start. Nothing in the workspace was changed, except as an upgrade says.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// Another Host owns the state root.
    #[error("own the state root: {}", owner(.0.as_ref()))]
    Held(Option<LeaseText>),
    /// The workspace is of an older schema, and nobody asked for its upgrade.
    #[error("open the workspace: it is at workflow schema {from} and needs an upgrade")]
    NeedsUpgrade {
        /// The workflow schema that it is at.
        from: u32,
    },
    /// The workspace is one that this program must not touch.
    #[error("open the workspace: {reason}")]
    Blocked {
        /// What stands in the way.
        reason: String,
        /// What a person can do about it.
        hint: String,
    },
    /// The folder cannot be a state root.
    #[error(transparent)]
    Root(#[from] RootError),
    /// The lease could not be taken, for another reason than an owner.
    #[error("own the state root")]
    Lease(#[source] LeaseError),
    /// No socket could be bound.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// The settings are wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The log cannot be opened.
    #[error("open the log host.log")]
    Log(#[source] io::Error),
    /// The upgrade that was asked for failed.
    #[error(transparent)]
    Upgrade(UpgradeError),
    /// The machine refused, or the database is damaged.
    #[error(transparent)]
    Store(StoreError),
}

fn owner(text: Option<&LeaseText>) -> String {
    match text {
        Some(text) => {
            format!("the Host with process id {} owns it and serves at {}", text.pid, text.socket)
        }
        None => "another Host owns it, and is starting or stopping".to_owned(),
    }
}

impl StartError {
    /// Whether the workspace itself stands in the way: it needs an upgrade, or must not be
    /// touched.
    #[must_use]
    pub const fn is_blocked(&self) -> bool {
        matches!(self, Self::NeedsUpgrade { .. } | Self::Blocked { .. })
    }

    /// What a person can do about it, where anything helps.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Held(_) => Some("use that Host, or stop it with `maka host stop`".to_owned()),
            Self::NeedsUpgrade { .. } => Some(
                "see what an upgrade does with `maka upgrade --plan`, then run `maka upgrade`"
                    .to_owned(),
            ),
            Self::Blocked { hint, .. } => Some(hint.clone()),
            Self::Store(StoreError::Environment { .. }) => {
                Some("nothing was changed; mend that, then start again".to_owned())
            }
            Self::Root(_)
            | Self::Lease(_)
            | Self::Socket(_)
            | Self::Config(_)
            | Self::Log(_)
            | Self::Upgrade(_)
            | Self::Store(_) => None,
        }
    }
}

impl From<LeaseError> for StartError {
    fn from(error: LeaseError) -> Self {
        match error {
            LeaseError::Held { text } => Self::Held(LeaseText::parse(&text)),
            LeaseError::Io { .. } => Self::Lease(error),
        }
    }
}

impl From<UpgradeError> for StartError {
    fn from(error: UpgradeError) -> Self {
        match error {
            UpgradeError::Open(error) => error.into(),
            UpgradeError::InUse
            | UpgradeError::Backup(_)
            | UpgradeError::LeaseLost
            | UpgradeError::Fault(_) => Self::Upgrade(error),
        }
    }
}

impl From<OpenError> for StartError {
    fn from(error: OpenError) -> Self {
        match error {
            OpenError::NeedsUpgrade { from } => Self::NeedsUpgrade { from },
            OpenError::Blocked { reason, hint } => Self::Blocked { reason, hint: hint.to_owned() },
            OpenError::Store(error) => Self::Store(error),
        }
    }
}
