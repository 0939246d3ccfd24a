//! What a database says as a whole, read by a connection that is not the product's.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use rusqlite::{Connection, OpenFlags};

/// Everything that a database holds: versions, schema, and each row of each table, in a fixed
/// order. Works on a copy of the file and its log, so the original is not touched.
///
/// # Errors
/// Where the file cannot be copied or read.
pub fn logical_dump(database: &Path) -> Result<Vec<String>> {
    let folder = tempfile::tempdir().context("make a folder for a copy")?;
    let copy = folder.path().join("copy.sqlite");
    fs::copy(database, &copy).with_context(|| format!("copy {database:?}"))?;
    let log = with_suffix(database, "-wal");
    if log.exists() {
        fs::copy(&log, with_suffix(&copy, "-wal")).context("copy the log")?;
    }
    dump(&Connection::open(&copy).context("open the copy")?)
}

/// Reads the stored record of a list beside a running Host; `None` where there is no row.
///
/// # Errors
/// Where the database cannot be read.
pub fn stored_record(database: &Path, session: &str) -> Result<Option<String>> {
    let connection = Connection::open_with_flags(database, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .context("open the database")?;
    let mut statement = connection
        .prepare("SELECT record_json FROM workflow_session_todo_documents WHERE session_id = ?1")
        .context("ask for a list")?;
    let mut rows = statement.query([session]).context("ask for a list")?;
    match rows.next().context("read a list")? {
        Some(row) => Ok(Some(row.get(0).context("read a record")?)),
        None => Ok(None),
    }
}

fn with_suffix(path: &Path, suffix: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn dump(connection: &Connection) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for pragma in ["user_version", "application_id", "encoding"] {
        let value: rusqlite::types::Value =
            connection.query_row(&format!("PRAGMA {pragma}"), [], |row| row.get(0))?;
        lines.push(format!("{pragma} {value:?}"));
    }
    lines.extend(texts(
        connection,
        "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || ifnull(sql, '') FROM sqlite_schema",
    )?);
    let tables = texts(connection, "SELECT name FROM sqlite_schema WHERE type = 'table'")?;
    for table in tables {
        let quoted = table.replace('"', "\"\"");
        let columns = texts(connection, &format!("SELECT name FROM pragma_table_info('{table}')"))?;
        let columns: Vec<String> = columns
            .iter()
            .map(|column| format!("quote(\"{}\")", column.replace('"', "\"\"")))
            .collect();
        let select = format!("SELECT {} FROM \"{quoted}\"", columns.join(" || ',' || "));
        let mut rows = texts(connection, &select).with_context(|| format!("read {table}"))?;
        rows.sort_unstable();
        lines.extend(rows.into_iter().map(|row| format!("{table}: {row}")));
    }
    Ok(lines)
}

fn texts(connection: &Connection, sql: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map([], |row| row.get(0))?;
    let mut found = rows.collect::<Result<Vec<String>, _>>()?;
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::logical_dump;
    use rusqlite::Connection;

    #[test]
    fn any_change_shows_and_a_vacuum_does_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.sqlite");
        let connection = Connection::open(&path).unwrap();
        connection
            .execute_batch("PRAGMA journal_mode = WAL; CREATE TABLE t (a, b); INSERT INTO t VALUES (1, x'00'), ('1', NULL);")
            .unwrap();
        let first = logical_dump(&path).unwrap();
        connection.execute_batch("VACUUM").unwrap();
        assert_eq!(logical_dump(&path).unwrap(), first);
        for change in [
            "UPDATE t SET a = '1' WHERE a = 1",
            "PRAGMA user_version = 3",
            "CREATE INDEX i ON t (a)",
        ] {
            connection.execute_batch(change).unwrap();
            assert_ne!(logical_dump(&path).unwrap(), first, "{change} must show");
        }
    }
}
