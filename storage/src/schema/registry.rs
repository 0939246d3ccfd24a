//! The registry of versions, of which two scopes are ours.

use rusqlite::Connection;
use rusqlite::types::ValueRef;

use super::inspect::{HINT_NEWER, HINT_STRANGE, blocked, read_error};
use super::shapes::{MAKA_VERSION, REGISTRY, WORKFLOW_VERSION};
use crate::OpenError;

const WORKFLOW: &str = "workflow";
const MAKA: &str = "maka";

/// The scopes of the reference implementation, retired ones included, whose versions are its own
/// affair.
const FOREIGN_SCOPES: [&str; 7] = [
    "runtime",
    "session_metadata",
    "core_execution",
    "usage",
    "artifact",
    "operational",
    "automation",
];

/// The versions of our scopes.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Versions {
    /// The version of `workflow`, which every workspace has.
    pub(super) workflow: u32,
    /// The version of `maka`, where the workspace was adopted or made by us.
    pub(super) maka: Option<u32>,
}

/// Reads and checks the registry.
pub(super) fn read(connection: &Connection) -> Result<Versions, OpenError> {
    let sql = format!("SELECT scope, version FROM {}", REGISTRY.name);
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    let (mut workflow, mut maka) = (None, None);
    while let Some(row) = rows.next().map_err(read_error)? {
        let ValueRef::Text(scope) = row.get_ref(0).map_err(read_error)? else {
            return Err(blocked("the registry holds an invalid scope".to_owned(), HINT_STRANGE));
        };
        let scope = String::from_utf8_lossy(scope).into_owned();
        let version = match row.get_ref(1).map_err(read_error)? {
            ValueRef::Integer(version) => version,
            ValueRef::Null | ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_) => -1,
        };
        match scope.as_str() {
            WORKFLOW => workflow = Some(check(WORKFLOW, version, WORKFLOW_VERSION)?),
            MAKA => maka = Some(check(MAKA, version, MAKA_VERSION)?),
            foreign if FOREIGN_SCOPES.contains(&foreign) => {}
            unknown => {
                let reason = format!("its scope {unknown:?} is unknown to this program");
                return Err(blocked(reason, HINT_NEWER));
            }
        }
    }
    let Some(workflow) = workflow else {
        let reason = "the registry lacks the scope \"workflow\"".to_owned();
        return Err(blocked(reason, HINT_STRANGE));
    };
    if maka.is_some() && workflow != WORKFLOW_VERSION {
        let reason = format!("its scope \"maka\" stands beside workflow schema {workflow}");
        return Err(blocked(reason, HINT_STRANGE));
    }
    Ok(Versions { workflow, maka })
}

fn check(scope: &str, found: i64, supported: u32) -> Result<u32, OpenError> {
    match u32::try_from(found) {
        Ok(version) if (1..=supported).contains(&version) => Ok(version),
        _ if found > i64::from(supported) => {
            let reason = format!(
                "its {scope} schema {found} is newer than {supported}, the newest that this \
                 program knows"
            );
            Err(blocked(reason, HINT_NEWER))
        }
        _ => {
            let reason = format!("the registry holds an invalid version of {scope:?}");
            Err(blocked(reason, HINT_STRANGE))
        }
    }
}
