//! The floor of a write: SQLite alone commits the rows that one `todo_write` leaves, with the
//! product's own tables and pragmas, without a socket, a validation or a thread.

use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rusqlite::{Connection, params};

use super::sample::{ITEMS, record};

/// A connection of its own on a copy of a state root's database.
#[derive(Debug)]
pub(super) struct RawCommits {
    connection: Connection,
    session: String,
    writes: u32,
}

impl RawCommits {
    /// Opens a database that a Host has made and left.
    pub(super) fn open(database: &Path, session: &str) -> Result<Self> {
        let connection = Connection::open(database).context("open the database")?;
        connection
            .execute_batch(
                "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
                 PRAGMA wal_autocheckpoint = 2000;",
            )
            .context("set the pragmas")?;
        Ok(Self { connection, session: session.to_owned(), writes: 0 })
    }

    /// Commits a second, over a window of time.
    pub(super) fn rate(&mut self, window: Duration) -> Result<f64> {
        let begun = Instant::now();
        let before = self.writes;
        while begun.elapsed() < window {
            self.commit()?;
        }
        Ok(f64::from(self.writes - before) / begun.elapsed().as_secs_f64())
    }

    fn commit(&mut self) -> Result<()> {
        self.writes += 1;
        let list = record(self.writes % 2);
        let settled = settled_record(&list);
        let turn = format!("raw-turn-{:026}", self.writes);
        let pending = ITEMS / 3;
        let connection = &self.connection;
        connection.prepare_cached("BEGIN IMMEDIATE")?.execute([])?;
        connection
            .prepare_cached(
                "INSERT INTO workflow_session_todo_documents (session_id, record_json) \
                 VALUES (?1, ?2) \
                 ON CONFLICT (session_id) DO UPDATE SET record_json = excluded.record_json",
            )?
            .execute(params![self.session, list])?;
        connection
            .prepare_cached(
                "INSERT INTO maka_todo_counts (session_id, pending, in_progress, completed) \
                 VALUES (?1, ?2, ?2, ?2) ON CONFLICT (session_id) DO UPDATE SET \
                 pending = excluded.pending, in_progress = excluded.in_progress, \
                 completed = excluded.completed \
                 WHERE pending IS NOT excluded.pending",
            )?
            .execute(params![self.session, pending])?;
        connection
            .prepare_cached(
                "INSERT INTO maka_turns \
                 (session_id, ordinal, turn_id, state, client, started_at, settled_at) \
                 VALUES (?1, ?2, ?3, 'committed', 'maka-bench', 1, 1)",
            )?
            .execute(params![self.session, RAW_OFFSET + self.writes, turn])?;
        connection
            .prepare_cached(
                "INSERT INTO maka_records \
                 (session_id, sequence, turn_id, kind, recorded_at, record_json) \
                 VALUES (?1, ?2, ?3, 'tool_result', 1, ?4)",
            )?
            .execute(params![self.session, RAW_OFFSET + self.writes, turn, settled])?;
        connection.prepare_cached("COMMIT")?.execute([])?;
        Ok(())
    }
}

/// Beyond every number that the Host has given in the same tables.
const RAW_OFFSET: u32 = 1_000_000_000;

fn settled_record(list: &str) -> String {
    let items = list.split_once("\"items\":").map_or("[]}", |(_, items)| items);
    let items = items.strip_suffix('}').unwrap_or(items);
    format!("{{\"tool\":\"todo_write\",\"ok\":true,\"items\":{items},\"droppedUnfinished\":13}}")
}
