//! Makes our tables and registers their versions, in a transaction of the caller.

use rusqlite::Connection;

use super::shapes::{MAKA_VERSION, OWN_TABLES, REGISTRY, TODO, WORKFLOW_VERSION};

/// Makes everything that a fresh database needs.
pub(super) fn create_all(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    connection.execute_batch(REGISTRY.ddl)?;
    create_todo_table(connection)?;
    create_own_tables(connection)?;
    register(connection, now)
}

/// Makes the table of Todo documents.
pub(crate) fn create_todo_table(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(TODO.ddl)
}

/// Makes the tables of our own scope.
pub(crate) fn create_own_tables(connection: &Connection) -> rusqlite::Result<()> {
    connection.execute_batch(OWN_TABLES)
}

/// Registers the versions that this program writes, at `now` in milliseconds since the Unix
/// epoch. A scope that stands at its version already keeps its row as it is.
pub(crate) fn register(connection: &Connection, now: i64) -> rusqlite::Result<()> {
    let sql = format!(
        "INSERT INTO {0} (scope, version, applied_at) VALUES (?1, ?2, ?3)
         ON CONFLICT (scope) DO UPDATE SET version = ?2, applied_at = ?3 WHERE version <> ?2",
        REGISTRY.name
    );
    let mut statement = connection.prepare(&sql)?;
    for (scope, version) in [("workflow", WORKFLOW_VERSION), ("maka", MAKA_VERSION)] {
        statement.execute((scope, version, now))?;
    }
    Ok(())
}
