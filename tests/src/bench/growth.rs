//! What a read and a write cost where there are many Sessions.

use std::path::Path;

use anyhow::{Context, Result};
use maka_core::SessionId;
use rusqlite::{Connection, params};

use super::load::{Script, latency, rate};
use super::options::Scale;
use super::report::Row;
use super::sample::{arguments, median, record};
use crate::host_process::HostProcess;
use crate::scratch::Scratch;

/// How much more a read or a write may cost among the most Sessions than among the fewest.
const FLAT: f64 = 1.25;

/// A state root with a number of Sessions, and one more to read and write.
struct Root {
    sessions: u32,
    scratch: Scratch,
    session: SessionId,
}

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    let roots = scale.session_counts().iter().map(|count| Root::new(*count));
    let roots = roots.collect::<Result<Vec<_>>>()?;
    let mut reads = vec![Vec::new(); roots.len()];
    let mut writes = vec![Vec::new(); roots.len()];
    for _ in 0..scale.rounds() {
        // All sizes take their turn in each round, so that a drift of the machine hits them alike.
        for (root, (reads, writes)) in roots.iter().zip(reads.iter_mut().zip(&mut writes)) {
            let host = HostProcess::start(&root.scratch.root())?;
            let query = Script::query(&root.session)?;
            reads.push(latency(host.socket(), &query, scale.latencies())?.0);
            let write = [Script::write(&root.session)?];
            writes.push(1e6 / rate(host.socket(), &write, scale.window())?);
            host.stop()?;
        }
    }
    let mut rows = rows(&roots, "session.todo.query", reads);
    rows.extend(self::rows(&roots, "todo_write", writes));
    Ok(rows)
}

fn rows(roots: &[Root], what: &str, times: Vec<Vec<f64>>) -> Vec<Row> {
    let times: Vec<f64> = times.into_iter().map(median).collect();
    let first = times.first().copied().unwrap_or_default();
    roots
        .iter()
        .zip(times)
        .skip(1)
        .map(|(root, time)| {
            Row::new(format!("{what} among {} Sessions", root.sessions), "µs", time)
                .beside("among 10", first)
                .ratio_at_most(FLAT)
        })
        .collect()
}

impl Root {
    fn new(sessions: u32) -> Result<Self> {
        let scratch = Scratch::new()?;
        let host = HostProcess::start(&scratch.root())?;
        let session = host.client()?.new_session("measured")?;
        host.model(&session)?.write_list(&arguments(0))?;
        host.stop()?;
        fill(&scratch.database(), sessions).context("fill the database")?;
        Ok(Self { sessions, scratch, session })
    }
}

/// Adds Sessions with a list each, in the product's own tables.
fn fill(database: &Path, sessions: u32) -> Result<()> {
    let connection = Connection::open(database)?;
    connection.execute_batch("BEGIN IMMEDIATE")?;
    for index in 0..sessions {
        let id = format!("filler-{index:08}");
        connection
            .prepare_cached(
                "INSERT INTO maka_sessions \
                 (session_id, name, created_at, archived, state, revision) \
                 VALUES (?1, ?2, ?3, 0, 'committed', 1)",
            )?
            .execute(params![id, format!("filler {index}"), index])?;
        connection
            .prepare_cached(
                "INSERT INTO workflow_session_todo_documents (session_id, record_json) \
                 VALUES (?1, ?2)",
            )?
            .execute(params![id, record(index % 2)])?;
        connection
            .prepare_cached("INSERT INTO maka_todo_counts VALUES (?1, 6, 7, 7)")?
            .execute(params![id])?;
    }
    connection.execute_batch("COMMIT")?;
    Ok(())
}
