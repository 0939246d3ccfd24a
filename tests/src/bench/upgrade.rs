//! The upgrade of a workspace with very many ledger events, beside the sum of its raw steps.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use sha2::{Digest, Sha256};

use super::options::Scale;
use super::report::Row;
use super::sample::median;
use crate::program::maka_command;
use crate::scratch::Scratch;

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    let original = Scratch::with_workspace("v9-rich.sqlite")?;
    multiply_events(&original.database(), scale.ledger_events())?;
    let (mut ours, mut floor) = (vec![], vec![]);
    for _ in 0..scale.rounds() {
        floor.push(raw_steps(&copy_of(&original)?.database())?);
        ours.push(upgrade(&copy_of(&original)?)?);
    }
    let what = format!("upgrade with {} ledger events", scale.ledger_events());
    Ok(vec![
        Row::new(what, "s", median(ours)).beside("its raw steps", median(floor)).ratio_at_most(1.3),
    ])
}

/// Repeats the events that are there until there are `count` in all.
fn multiply_events(database: &Path, count: u32) -> Result<()> {
    let connection = Connection::open(database).context("open the workspace")?;
    connection.execute_batch("PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF;")?;
    let have: u32 =
        connection
            .query_row("SELECT count(*) FROM workflow_task_ledger_events", [], |row| row.get(0))?;
    connection.execute(
        "WITH RECURSIVE copies(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n <= ?1 / ?2) \
         INSERT INTO workflow_task_ledger_events \
         SELECT session_id, sequence + n * 100000, event_id || '-' || n, record_json \
         FROM copies, (SELECT * FROM workflow_task_ledger_events) LIMIT ?1 - ?2",
        [count, have],
    )?;
    connection.execute_batch("PRAGMA wal_checkpoint(TRUNCATE);")?;
    let now: u32 =
        connection
            .query_row("SELECT count(*) FROM workflow_task_ledger_events", [], |row| row.get(0))?;
    ensure!(now == count, "{now} events in place of {count}");
    Ok(())
}

/// A copy that is on the disk, so that no writing back of it falls into what is timed.
fn copy_of(original: &Scratch) -> Result<Scratch> {
    let copy = Scratch::with_workspace("v9-rich.sqlite")?;
    fs::copy(original.database(), copy.database()).context("copy the workspace")?;
    File::open(copy.database()).and_then(|file| file.sync_all()).context("sync the copy")?;
    Ok(copy)
}

fn upgrade(workspace: &Scratch) -> Result<f64> {
    let begun = Instant::now();
    let status = maka_command(&workspace.root())?
        .arg("upgrade")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .context("run maka upgrade")?;
    let time = begun.elapsed().as_secs_f64();
    ensure!(status.success(), "maka upgrade ended with {status}");
    Ok(time)
}

/// A backup, its digest, its check, the counts of the report, and the drop: each once, by the
/// plainest means.
fn raw_steps(database: &Path) -> Result<f64> {
    let backup = database.with_extension("backup");
    let begun = Instant::now();
    let source = Connection::open(database).context("open the workspace")?;
    source.execute_batch("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;")?;
    {
        let mut target = Connection::open(&backup).context("open the backup")?;
        Backup::new(&source, &mut target)?.step(-1).context("copy the pages")?;
    }
    File::open(&backup).and_then(|file| file.sync_all()).context("sync the backup")?;
    digest(&backup)?;
    let copy = Connection::open(&backup).context("open the backup")?;
    let verdict: String = copy.query_row("PRAGMA integrity_check", [], |row| row.get(0))?;
    ensure!(verdict == "ok", "the backup is damaged: {verdict}");
    let counts = "SELECT count(*), count(DISTINCT session_id) FROM workflow_task_ledger_events";
    source.query_row(counts, [], |row| Ok((row.get::<_, u32>(0)?, row.get::<_, u32>(1)?)))?;
    source.execute_batch("BEGIN IMMEDIATE; DROP TABLE workflow_task_ledger_events; COMMIT;")?;
    Ok(begun.elapsed().as_secs_f64())
}

fn digest(path: &Path) -> Result<()> {
    let mut file = File::open(path).context("open the backup")?;
    let mut hash = Sha256::new();
    let mut chunk = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut chunk).context("read the backup")?;
        if count == 0 {
            break;
        }
        hash.update(chunk.get(..count).unwrap_or_default());
    }
    std::hint::black_box(hash.finalize());
    Ok(())
}
