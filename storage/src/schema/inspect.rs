//! Decides what a database is. Reads only.

use rusqlite::{Connection, ErrorCode};

use super::objects::Objects;
use super::registry;
use super::shapes::{LEDGER, PLAN_PROJECTIONS, REGISTRY, TASK_PROJECTIONS, TODO, WORKFLOW_VERSION};
use crate::OpenError;
use crate::sqlite_error::store_error;

pub(super) const HINT_RESTORE: &str =
    "restore a backup into a new folder: maka backup restore DIR NEWROOT";
pub(crate) const HINT_STRANGE: &str = "remove what does not belong there, or restore a backup \
     into a new folder: maka backup restore DIR NEWROOT";
pub(super) const HINT_NEWER: &str = "use the newer program that wrote this workspace";

/// What a database is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// It is absent or empty.
    Fresh,
    /// It can be used as it is.
    Current,
    /// It can be upgraded.
    Old(OldWorkspace),
}

/// A workspace that can be upgraded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct OldWorkspace {
    /// Its workflow version, 1 to 12.
    pub(crate) from: u32,
    /// Whether our own scope is registered, so that its Sessions are ours already.
    pub(crate) adopted: bool,
    /// Whether it has the Todo table.
    pub(crate) todo: bool,
    /// Whether it has the Task Ledger's events.
    pub(crate) ledger: bool,
    /// Whether it has what was derived from the Task Ledger.
    pub(crate) task_projections: bool,
    /// Whether it has what was derived from the plan events.
    pub(crate) plan_projections: bool,
}

/// Decides what the connected database is. To be called within one transaction of the caller
/// where the answer must not go stale.
pub(crate) fn inspect(connection: &Connection) -> Result<Standing, OpenError> {
    let objects = Objects::read(connection)?;
    if objects.is_empty() {
        let version: i64 = connection
            .pragma_query_value(None, "user_version", |row| row.get(0))
            .map_err(read_error)?;
        if version == 0 {
            return Ok(Standing::Fresh);
        }
    }
    if !objects.has(&REGISTRY)? {
        let reason = "it is not empty and has no registry of versions".to_owned();
        return Err(blocked(reason, "choose another folder: this is not a workspace of Maka"));
    }
    let versions = registry::read(connection)?;
    let old = OldWorkspace {
        from: versions.workflow,
        adopted: versions.maka.is_some(),
        todo: objects.has(&TODO)?,
        ledger: objects.has(&LEDGER)?,
        task_projections: objects.has(&TASK_PROJECTIONS)?,
        plan_projections: objects.has(&PLAN_PROJECTIONS)?,
    };
    objects.require(old.from)?;
    objects.check_own(old.adopted)?;
    objects.check_attached()?;
    if old.from == WORKFLOW_VERSION && old.adopted && !old.ledger {
        return Ok(Standing::Current);
    }
    objects.check_dependents()?;
    Ok(Standing::Old(old))
}

pub(crate) fn blocked(reason: String, hint: &'static str) -> OpenError {
    OpenError::Blocked { reason, hint }
}

/// What a failed read says: a file that is no database or is torn is bad data, everything else
/// is the machine.
pub(crate) fn read_error(cause: rusqlite::Error) -> OpenError {
    match cause.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => {
            let hint = "choose another folder, or restore a backup into a new one: maka backup \
                        restore DIR NEWROOT";
            blocked("runtime.sqlite is not an SQLite database".to_owned(), hint)
        }
        Some(ErrorCode::DatabaseCorrupt) => {
            blocked("runtime.sqlite is damaged".to_owned(), HINT_RESTORE)
        }
        _ => OpenError::Store(store_error("read what the database holds", cause)),
    }
}

/// What a failed write says, to be called with the act that failed.
pub(crate) fn write_error(act: &'static str) -> impl Fn(rusqlite::Error) -> OpenError + Copy {
    move |cause| OpenError::Store(store_error(act, cause))
}

#[cfg(test)]
mod tests {
    use maka_core::{EnvironmentFault, StoreError};
    use rusqlite::ffi;

    use super::read_error;
    use crate::OpenError;

    #[test]
    fn what_the_machine_refuses_is_never_blamed_on_the_data() {
        let codes = [
            (ffi::SQLITE_BUSY, EnvironmentFault::Busy),
            (ffi::SQLITE_LOCKED, EnvironmentFault::Busy),
            (ffi::SQLITE_NOMEM, EnvironmentFault::NoMemory),
            (ffi::SQLITE_READONLY, EnvironmentFault::ReadOnly),
            (ffi::SQLITE_IOERR, EnvironmentFault::Io),
            (ffi::SQLITE_FULL, EnvironmentFault::Full),
            (ffi::SQLITE_CANTOPEN, EnvironmentFault::CannotOpen),
        ];
        for (code, expected) in codes {
            let error = read_error(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
            let OpenError::Store(StoreError::Environment { fault, .. }) = error else {
                panic!("{code}: {error:?}");
            };
            assert_eq!(fault, expected, "{code}");
        }
        for code in [ffi::SQLITE_CORRUPT, ffi::SQLITE_NOTADB] {
            let error = read_error(rusqlite::Error::SqliteFailure(ffi::Error::new(code), None));
            assert!(matches!(error, OpenError::Blocked { .. }), "{code}: {error:?}");
        }
    }
}
