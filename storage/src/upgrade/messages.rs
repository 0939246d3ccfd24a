//! Adopts the messages of the reference implementation, one at a time in memory.

use maka_core::SessionId;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OptionalExtension, Statement};
use sha2::{Digest, Sha256};

use super::foreign::{ForeignTable, integer, text};
use super::message::{Damage, convert, damaged};
use super::report::{UpgradeReport, UpgradeStep};
use super::turns::Turns;
use crate::OpenError;
use crate::schema::{read_error, write_error};

pub(super) const MESSAGES: ForeignTable = ForeignTable {
    name: "session_messages",
    required: &["session_id", "sequence", "message_type", "record_json"],
    optional: &["message_ts"],
};

const PAYLOADS: ForeignTable = ForeignTable {
    name: "session_message_payloads",
    required: &["session_id", "sequence", "record_bytes", "sha256"],
    optional: &[],
};

const CHUNKS: ForeignTable = ForeignTable {
    name: "session_message_chunks",
    required: &["session_id", "sequence", "chunk_index", "data"],
    optional: &[],
};

/// What stands in place of a message that is kept in pieces.
const IN_PIECES: &str = r#"{"$maka":"session-message-chunks-v1"}"#;

/// How many messages pass between two words about the progress.
const PROGRESS_EVERY: u64 = 1000;

/// Copies the messages of all adopted Sessions, and their Turns, into our tables.
pub(super) fn adopt(
    connection: &Connection,
    report: &mut UpgradeReport,
    progress: &mut dyn FnMut(UpgradeStep),
) -> Result<(), OpenError> {
    let Some(columns) = MESSAGES.columns(connection)? else { return Ok(()) };
    let failed = write_error("adopt the messages");
    // CROSS JOIN keeps the order of the loops, so that no sort of all messages is needed.
    let sql = format!(
        "SELECT {columns} FROM maka_sessions AS own CROSS JOIN {} USING (session_id)
         WHERE own.state = 'committed' ORDER BY own.session_id, sequence",
        MESSAGES.name
    );
    let mut pieces = Pieces::new(connection)?;
    let mut turns = Turns::new(connection).map_err(failed)?;
    let mut insert = connection
        .prepare(
            "INSERT INTO maka_records
                 (session_id, sequence, turn_id, kind, recorded_at, record_json)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        )
        .map_err(failed)?;
    let mut current: Option<SessionId> = None;
    let mut sequence = 0_i64;
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        let column = |index| row.get_ref(index).map_err(read_error);
        let session = row.get::<_, String>(0).map_err(read_error)?;
        if current.as_ref().map(SessionId::as_str) != Some(session.as_str()) {
            current = SessionId::parse(session).ok();
            sequence = 0;
            turns.start_session();
        }
        // Only ids that keep the rule were adopted.
        let Some(session) = &current else { continue };
        sequence += 1;
        let message_type = text(column(2)?).unwrap_or_default();
        let at = integer(column(4)?).unwrap_or(0);
        let json = match stored_text(column(3)?) {
            Ok(stored) if stored == IN_PIECES => pieces.join(session, column(1)?)?,
            Ok(stored) => Ok(stored.to_owned()),
            Err(damage) => Err(damage),
        };
        let record = json.and_then(|json| convert(&message_type, &json)).unwrap_or_else(|damage| {
            report.damaged_messages += 1;
            damaged(&message_type, damage)
        });
        if let Some(turn) = &record.turn {
            turns.note(session, turn, record.state, at).map_err(failed)?;
        }
        let turn = record.turn.as_ref().map(|turn| turn.as_str());
        let kind = record.kind.as_str();
        insert
            .execute((session.as_str(), sequence, turn, kind, at, record.record_json))
            .map_err(failed)?;
        report.messages += 1;
        if report.messages.is_multiple_of(PROGRESS_EVERY) {
            progress(UpgradeStep::AdoptingMessages { done: report.messages });
        }
    }
    report.turns = turns.total();
    Ok(())
}

fn stored_text(value: ValueRef<'_>) -> Result<&str, Damage> {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            std::str::from_utf8(bytes).map_err(|_| Damage::NotUtf8)
        }
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => Err(Damage::NotJson),
    }
}

/// Puts messages that are kept in pieces together.
#[derive(Debug)]
struct Pieces<'c> {
    /// `None` where the workspace is too old to keep any message in pieces.
    statements: Option<(Statement<'c>, Statement<'c>)>,
}

impl<'c> Pieces<'c> {
    fn new(connection: &'c Connection) -> Result<Self, OpenError> {
        if PAYLOADS.columns(connection)?.is_none() || CHUNKS.columns(connection)?.is_none() {
            return Ok(Self { statements: None });
        }
        let described = connection
            .prepare(
                "SELECT record_bytes, sha256 FROM session_message_payloads
                 WHERE session_id = ?1 AND sequence = ?2",
            )
            .map_err(read_error)?;
        let chunks = connection
            .prepare(
                "SELECT data FROM session_message_chunks
                 WHERE session_id = ?1 AND sequence = ?2 ORDER BY chunk_index",
            )
            .map_err(read_error)?;
        Ok(Self { statements: Some((described, chunks)) })
    }

    /// The whole text, once its length and digest are what they should be.
    fn join(
        &mut self,
        session: &SessionId,
        sequence: ValueRef<'_>,
    ) -> Result<Result<String, Damage>, OpenError> {
        let Some((described, chunks)) = &mut self.statements else {
            return Ok(Err(Damage::Incomplete));
        };
        let key = (session.as_str(), integer(sequence));
        let expected: Option<(i64, String)> = described
            .query_row(key, |row| {
                Ok((
                    integer(row.get_ref(0)?).unwrap_or(-1),
                    text(row.get_ref(1)?).unwrap_or_default(),
                ))
            })
            .optional()
            .map_err(read_error)?;
        let Some((length, digest)) = expected else { return Ok(Err(Damage::Incomplete)) };
        let Ok(length) = usize::try_from(length) else { return Ok(Err(Damage::Length)) };
        let mut bytes = Vec::new();
        let mut rows = chunks.query(key).map_err(read_error)?;
        while let Some(row) = rows.next().map_err(read_error)? {
            match row.get_ref(0).map_err(read_error)? {
                ValueRef::Blob(data) | ValueRef::Text(data) => bytes.extend_from_slice(data),
                ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => {}
            }
            if bytes.len() > length {
                return Ok(Err(Damage::Length));
            }
        }
        Ok(check(bytes, length, &digest))
    }
}

fn check(bytes: Vec<u8>, length: usize, digest: &str) -> Result<String, Damage> {
    if bytes.is_empty() {
        return Err(Damage::Incomplete);
    }
    if bytes.len() != length {
        return Err(Damage::Length);
    }
    let found: String = Sha256::digest(&bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if !found.eq_ignore_ascii_case(digest) {
        return Err(Damage::Digest);
    }
    String::from_utf8(bytes).map_err(|_| Damage::NotUtf8)
}
