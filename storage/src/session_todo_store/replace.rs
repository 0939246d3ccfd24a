//! Replacing a list: the document, its counts, the Turn and its settled record, all at once.

use maka_core::ports::Replaced;
use maka_core::session_todo::SessionTodo;
use maka_core::transcript::{OpenTodoWrite, RecordKind, TodoWriteRecord};
use maka_core::{EnvironmentFault, SessionId, StoreError, ToolTurn};
use rusqlite::{Connection, params};

use super::rows;
use super::store::ROW_BYTES;
use crate::Faults;
use crate::sqlite_error::store_error;

const INSERT_TURN: &str = "INSERT INTO maka_turns
         (session_id, ordinal, turn_id, state, client, started_at, settled_at)
     VALUES (?1,
         1 + coalesce((SELECT max(ordinal) FROM maka_turns WHERE session_id = ?1), 0),
         ?2, 'committed', ?3, ?4, ?4)";

const INSERT_RECORD: &str = "INSERT INTO maka_records
         (session_id, sequence, turn_id, kind, recorded_at, record_json)
     VALUES (?1,
         1 + coalesce((SELECT max(sequence) FROM maka_records WHERE session_id = ?1), 0),
         ?2, ?3, ?4, ?5)";

/// A replacement, encoded on its caller's thread so that the writer's only runs it.
pub(super) struct Replacement {
    session: SessionId,
    todo: SessionTodo,
    turn: ToolTurn,
    encoded: OpenTodoWrite,
}

impl Replacement {
    pub(super) fn new(session: SessionId, todo: SessionTodo, turn: ToolTurn) -> Self {
        let encoded = TodoWriteRecord::open(&todo);
        Self { session, todo, turn, encoded }
    }

    /// About what it writes.
    pub(super) fn bytes(&self) -> usize {
        2 * self.encoded.stored().len() + 4 * ROW_BYTES
    }

    pub(super) fn run(
        mut self,
        connection: &Connection,
        faults: &Faults,
    ) -> Result<Replaced, StoreError> {
        let old = rows::find_with(connection, &self.session, SessionTodo::from_record)?;
        // Nothing can be said of a damaged row but that it is replaced.
        let dropped = match old {
            Some(Ok(old)) => Some(old.unfinished_dropped_by(&self.todo)),
            Some(Err(_)) | None => None,
        };
        rows::put(connection, &self.session, self.encoded.stored(), self.todo.counts())?;
        self.settle(connection, dropped)
            .map_err(|cause| store_error("write the settled Turn", cause))?;
        faults.at("todo.replace").map_err(|cause| StoreError::Environment {
            act: "replace the Todo document",
            fault: EnvironmentFault::Io,
            cause: Box::new(cause),
        })?;
        Ok(Replaced { todo: self.todo, dropped_unfinished: dropped })
    }

    /// Appends the committed Turn and its record.
    fn settle(&mut self, connection: &Connection, dropped: Option<u32>) -> rusqlite::Result<()> {
        let (session, at) = (self.session.as_str(), self.turn.at.as_millis());
        let turn_id = self.turn.turn_id.as_str();
        connection.prepare_cached(INSERT_TURN)?.execute(params![
            session,
            turn_id,
            self.turn.client.as_str(),
            at
        ])?;
        connection.prepare_cached(INSERT_RECORD)?.execute(params![
            session,
            turn_id,
            RecordKind::ToolResult.as_str(),
            at,
            self.encoded.close(dropped)
        ])?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use maka_core::session_todo::SessionTodo;
    use maka_core::{ClientName, SessionId, Timestamp, ToolTurn, TurnId};
    use rusqlite::StatementStatus;

    use super::{INSERT_RECORD, INSERT_TURN, Replacement};
    use crate::schema::open_writer;
    use crate::{Faults, StateRoot};

    #[test]
    fn no_statement_is_compiled_again_for_another_session() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = StateRoot::open_or_create(dir.path()).expect("a root");
        let faults = Faults::default();
        let connection = open_writer(&root, &faults).expect("opened");
        for n in 0..5 {
            let session = SessionId::parse(format!("s-{n}")).expect("an id");
            let turn = ToolTurn {
                turn_id: TurnId::parse("t").expect("an id"),
                client: ClientName::parse("c").expect("a name"),
                at: Timestamp::from_millis(n),
            };
            let replacement = Replacement::new(session, SessionTodo::default(), turn);
            replacement.run(&connection, &faults).expect("written");
        }
        for sql in [INSERT_TURN, INSERT_RECORD] {
            let statement = connection.prepare_cached(sql).expect("prepared");
            assert_eq!(statement.get_status(StatementStatus::RePrepare), 0, "{sql}");
            assert_eq!(statement.get_status(StatementStatus::Run), 5, "it is the cached one");
        }
    }
}
