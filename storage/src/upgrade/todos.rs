//! The Todo rows that stand in the workspace already: they stay byte for byte, are counted for the
//! overview, and go where their Session is gone.

use maka_core::session_todo::SessionTodo;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, params};

use super::report::UpgradeReport;
use crate::OpenError;
use crate::schema::{TODO, read_error, write_error};

/// Deletes the row of one Session; how many rows that were.
pub(super) fn purge(connection: &Connection, session: &str) -> Result<u64, OpenError> {
    let failed = write_error("purge the list of a removed Session");
    let mut statement = connection
        .prepare_cached("DELETE FROM workflow_session_todo_documents WHERE session_id = ?1")
        .map_err(failed)?;
    let purged = statement.execute((session,)).map_err(failed)?;
    Ok(u64::try_from(purged).unwrap_or(u64::MAX))
}

/// Counts the items of every adopted Session's list for the overview, and the lists of ids that
/// nobody knows.
pub(super) fn count(connection: &Connection, report: &mut UpgradeReport) -> Result<(), OpenError> {
    let sql = format!(
        "SELECT todo.session_id, todo.record_json, session.session_id IS NOT NULL
         FROM {} AS todo LEFT JOIN maka_sessions AS session USING (session_id)",
        TODO.name
    );
    let failed = write_error("count the items of the lists");
    let mut insert = connection
        .prepare(
            "INSERT INTO maka_todo_counts (session_id, pending, in_progress, completed)
             VALUES (?1, ?2, ?3, ?4)",
        )
        .map_err(failed)?;
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        if !row.get::<_, bool>(2).map_err(read_error)? {
            report.orphan_todos += 1;
            continue;
        }
        let session: String = row.get(0).map_err(read_error)?;
        report.todos += 1;
        let counts = match row.get_ref(1).map_err(read_error)? {
            ValueRef::Text(record) => {
                let record = std::str::from_utf8(record).ok();
                record.and_then(|record| SessionTodo::from_record(record).ok())
            }
            ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) | ValueRef::Blob(_) => None,
        }
        .map(|todo| todo.counts());
        report.damaged_todos += u64::from(counts.is_none());
        insert
            .execute(params![
                session,
                counts.map(|counts| counts.pending),
                counts.map(|counts| counts.in_progress),
                counts.map(|counts| counts.completed),
            ])
            .map_err(failed)?;
    }
    Ok(())
}
