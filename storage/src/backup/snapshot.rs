//! The snapshot: a consistent copy of a database that may be in use.

use std::path::Path;
use std::thread;

use maka_core::Timestamp;
use rusqlite::backup::{Backup, StepResult};
use rusqlite::{Connection, OpenFlags};

use super::check;
use super::error::BackupError;
use super::inventory::{self, Tally};
use super::manifest::{BackupInfo, DATABASE, Manifest};
use super::staging::Staging;
use crate::Faults;
use crate::root::create_private_file;
use crate::sqlite_error::store_error;

/// Pages copied between two calls of the progress callback.
const STEP_PAGES: i32 = 256;

/// Copies what `source` sees at one moment into the backup `target`, which must not exist. Writers
/// go on meanwhile. `source` has no transaction open. `progress` hears pages done of pages in all.
///
/// # Errors
/// [`BackupError`]; nothing stands at `target`.
pub(crate) fn snapshot(
    source: &Connection,
    target: &Path,
    now: Timestamp,
    faults: &Faults,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<BackupInfo, BackupError> {
    let staging = Staging::beside(target)?;
    let path = staging.path().join(DATABASE);
    let version = copy(source, &path, progress)?;
    faults.at("backup.copied")?;
    let entry = thread::scope(|scope| {
        // The check reads in its own order and can take its own core.
        let whole = scope.spawn(|| check::database(staging.target(), &path, Some(version)));
        let mut silence = |_, _| {};
        let entry = inventory::hash(&path, &mut std::io::sink(), &mut Tally::silent(&mut silence));
        match whole.join() {
            Ok(whole) => whole.and(entry),
            Err(_) => Err(BackupError::corrupt(staging.target(), "its check did not end")),
        }
    })?;
    let manifest = Manifest::of(now, version, entry);
    manifest.write(staging.path())?;
    inventory::check_names(staging.path(), &manifest)?;
    faults.at("backup.verified")?;
    let place = staging.publish()?;
    faults.at("backup.renamed")?;
    manifest.info(&place)
}

/// Copies the pages and syncs them. Returns the `user_version` of what was copied.
fn copy(
    source: &Connection,
    path: &Path,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<i64, BackupError> {
    create_private_file(path).map_err(BackupError::io("create", path))?;
    let failed = |cause| store_error("copy the database", cause);
    let mut copy = staged(path).map_err(failed)?;
    let pinned = Pinned::begin(source).map_err(failed)?;
    let version = check::user_version(source)?;
    copy_pages(source, &mut copy, progress).map_err(failed)?;
    drop(pinned);
    copy.close().map_err(|(_, cause)| failed(cause))?;
    std::fs::File::open(path)
        .and_then(|file| file.sync_all())
        .map_err(BackupError::io("sync", path))?;
    Ok(version)
}

/// The copy needs no journal: until it is synced and renamed nobody believes it.
fn staged(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copy = Connection::open_with_flags(path, flags)?;
    copy.execute_batch("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;")?;
    Ok(copy)
}

fn copy_pages(
    source: &Connection,
    copy: &mut Connection,
    progress: &mut dyn FnMut(u64, u64),
) -> rusqlite::Result<()> {
    let backup = Backup::new(source, copy)?;
    loop {
        let step = backup.step(STEP_PAGES)?;
        let at = backup.progress();
        let total = u64::try_from(at.pagecount).unwrap_or_default();
        let remaining = u64::try_from(at.remaining).unwrap_or_default();
        progress(total.saturating_sub(remaining), total);
        if !matches!(step, StepResult::More) {
            return finished(step);
        }
    }
}

fn finished(step: StepResult) -> rusqlite::Result<()> {
    if matches!(step, StepResult::Done) {
        return Ok(());
    }
    // The source is pinned and the copy is ours alone, so nobody else can be in the way for long.
    let busy = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_BUSY);
    Err(rusqlite::Error::SqliteFailure(busy, None))
}

/// A read transaction that holds the source at one moment. Without it each commit of a writer
/// would make the copy start again.
struct Pinned<'a>(&'a Connection);

impl<'a> Pinned<'a> {
    fn begin(source: &'a Connection) -> rusqlite::Result<Self> {
        source.execute_batch("BEGIN")?;
        let pinned = Self(source);
        // A transaction that has read nothing yet holds nothing.
        source.query_row("SELECT count(*) FROM sqlite_schema", (), |_| Ok(()))?;
        Ok(pinned)
    }
}

impl Drop for Pinned<'_> {
    fn drop(&mut self) {
        // Nothing was written; a failure leaves the transaction to the closing of the connection.
        let _ = self.0.execute_batch("ROLLBACK");
    }
}
