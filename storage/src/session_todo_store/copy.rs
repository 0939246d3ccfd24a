//! The first list of a copied Session.

use maka_core::ports::{CopyContents, CopyOutcome};
use maka_core::session_todo::SessionTodo;
use maka_core::{SessionId, StoreError};
use rusqlite::Connection;

use super::rows;

/// Inserts the target's list where there is none. The same list there already is the trace of an
/// earlier try; any other, or a damaged one, is left alone.
pub(super) fn initialize(
    connection: &Connection,
    source: &SessionId,
    target: &SessionId,
    contents: CopyContents,
) -> Result<CopyOutcome, StoreError> {
    let first = match contents {
        CopyContents::Current => rows::find(connection, source)?.unwrap_or_default(),
        CopyContents::Empty => SessionTodo::default(),
    };
    match rows::find(connection, target)? {
        Some(there) if there == first => Ok(CopyOutcome::Initialized(there)),
        Some(_) => Ok(CopyOutcome::TargetConflict),
        None => {
            rows::put(connection, target, &first.to_record(), first.counts())?;
            Ok(CopyOutcome::Initialized(first))
        }
    }
}
