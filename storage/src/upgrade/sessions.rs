//! Walks over the Sessions and tombstones of the reference implementation, and adopts them.

use maka_core::{CopyKind, SessionId};
use rusqlite::{Connection, params};

use super::foreign::{ForeignTable, integer, text};
use super::report::{Skipped, UpgradeReport};
use super::session::{AdoptedSession, Fate, MetadataRow};
use super::todos;
use crate::OpenError;
use crate::schema::{read_error, write_error};

const METADATA: ForeignTable = ForeignTable {
    name: "session_metadata",
    required: &["session_id", "payload_json"],
    optional: &["is_archived", "created_at", "metadata_version"],
};

const TOMBSTONES: ForeignTable = ForeignTable {
    name: "session_metadata_tombstones",
    required: &["session_id"],
    optional: &["deleted_at"],
};

/// The longest id that a report repeats, in characters.
const MAX_ID: usize = 256;

/// Calls `visit` with each Session: its id as it stands there, and what becomes of it.
pub(super) fn for_each_session(
    connection: &Connection,
    mut visit: impl FnMut(Result<(SessionId, Fate), Skipped>) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let Some(columns) = METADATA.columns(connection)? else { return Ok(()) };
    let sql = format!("SELECT {columns} FROM {}", METADATA.name);
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        let column = |index| row.get_ref(index).map_err(read_error);
        let found = match checked_id(text(column(0)?)) {
            Err(skipped) => Err(skipped),
            Ok(id) => {
                let metadata = MetadataRow {
                    payload: text(column(1)?),
                    archived: integer(column(2)?),
                    created_at: integer(column(3)?),
                    version: integer(column(4)?),
                };
                let fate = metadata.decide(&id);
                Ok((id, fate))
            }
        };
        visit(found)?;
    }
    Ok(())
}

/// Calls `visit` with each tombstone: its id and when the Session was removed.
pub(super) fn for_each_tombstone(
    connection: &Connection,
    mut visit: impl FnMut(Result<(SessionId, i64), Skipped>) -> Result<(), OpenError>,
) -> Result<(), OpenError> {
    let Some(columns) = TOMBSTONES.columns(connection)? else { return Ok(()) };
    let sql = format!("SELECT {columns} FROM {}", TOMBSTONES.name);
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        let id = checked_id(text(row.get_ref(0).map_err(read_error)?));
        let removed_at = integer(row.get_ref(1).map_err(read_error)?).unwrap_or(0);
        visit(id.map(|id| (id, removed_at)))?;
    }
    Ok(())
}

fn checked_id(id: Option<String>) -> Result<SessionId, Skipped> {
    let id = id.unwrap_or_default();
    SessionId::parse(id.as_str()).map_err(|fault| Skipped {
        session_id: id.chars().take(MAX_ID).collect(),
        reason: fault.to_string(),
    })
}

/// Copies the tombstones and then the Sessions into our tables. The Todo rows of removed Sessions
/// and of unfinished copies are purged.
pub(super) fn adopt(connection: &Connection, report: &mut UpgradeReport) -> Result<(), OpenError> {
    adopt_tombstones(connection, report)?;
    let failed = write_error("adopt the Sessions");
    let mut removed = connection
        .prepare("SELECT EXISTS (SELECT 1 FROM maka_session_tombstones WHERE session_id = ?1)")
        .map_err(failed)?;
    for_each_session(connection, |found| {
        let (id, fate) = match found {
            Ok(found) => found,
            Err(skipped) => {
                report.skip(skipped);
                return Ok(());
            }
        };
        if removed.query_row((id.as_str(),), |row| row.get(0)).map_err(failed)? {
            return Ok(());
        }
        match fate {
            Fate::Preparing => {
                report.preparing_copies += 1;
                report.purged_todos += todos::purge(connection, id.as_str())?;
            }
            Fate::Adopted(session) => {
                report.sessions += 1;
                report.damaged_sessions += u64::from(session.damaged);
                insert(connection, &id, &session).map_err(failed)?;
            }
        }
        Ok(())
    })
}

fn adopt_tombstones(connection: &Connection, report: &mut UpgradeReport) -> Result<(), OpenError> {
    let failed = write_error("adopt the tombstones");
    let mut insert = connection
        .prepare(
            "INSERT INTO maka_session_tombstones (session_id, removed_at) VALUES (?1, ?2)
             ON CONFLICT DO NOTHING",
        )
        .map_err(failed)?;
    for_each_tombstone(connection, |found| {
        match found {
            Err(skipped) => report.skip(skipped),
            Ok((id, removed_at)) => {
                report.tombstones += 1;
                insert.execute((id.as_str(), removed_at)).map_err(failed)?;
                report.purged_todos += todos::purge(connection, id.as_str())?;
            }
        }
        Ok(())
    })
}

fn insert(
    connection: &Connection,
    id: &SessionId,
    session: &AdoptedSession,
) -> rusqlite::Result<()> {
    let lineage = session.lineage.as_ref();
    let mut statement = connection.prepare_cached(
        "INSERT INTO maka_sessions (session_id, name, created_at, archived, state, revision,
             copy_kind, parent_session_id, branch_of_turn_id, revision_root_session_id,
             revision_index)
         VALUES (?1, ?2, ?3, ?4, 'committed', ?5, ?6, ?7, ?8, ?9, ?10)",
    )?;
    statement.execute(params![
        id.as_str(),
        session.name,
        session.created_at,
        session.archived,
        session.revision,
        lineage.map(|lineage| copy_kind(lineage.kind)),
        lineage.map(|lineage| lineage.parent_session_id.as_str()),
        lineage.and_then(|lineage| lineage.branch_of_turn_id.as_ref()).map(|id| id.as_str()),
        lineage.and_then(|lineage| lineage.revision_root_session_id.as_ref()).map(|id| id.as_str()),
        lineage.and_then(|lineage| lineage.revision_index),
    ])?;
    Ok(())
}

const fn copy_kind(kind: CopyKind) -> &'static str {
    match kind {
        CopyKind::Branch => "branch",
        CopyKind::SideConversation => "side_conversation",
        CopyKind::Revision => "revision",
        CopyKind::ChildAgent => "child_agent",
    }
}
