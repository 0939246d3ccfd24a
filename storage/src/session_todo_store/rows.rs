//! The rows of one list: its document and its counts.

use maka_core::session_todo::{RecordFault, SessionTodo, TodoCounts};
use maka_core::{SessionId, StoreError};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, params};

use crate::sqlite_error::store_error;

const FIND: &str = "SELECT record_json FROM workflow_session_todo_documents WHERE session_id = ?1";

/// Reads a list; `None` where there is no row.
///
/// # Errors
/// [`StoreError::CorruptDocument`] where the row is damaged.
pub(super) fn find(
    connection: &Connection,
    session: &SessionId,
) -> Result<Option<SessionTodo>, StoreError> {
    match find_with(connection, session, SessionTodo::from_record)? {
        None => Ok(None),
        Some(Ok(todo)) => Ok(Some(todo)),
        Some(Err(cause)) => Err(StoreError::CorruptDocument { session: session.clone(), cause }),
    }
}

/// Decodes the record where it lies, without a copy of it.
pub(super) fn find_with<T>(
    connection: &Connection,
    session: &SessionId,
    decode: impl FnOnce(&str) -> Result<T, RecordFault>,
) -> Result<Option<Result<T, RecordFault>>, StoreError> {
    connection
        .prepare_cached(FIND)
        .and_then(|mut find| {
            find.query_row([session.as_str()], |row| Ok(decode_value(row.get_ref(0)?, decode)))
                .optional()
        })
        .map_err(|cause| store_error("read the Todo document", cause))
}

fn decode_value<T>(
    value: ValueRef<'_>,
    decode: impl FnOnce(&str) -> Result<T, RecordFault>,
) -> Result<T, RecordFault> {
    // The column takes any type in the hands of another program, and any bytes as text.
    match value.as_str() {
        Ok(record) => decode(record),
        Err(_) => Err(RecordFault::NotJson),
    }
}

/// Writes a list over whatever is there.
pub(super) fn put(
    connection: &Connection,
    session: &SessionId,
    record: &str,
    counts: TodoCounts,
) -> Result<(), StoreError> {
    let failed = |cause| store_error("write the Todo document", cause);
    connection
        .prepare_cached(
            "INSERT INTO workflow_session_todo_documents (session_id, record_json) VALUES (?1, ?2)
             ON CONFLICT (session_id) DO UPDATE SET record_json = excluded.record_json",
        )
        .and_then(|mut put| put.execute([session.as_str(), record]))
        .map_err(failed)?;
    put_counts(connection, session, counts).map_err(failed)
}

/// Writes the counts, or nothing where they are as they were.
fn put_counts(
    connection: &Connection,
    session: &SessionId,
    counts: TodoCounts,
) -> rusqlite::Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO maka_todo_counts (session_id, pending, in_progress, completed)
             VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (session_id) DO UPDATE SET pending = excluded.pending,
                 in_progress = excluded.in_progress, completed = excluded.completed
             WHERE pending IS NOT excluded.pending OR in_progress IS NOT excluded.in_progress
                 OR completed IS NOT excluded.completed",
        )?
        .execute(params![session.as_str(), counts.pending, counts.in_progress, counts.completed])?;
    Ok(())
}

/// Deletes a list with its counts, unread.
pub(crate) fn delete(connection: &Connection, session: &SessionId) -> Result<(), StoreError> {
    const DELETES: [&str; 2] = [
        "DELETE FROM workflow_session_todo_documents WHERE session_id = ?1",
        "DELETE FROM maka_todo_counts WHERE session_id = ?1",
    ];
    for sql in DELETES {
        connection
            .prepare_cached(sql)
            .and_then(|mut delete| delete.execute([session.as_str()]))
            .map_err(|cause| store_error("delete the Todo document", cause))?;
    }
    Ok(())
}
