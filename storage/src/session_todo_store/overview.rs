//! The overview of all unfinished lists. It finds them by the index of counts, so it reads no list
//! that is done, and initializes none.

use maka_core::ports::TodoOverview;
use maka_core::session_todo::SessionTodo;
use maka_core::{Page, PageRequest, Session, StoreError};
use rusqlite::{Connection, params};

use super::rows;
use crate::page::{self, Cursor};
use crate::session_rows::{SESSION_COLUMNS, read_session};
use crate::sqlite_error::store_error;

/// The records of a page have at most this many bytes, so that it fits a frame also after
/// projection has lengthened it a little; a single record may have more.
const MAX_RECORD_BYTES: usize = 384 << 10;

/// One page: at least one entry, where there is one.
pub(super) fn page(
    connection: &Connection,
    request: &PageRequest,
) -> Result<Page<TodoOverview>, StoreError> {
    let mut sessions = unfinished_sessions(connection, request)?;
    // The one beyond the limit only tells that there is a further page.
    let more = sessions.len() > page::limit(request);
    sessions.truncate(page::limit(request));
    let (mut entries, mut bytes, mut last) = (Vec::new(), 0, None);
    for session in sessions {
        let place = Cursor::after(&session);
        let mut length = 0;
        let record = rows::find_with(connection, &session.session_id, |record| {
            length = record.len();
            SessionTodo::from_record(record)
        })?;
        bytes += length;
        if bytes > MAX_RECORD_BYTES && !entries.is_empty() {
            return Ok(Page { entries, next_cursor: last });
        }
        last = Some(place.to_text());
        let (counts, unfinished) = match record {
            Some(Ok(todo)) => (Some(todo.counts()), todo.unfinished()),
            Some(Err(_)) => (None, SessionTodo::default()),
            // Removed since its Session was read.
            None => continue,
        };
        entries.push(TodoOverview { session, counts, unfinished });
    }
    Ok(Page { entries, next_cursor: last.filter(|_| more) })
}

/// The Sessions of the page and one more, newest first.
fn unfinished_sessions(
    connection: &Connection,
    request: &PageRequest,
) -> Result<Vec<Session>, StoreError> {
    let failed = |cause| store_error("read the overview of Todos", cause);
    let after = Cursor::of(request)?;
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM maka_todo_counts AS counts
         CROSS JOIN maka_sessions AS session ON session.session_id = counts.session_id
         WHERE (counts.pending IS NULL OR counts.pending + counts.in_progress > 0)
             AND session.state = 'committed'
             AND (session.created_at, session.session_id) < (?1, ?2)
         ORDER BY session.created_at DESC, session.session_id DESC LIMIT ?3"
    );
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let mut found = find
        .query(params![after.created_at, after.session_id, page::one_more(request)])
        .map_err(failed)?;
    let mut sessions = Vec::new();
    while let Some(row) = found.next().map_err(failed)? {
        sessions.push(read_session(row)?);
    }
    Ok(sessions)
}
