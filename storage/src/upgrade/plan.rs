//! Tells beforehand what an upgrade would do, and changes nothing.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rusqlite::Connection;

use super::foreign::{count, text};
use super::ledger;
use super::messages::MESSAGES;
use super::report::UpgradePlan;
use super::session::Fate;
use super::sessions::{for_each_session, for_each_tombstone};
use crate::schema::{
    OldWorkspace, Standing, TODO, WORKFLOW_VERSION, beside, inspect, open_observer, read_error,
};
use crate::{OpenError, StateRoot};

/// How often a look at a file that is being written to is tried without taking part in its locks.
const QUIET_TRIES: u32 = 3;

/// Tells what an upgrade of the workspace would do. Not a byte of the database or of its log
/// changes. What another program is writing meanwhile is seen as of its last commit.
///
/// # Errors
/// [`OpenError::Blocked`] where an upgrade would refuse the workspace, or the machine's error.
pub fn plan(root: &StateRoot) -> Result<UpgradePlan, OpenError> {
    let path = root.database();
    for _ in 0..QUIET_TRIES {
        let before = Traces::of(&path);
        if before.is_absent() {
            return Ok(nothing(0));
        }
        if !before.is_quiet() {
            break;
        }
        let plan = open_observer(&path, true).map_err(OpenError::from).and_then(|it| look(&it));
        // Nothing was locked, so what was read only counts if nobody wrote in the meantime.
        if Traces::of(&path) == before {
            return plan;
        }
    }
    look(&open_observer(&path, false)?)
}

/// What the file system tells of a database without opening it.
#[derive(Debug, PartialEq, Eq)]
struct Traces {
    database: Option<(u64, u64, i64, i64)>,
    log_bytes: u64,
    journal_bytes: u64,
}

impl Traces {
    fn of(path: &Path) -> Self {
        let bytes = |suffix| fs::metadata(beside(path, suffix)).map_or(0, |found| found.len());
        let database = fs::metadata(path)
            .ok()
            .map(|found| (found.ino(), found.len(), found.mtime(), found.mtime_nsec()));
        Self { database, log_bytes: bytes("-wal"), journal_bytes: bytes("-journal") }
    }

    fn is_absent(&self) -> bool {
        let empty = self.database.is_none_or(|(_, bytes, ..)| bytes == 0);
        empty && self.is_quiet()
    }

    fn is_quiet(&self) -> bool {
        self.log_bytes == 0 && self.journal_bytes == 0
    }
}

fn nothing(from: u32) -> UpgradePlan {
    UpgradePlan { from, to: WORKFLOW_VERSION, ..UpgradePlan::default() }
}

fn look(connection: &Connection) -> Result<UpgradePlan, OpenError> {
    connection.execute_batch("BEGIN").map_err(read_error)?;
    match inspect(connection)? {
        Standing::Fresh => Ok(nothing(0)),
        Standing::Current => Ok(nothing(WORKFLOW_VERSION)),
        Standing::Old(old) => survey(connection, old),
    }
}

fn survey(connection: &Connection, old: OldWorkspace) -> Result<UpgradePlan, OpenError> {
    let mut plan = UpgradePlan { needed: true, ..nothing(old.from) };
    if old.ledger {
        let counts = ledger::count(connection)?;
        plan.ledger_events = counts.events;
        plan.ledger_sessions = counts.sessions;
    }
    if old.adopted {
        return Ok(plan);
    }
    let roster = Roster::read(connection, &mut plan)?;
    count_messages(connection, &roster, &mut plan)?;
    if old.todo {
        count_todos(connection, &roster, &mut plan)?;
    }
    Ok(plan)
}

/// Who is who among the ids of a workspace. Holds ids only.
#[derive(Debug, Default)]
struct Roster {
    removed: HashSet<String>,
    preparing: HashSet<String>,
    adopted: HashSet<String>,
}

impl Roster {
    fn read(connection: &Connection, plan: &mut UpgradePlan) -> Result<Self, OpenError> {
        let mut roster = Self::default();
        for_each_tombstone(connection, |found| {
            match found {
                Ok((id, _)) => {
                    plan.tombstones += 1;
                    roster.removed.insert(id.into());
                }
                Err(_) => plan.skipped += 1,
            }
            Ok(())
        })?;
        for_each_session(connection, |found| {
            match found {
                Err(_) => plan.skipped += 1,
                Ok((id, _)) if roster.removed.contains(id.as_str()) => {}
                Ok((id, Fate::Preparing)) => {
                    plan.preparing_copies += 1;
                    roster.preparing.insert(id.into());
                }
                Ok((id, Fate::Adopted(_))) => {
                    plan.sessions += 1;
                    roster.adopted.insert(id.into());
                }
            }
            Ok(())
        })?;
        Ok(roster)
    }
}

fn count_messages(
    connection: &Connection,
    roster: &Roster,
    plan: &mut UpgradePlan,
) -> Result<(), OpenError> {
    if MESSAGES.columns(connection)?.is_none() {
        return Ok(());
    }
    let sql = "SELECT session_id, count(*) FROM session_messages GROUP BY session_id";
    let mut statement = connection.prepare(sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        let session = text(row.get_ref(0).map_err(read_error)?).unwrap_or_default();
        if roster.adopted.contains(&session) {
            plan.messages += count(row, 1).map_err(read_error)?;
        }
    }
    Ok(())
}

fn count_todos(
    connection: &Connection,
    roster: &Roster,
    plan: &mut UpgradePlan,
) -> Result<(), OpenError> {
    let sql = format!("SELECT session_id FROM {}", TODO.name);
    let mut statement = connection.prepare(&sql).map_err(read_error)?;
    let mut rows = statement.query(()).map_err(read_error)?;
    while let Some(row) = rows.next().map_err(read_error)? {
        let session = text(row.get_ref(0).map_err(read_error)?).unwrap_or_default();
        if roster.adopted.contains(&session) {
            plan.todos += 1;
        } else if roster.removed.contains(&session) || roster.preparing.contains(&session) {
            plan.purged_todos += 1;
        } else {
            plan.orphan_todos += 1;
        }
    }
    Ok(())
}
