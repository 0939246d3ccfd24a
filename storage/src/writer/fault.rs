//! Why a whole group of jobs was not committed, told to each of its callers.

use std::sync::Arc;

use maka_core::{EnvironmentFault, StoreError};

use crate::InjectedFault;

/// A failure that several callers share.
#[derive(Debug, Clone)]
pub(super) enum GroupFault {
    /// The database is closed or its lease is lost.
    InvalidLease,
    /// The machine refused; nothing was committed.
    Refused { act: &'static str, fault: EnvironmentFault, cause: SharedCause },
    /// The commit may or may not be durable.
    Unknown { cause: SharedCause },
    /// A defect of this program, or a damaged file; nothing was committed.
    Defect { act: &'static str, cause: SharedCause },
}

/// The cause of a failure, shared by those whom it hit.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{0}")]
pub(super) struct SharedCause(Arc<str>);

impl SharedCause {
    pub(super) fn of(cause: &dyn std::error::Error) -> Self {
        Self(cause.to_string().into())
    }
}

impl GroupFault {
    /// The group's share of an error that hit one of its jobs or its transaction.
    pub(super) fn of(error: &StoreError) -> Self {
        let act = "write the database";
        match error {
            StoreError::InvalidLease => Self::InvalidLease,
            StoreError::Environment { fault, cause, .. } => {
                Self::Refused { act, fault: *fault, cause: SharedCause::of(cause.as_ref()) }
            }
            StoreError::CommitOutcomeUnknown { cause } => {
                Self::Unknown { cause: SharedCause::of(cause.as_ref()) }
            }
            StoreError::Internal { cause, .. } => {
                Self::Defect { act, cause: SharedCause::of(cause.as_ref()) }
            }
            StoreError::CorruptDocument { .. }
            | StoreError::CorruptDatabase { .. }
            | StoreError::InvalidCursor => Self::Defect { act, cause: SharedCause::of(error) },
        }
    }

    /// A test asked the group to fail.
    pub(super) fn injected(cause: &InjectedFault) -> Self {
        let (act, fault) = ("write the database", EnvironmentFault::Io);
        Self::Refused { act, fault, cause: SharedCause::of(cause) }
    }

    /// What one caller is told.
    pub(super) fn to_error(&self) -> StoreError {
        match self.clone() {
            Self::InvalidLease => StoreError::InvalidLease,
            Self::Refused { act, fault, cause } => {
                StoreError::Environment { act, fault, cause: Box::new(cause) }
            }
            Self::Unknown { cause } => StoreError::CommitOutcomeUnknown { cause: Box::new(cause) },
            Self::Defect { act, cause } => StoreError::Internal { act, cause: Box::new(cause) },
        }
    }
}
