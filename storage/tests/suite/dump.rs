//! The whole logical content of a database, read by a connection of its own: every table with
//! every row, `sqlite_schema` and the versions.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, OpenFlags};

/// Everything that a database says.
#[derive(Debug, PartialEq)]
pub(crate) struct Dump {
    pub(crate) schema: Vec<(String, String, String, Option<String>)>,
    pub(crate) versions: (i64, i64),
    pub(crate) tables: BTreeMap<String, Vec<Vec<Value>>>,
}

impl Dump {
    /// Reads the database beside whoever has it open, and leaves its log alone.
    pub(crate) fn of(path: &Path) -> Self {
        let connection = observer(path);
        connection.execute_batch("BEGIN").expect("a read transaction");
        let schema: Vec<_> = rows(
            &connection,
            "SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name, type",
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
        );
        let version = |pragma| {
            connection.pragma_query_value(None, pragma, |row| row.get(0)).expect("a version")
        };
        let versions = (version("user_version"), version("application_id"));
        let names: Vec<String> =
            rows(&connection, "SELECT name FROM sqlite_schema WHERE type = 'table'", |row| {
                row.get(0)
            });
        let tables = names.into_iter().map(|name| {
            let mut all = rows(&connection, &format!("SELECT * FROM \"{name}\""), |row| {
                (0..row.as_ref().column_count()).map(|index| value(row, index)).collect()
            });
            all.sort_by_key(|row: &Vec<Value>| format!("{row:?}"));
            (name, all)
        });
        let tables = tables.collect();
        Self { schema, versions, tables }
    }

    /// The tables of the reference implementation that an upgrade must leave as they are.
    pub(crate) fn foreign(&self) -> BTreeMap<&str, &Vec<Vec<Value>>> {
        let ours = |name: &str| {
            name.starts_with("maka_")
                || [
                    "operational_schema_migrations",
                    "workflow_session_todo_documents",
                    "workflow_task_ledger_events",
                    "workflow_task_ledger_projections",
                    "workflow_plan_projections",
                ]
                .contains(&name)
        };
        self.tables
            .iter()
            .filter(|(name, _)| !ours(name))
            .map(|(name, rows)| (name.as_str(), rows))
            .collect()
    }
}

/// The value in a column; text that is not UTF-8 as its bytes.
fn value(row: &rusqlite::Row<'_>, index: usize) -> rusqlite::Result<Value> {
    if let ValueRef::Text(bytes) = row.get_ref(index)? {
        return Ok(match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            Err(_) => Value::Blob(bytes.to_owned()),
        });
    }
    row.get(index)
}

/// A read-only connection that takes part in the locks and changes no byte of the database or of
/// its log.
pub(crate) fn observer(path: &Path) -> Connection {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .expect("the database opens");
    connection
        .set_db_config(rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)
        .expect("a setting");
    connection
}

/// All rows of a query.
pub(crate) fn rows<T>(
    connection: &Connection,
    sql: &str,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let mut statement = connection.prepare(sql).expect("SQL");
    let rows = statement.query_map((), read).expect("a query");
    rows.collect::<Result<_, _>>().expect("rows")
}
