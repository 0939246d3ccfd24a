//! Reads the tables of the reference implementation, of which a workspace may lack some and whose
//! columns differ between versions.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};

use crate::OpenError;
use crate::schema::{HINT_STRANGE, blocked, read_error};

/// A table of the reference implementation, as far as we read it.
#[derive(Debug, Clone, Copy)]
pub(super) struct ForeignTable {
    pub(super) name: &'static str,
    /// Columns without which it cannot be understood.
    pub(super) required: &'static [&'static str],
    /// Columns that read as NULL where they are absent.
    pub(super) optional: &'static [&'static str],
}

impl ForeignTable {
    /// The columns to select, in the order of `required` and then `optional`; `None` where there
    /// is no such table.
    pub(super) fn columns(&self, connection: &Connection) -> Result<Option<String>, OpenError> {
        let present = self.present(connection)?;
        if present.is_empty() {
            return Ok(None);
        }
        let has = |column: &&str| present.iter().any(|name| name.eq_ignore_ascii_case(column));
        if let Some(missing) = self.required.iter().find(|column| !has(column)) {
            let reason = format!("the table {} lacks the column {missing}", self.name);
            return Err(blocked(reason, HINT_STRANGE));
        }
        let required = self.required.iter().map(|column| (*column).to_owned());
        let optional = self.optional.iter().map(|column| {
            if has(column) { (*column).to_owned() } else { format!("NULL AS {column}") }
        });
        Ok(Some(required.chain(optional).collect::<Vec<_>>().join(", ")))
    }

    fn present(&self, connection: &Connection) -> Result<Vec<String>, OpenError> {
        let mut statement =
            connection.prepare("SELECT name FROM pragma_table_info(?1)").map_err(read_error)?;
        let names = statement.query_map((self.name,), |row| row.get(0)).map_err(read_error)?;
        names.collect::<Result<_, _>>().map_err(read_error)
    }
}

/// The text in a column, whatever type it was stored as; `None` for NULL.
pub(super) fn text(value: ValueRef<'_>) -> Option<String> {
    match value {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
            Some(String::from_utf8_lossy(bytes).into_owned())
        }
    }
}

/// The whole number in a column, if it is one.
pub(super) fn integer(value: ValueRef<'_>) -> Option<i64> {
    match value {
        ValueRef::Integer(number) => Some(number),
        ValueRef::Null | ValueRef::Real(_) | ValueRef::Text(_) | ValueRef::Blob(_) => None,
    }
}

/// A count that SQLite made; it has no unsigned numbers.
pub(super) fn count(row: &Row<'_>, index: usize) -> rusqlite::Result<u64> {
    Ok(u64::try_from(row.get::<_, i64>(index)?).unwrap_or(0))
}
