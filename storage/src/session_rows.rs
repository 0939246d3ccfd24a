//! The rows of Sessions.

use maka_core::{
    CopyKind, Lineage, Session, SessionId, SessionName, StoreError, Timestamp, TurnId,
};
use rusqlite::types::FromSql;
use rusqlite::{Connection, OptionalExtension, Row};

use crate::sqlite_error::store_error;

/// The columns that [`read_session`] reads, of a table called `session`.
pub(crate) const SESSION_COLUMNS: &str = "session.session_id, session.name, session.created_at, session.archived, session.revision, \
     session.copy_kind, session.parent_session_id, session.branch_of_turn_id, \
     session.revision_root_session_id, session.revision_index";

/// Reads a Session from a row of [`SESSION_COLUMNS`].
///
/// # Errors
/// [`StoreError::CorruptDatabase`] where the row breaks the rules of its types.
pub(crate) fn read_session(row: &Row<'_>) -> Result<Session, StoreError> {
    let revision: i64 = column(row, 4)?;
    Ok(Session {
        session_id: SessionId::parse(column::<String>(row, 0)?).map_err(|_| damaged())?,
        name: SessionName::from_stored(column(row, 1)?),
        created_at: Timestamp::from_millis(column(row, 2)?),
        archived: column(row, 3)?,
        revision: u64::try_from(revision).map_err(|_| damaged())?,
        lineage: read_lineage(row)?,
    })
}

fn read_lineage(row: &Row<'_>) -> Result<Option<Lineage>, StoreError> {
    let kind: Option<String> = column(row, 5)?;
    let parent: Option<String> = column(row, 6)?;
    let (Some(kind), Some(parent)) = (kind, parent) else { return Ok(None) };
    let kind = copy_kind(&kind).ok_or_else(damaged)?;
    let turn: Option<String> = column(row, 7)?;
    let root: Option<String> = column(row, 8)?;
    Ok(Some(Lineage {
        kind,
        parent_session_id: SessionId::parse(parent).map_err(|_| damaged())?,
        branch_of_turn_id: turn.map(TurnId::parse).transpose().map_err(|_| damaged())?,
        revision_root_session_id: root.map(SessionId::parse).transpose().map_err(|_| damaged())?,
        revision_index: column(row, 9)?,
    }))
}

/// The word of the `copy_kind` column.
fn copy_kind(word: &str) -> Option<CopyKind> {
    match word {
        "branch" => Some(CopyKind::Branch),
        "side_conversation" => Some(CopyKind::SideConversation),
        "revision" => Some(CopyKind::Revision),
        "child_agent" => Some(CopyKind::ChildAgent),
        _ => None,
    }
}

fn column<T: FromSql>(row: &Row<'_>, index: usize) -> Result<T, StoreError> {
    // Reading a column of the current row asks nothing of the machine, so that only its value
    // can be wrong.
    row.get(index).map_err(|_| damaged())
}

fn damaged() -> StoreError {
    StoreError::CorruptDatabase { detail: "a Session's row breaks its rules".to_owned() }
}

/// Finds one present Session.
pub(crate) fn find_session(
    connection: &Connection,
    session: &SessionId,
) -> Result<Option<Session>, StoreError> {
    let failed = |cause| store_error("read a Session", cause);
    let sql = format!(
        "SELECT {SESSION_COLUMNS} FROM maka_sessions AS session
         WHERE session.session_id = ?1 AND session.state = 'committed'"
    );
    let mut find = connection.prepare_cached(&sql).map_err(failed)?;
    let mut rows = find.query([session.as_str()]).map_err(failed)?;
    rows.next().map_err(failed)?.map(read_session).transpose()
}

/// Whether the id is that of a present, preparing or removed Session.
pub(crate) fn id_is_taken(
    connection: &Connection,
    session: &SessionId,
) -> Result<bool, StoreError> {
    connection
        .prepare_cached(
            "SELECT 1 FROM maka_sessions WHERE session_id = ?1
             UNION ALL SELECT 1 FROM maka_session_tombstones WHERE session_id = ?1",
        )
        .and_then(|mut find| find.query_row([session.as_str()], |_| Ok(())).optional())
        .map(|found| found.is_some())
        .map_err(|cause| store_error("look for the Session's id", cause))
}
