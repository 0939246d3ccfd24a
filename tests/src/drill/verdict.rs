//! Judges one list after a kill.

use std::path::Path;

use anyhow::{Context, Result};
use maka_core::session_todo::SessionTodo;
use rusqlite::{Connection, OpenFlags};
use serde_json::Value;

use super::writer::Writer;
use crate::numbered;

/// A promise that was broken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    /// An acknowledged list is gone.
    #[error("writer {writer}: list {acknowledged} was acknowledged, {found} is there")]
    Lost {
        /// Whose list.
        writer: u32,
        /// The last number acknowledged.
        acknowledged: u64,
        /// The number found.
        found: u64,
    },
    /// A list that was never sent as a whole.
    #[error("writer {writer}: what is there is no list that was sent: {text}")]
    Torn {
        /// Whose list.
        writer: u32,
        /// What is there.
        text: String,
    },
    /// The transcript tells of another list than the one that is there.
    #[error("writer {writer}: the transcript's last write is not the list that is there")]
    TranscriptDisagrees {
        /// Whose list.
        writer: u32,
    },
}

/// Tells the number of the list that is there now; 0 where none is.
pub(super) fn judge(writer: &Writer, todo: &SessionTodo) -> Result<u64, Violation> {
    let nothing = todo.items().is_empty().then_some(0);
    let found = nothing.or_else(|| numbered::identify(writer.index, todo));
    let Some(found) = found.filter(|found| *found <= writer.sent) else {
        let text = serde_json::to_string(todo).unwrap_or_default();
        return Err(Violation::Torn { writer: writer.index, text });
    };
    if found < writer.settled {
        let (writer, acknowledged) = (writer.index, writer.settled);
        return Err(Violation::Lost { writer, acknowledged, found });
    }
    Ok(found)
}

/// Holds the last settled write of the transcript against the list, both read by a connection that
/// is not the Host's.
///
/// # Errors
/// Where the database cannot be read; the inner error is the verdict.
pub(super) fn judge_transcript(database: &Path, writer: &Writer) -> Result<Result<(), Violation>> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .context("open the database")?;
    let one = |sql: &str| -> Result<Option<Value>> {
        let mut statement = connection.prepare(sql).context("ask the database")?;
        let mut rows = statement.query([writer.session.as_str()]).context("ask the database")?;
        let Some(row) = rows.next().context("read a record")? else { return Ok(None) };
        let text: String = row.get(0).context("read a record")?;
        Ok(Some(serde_json::from_str(&text).context("read a record as JSON")?))
    };
    let list =
        one("SELECT record_json FROM workflow_session_todo_documents WHERE session_id = ?1")?;
    let last = one("SELECT record_json FROM maka_records \
        WHERE session_id = ?1 AND kind = 'tool_result' ORDER BY sequence DESC LIMIT 1")?;
    let items = |record: Option<Value>| record.and_then(|record| record.get("items").cloned());
    let listed = items(list).filter(|items| *items != Value::Array(Vec::new()));
    if listed == items(last) {
        Ok(Ok(()))
    } else {
        Ok(Err(Violation::TranscriptDisagrees { writer: writer.index }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Violation, judge};
    use crate::drill::writer::Writer;
    use crate::numbered;
    use maka_core::SessionId;
    use maka_core::session_todo::SessionTodo;
    use serde_json::Value;

    fn todo(number: u64) -> SessionTodo {
        let value: Value = serde_json::from_str(&numbered::arguments(1, number)).unwrap();
        SessionTodo::from_value(&value["todos"]).unwrap()
    }

    #[test]
    fn a_list_is_between_the_last_acknowledged_and_the_last_sent() {
        let mut writer = Writer::new(1, SessionId::parse("s").unwrap());
        assert_eq!(judge(&writer, &SessionTodo::default()), Ok(0));
        (writer.settled, writer.sent) = (7, 8);
        assert_eq!(judge(&writer, &todo(7)), Ok(7));
        assert_eq!(judge(&writer, &todo(8)), Ok(8));
        assert!(matches!(judge(&writer, &todo(6)), Err(Violation::Lost { found: 6, .. })));
        assert!(matches!(judge(&writer, &todo(9)), Err(Violation::Torn { .. })));
        let nothing = judge(&writer, &SessionTodo::default());
        assert!(matches!(nothing, Err(Violation::Lost { found: 0, .. })));
    }
}
