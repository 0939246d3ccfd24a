//! What a store may fail with. A failed read is never an empty list: it is one of these.

use crate::SessionId;
use crate::session_todo::RecordFault;

/// What the machine, rather than the data, refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EnvironmentFault {
    /// Another program holds the database.
    Busy,
    /// The disk is full.
    Full,
    /// The database cannot be written.
    ReadOnly,
    /// The database cannot be opened: permissions, or no file handles left.
    CannotOpen,
    /// No memory is left.
    NoMemory,
    /// The disk failed.
    Io,
}

/// Why a store did not do what it was asked. Nothing was changed, except as
/// [`StoreError::CommitOutcomeUnknown`] says.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The stored row of this Session's Todo is damaged. It stays as it is until a
    /// `todo_write` replaces it or the Session is removed.
    #[error("read the Todo of Session {session}: its stored row is damaged")]
    CorruptDocument {
        /// Whose row it is.
        session: SessionId,
        /// What is wrong with it, without its content.
        #[source]
        cause: RecordFault,
    },
    /// A row outside the Todo documents is damaged, or the file itself is.
    #[error("read the database: it is damaged ({detail})")]
    CorruptDatabase {
        /// What was found, without any content.
        detail: String,
    },
    /// The machine refused.
    #[error("{act}")]
    Environment {
        /// The act that failed, as a lowercase fragment.
        act: &'static str,
        /// What refused.
        fault: EnvironmentFault,
        /// The error of the library below.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The commit may or may not have become durable; only a new open can tell.
    #[error("learn whether the commit became durable")]
    CommitOutcomeUnknown {
        /// The error of the library below.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The owner lease is closed, lost, or of another state root. Nothing is written any more.
    #[error("use the database: this process no longer holds its owner lease")]
    InvalidLease,
    /// The caller's page cursor is not one that a page of this list gave out.
    #[error("continue the list: the cursor is not one of its pages'")]
    InvalidCursor,
    /// A defect of this program.
    #[error("{act}")]
    Internal {
        /// The act that failed, as a lowercase fragment.
        act: &'static str,
        /// The error of the library below.
        #[source]
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}
