//! Sorts the errors of SQLite into those of the machine, of the file and of this program.

use maka_core::{EnvironmentFault, StoreError};
use rusqlite::ErrorCode;

/// Turns an error of SQLite, met while doing `act`, into the store's.
pub(crate) fn store_error(act: &'static str, cause: rusqlite::Error) -> StoreError {
    let Some(code) = cause.sqlite_error_code() else {
        return StoreError::Internal { act, cause: Box::new(cause) };
    };
    if matches!(code, ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) {
        return StoreError::CorruptDatabase { detail: cause.to_string() };
    }
    match environment_fault(code) {
        Some(fault) => StoreError::Environment { act, fault, cause: Box::new(cause) },
        None => StoreError::Internal { act, cause: Box::new(cause) },
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other code is a defect of this program")]
fn environment_fault(code: ErrorCode) -> Option<EnvironmentFault> {
    match code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => Some(EnvironmentFault::Busy),
        ErrorCode::DiskFull => Some(EnvironmentFault::Full),
        ErrorCode::ReadOnly => Some(EnvironmentFault::ReadOnly),
        ErrorCode::CannotOpen | ErrorCode::PermissionDenied => Some(EnvironmentFault::CannotOpen),
        ErrorCode::OutOfMemory => Some(EnvironmentFault::NoMemory),
        ErrorCode::SystemIoFailure => Some(EnvironmentFault::Io),
        _ => None,
    }
}
