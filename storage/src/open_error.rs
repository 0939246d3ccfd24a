//! Why a workspace is not opened.

use maka_core::StoreError;

/// Why the database of a state root was not opened. Nothing in it was changed.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It is from an older program, or from the reference implementation, and a person has to
    /// ask for its upgrade.
    #[error("open the workspace: it is at workflow schema {from} and needs an upgrade")]
    NeedsUpgrade {
        /// The workflow schema version that it is at.
        from: u32,
    },
    /// It is one that this program must not touch.
    #[error("open the workspace: {reason}")]
    Blocked {
        /// What stands in the way.
        reason: String,
        /// What a person can do about it.
        hint: &'static str,
    },
    /// The machine refused, or the file is damaged.
    #[error(transparent)]
    Store(#[from] StoreError),
}
