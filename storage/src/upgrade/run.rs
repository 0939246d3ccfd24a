//! Does the upgrade: a backup, then one transaction.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::sync::Arc;

use maka_core::{StoreError, Timestamp};
use rusqlite::Connection;

use super::error::UpgradeError;
use super::report::{UpgradeReport, UpgradeStep};
use super::{ledger, messages, sessions, todos};
use crate::backup;
use crate::schema::{
    LEDGER, OldWorkspace, PLAN_PROJECTIONS, Released, Standing, TASK_PROJECTIONS, WORKFLOW_VERSION,
    check_writable, checkpoint_on_close, create_own_tables, create_todo_table, inspect, io_error,
    prepare_files, register, set_log_mode, sole_connection, write_error,
};
use crate::sqlite_error::store_error;
use crate::{Faults, InjectedFault, OpenError, RootLease};

/// Upgrades the workspace of the leased root. To be called only when a person asked for it.
/// Where there is nothing to upgrade, nothing is written.
///
/// `now` is what the registry will tell as the moment of the upgrade, and names the backup.
///
/// # Errors
/// [`UpgradeError`]; the workspace is as it was, except where the error says that this cannot be
/// known.
pub fn upgrade(
    lease: &Arc<RootLease>,
    now: Timestamp,
    faults: &Faults,
    progress: &mut dyn FnMut(UpgradeStep),
) -> Result<UpgradeReport, UpgradeError> {
    let path = lease.root().database();
    if !path.exists() {
        return Ok(nothing(0));
    }
    prepare_files(lease.root(), &path).map_err(OpenError::from)?;
    let connection = sole_connection(&path).map_err(UpgradeError::from_locking)?;
    check_writable(&connection).map_err(OpenError::from)?;
    let old = match inspect(&connection).map_err(UpgradeError::from_locking)? {
        Standing::Fresh => return Ok(nothing(0)),
        Standing::Current => return Ok(nothing(WORKFLOW_VERSION)),
        Standing::Old(old) => old,
    };
    let backup = back_up(&connection, lease, old, now, faults, progress)?;
    faults.at("upgrade.backed_up")?;
    let mut upgrade = Upgrade { connection: &connection, lease, now, faults, progress };
    let mut report = upgrade.in_one_transaction()?;
    report.backup = Some(backup);
    faults.at("upgrade.committed")?;
    // The upgrade stands; what follows only tidies the files.
    let _ = set_log_mode(&connection);
    let _ = checkpoint_on_close(&connection);
    Ok(report)
}

fn nothing(from: u32) -> UpgradeReport {
    UpgradeReport { from, to: WORKFLOW_VERSION, ..UpgradeReport::default() }
}

fn back_up(
    connection: &Connection,
    lease: &Arc<RootLease>,
    old: OldWorkspace,
    now: Timestamp,
    faults: &Faults,
    progress: &mut dyn FnMut(UpgradeStep),
) -> Result<PathBuf, UpgradeError> {
    let backups = lease.root().backups();
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(&backups)
        .map_err(|cause| OpenError::Store(io_error("create the folder of backups", cause)))?;
    let moment = jiff::Timestamp::from_millisecond(now.as_millis()).unwrap_or_default();
    let name = format!(
        "pre-upgrade-{}-to-{WORKFLOW_VERSION}-{}",
        old.from,
        moment.strftime("%Y%m%dT%H%M%SZ")
    );
    let free = |name: &String| !backups.join(name).exists();
    // Two upgrades within one second need different names.
    let names = std::iter::once(name.clone()).chain((2_u32..).map(|n| format!("{name}-{n}")));
    let target = backups.join(names.into_iter().find(free).unwrap_or(name));
    backup::snapshot(connection, &target, now, faults, &mut |done, total| {
        progress(UpgradeStep::BackingUp { done, total });
    })
    .map_err(UpgradeError::Backup)?;
    Ok(target)
}

/// The transaction and what it works with.
struct Upgrade<'a> {
    connection: &'a Connection,
    lease: &'a RootLease,
    now: Timestamp,
    faults: &'a Faults,
    progress: &'a mut dyn FnMut(UpgradeStep),
}

impl Upgrade<'_> {
    fn in_one_transaction(&mut self) -> Result<UpgradeReport, UpgradeError> {
        self.execute("begin the upgrade", "BEGIN IMMEDIATE").map_err(UpgradeError::from_locking)?;
        let outcome = self.steps().and_then(|report| {
            (self.progress)(UpgradeStep::Committing);
            if !self.lease.is_held() {
                return Err(UpgradeError::LeaseLost);
            }
            self.commit()?;
            Ok(report)
        });
        if outcome.is_err() {
            // Where SQLite has rolled back by itself there is nothing left to undo.
            let _ = self.connection.execute_batch("ROLLBACK");
        }
        outcome
    }

    fn steps(&mut self) -> Result<UpgradeReport, UpgradeError> {
        self.pass("upgrade.begun")?;
        // Asked again, now that nobody can change the answer any more.
        let old = match inspect(self.connection)? {
            Standing::Fresh => return Ok(nothing(0)),
            Standing::Current => return Ok(nothing(WORKFLOW_VERSION)),
            Standing::Old(old) => old,
        };
        let mut report = UpgradeReport { upgraded: true, ..nothing(old.from) };
        self.drop_ledger(old, &mut report)?;
        self.drop_projections(old)?;
        if !old.todo {
            create_todo_table(self.connection).map_err(write_error("create the table of lists"))?;
        }
        self.pass("upgrade.todo_table")?;
        if !old.adopted {
            self.adopt(&mut report)?;
        }
        register(self.connection, self.now.as_millis())
            .map_err(write_error("register the upgrade"))?;
        self.pass("upgrade.registered")?;
        Ok(report)
    }

    fn drop_ledger(
        &mut self,
        old: OldWorkspace,
        report: &mut UpgradeReport,
    ) -> Result<(), UpgradeError> {
        if old.ledger {
            (self.progress)(UpgradeStep::DroppingLedger);
            let counts = ledger::count(self.connection)?;
            report.ledger_events = counts.events;
            report.ledger_sessions = counts.sessions;
            self.drop(&LEDGER)?;
        }
        Ok(self.pass("upgrade.ledger_dropped")?)
    }

    fn drop_projections(&self, old: OldWorkspace) -> Result<(), UpgradeError> {
        if old.task_projections {
            self.drop(&TASK_PROJECTIONS)?;
        }
        if old.plan_projections {
            self.drop(&PLAN_PROJECTIONS)?;
        }
        Ok(self.pass("upgrade.projections_dropped")?)
    }

    fn adopt(&mut self, report: &mut UpgradeReport) -> Result<(), UpgradeError> {
        (self.progress)(UpgradeStep::AdoptingSessions);
        create_own_tables(self.connection).map_err(write_error("create our tables"))?;
        sessions::adopt(self.connection, report)?;
        todos::count(self.connection, report)?;
        self.pass("upgrade.sessions_adopted")?;
        messages::adopt(self.connection, report, self.progress)?;
        Ok(self.pass("upgrade.messages_adopted")?)
    }

    fn drop(&self, table: &Released) -> Result<(), OpenError> {
        self.execute("drop a table of the removed ledger", &format!("DROP TABLE {}", table.name))
    }

    fn commit(&self) -> Result<(), OpenError> {
        self.connection.execute_batch("COMMIT").map_err(|cause| {
            // The disk may have kept what it could not acknowledge.
            let unknown = cause.sqlite_error_code() == Some(rusqlite::ErrorCode::SystemIoFailure);
            OpenError::Store(if unknown {
                StoreError::CommitOutcomeUnknown { cause: Box::new(cause) }
            } else {
                store_error("commit the upgrade", cause)
            })
        })
    }

    fn execute(&self, act: &'static str, sql: &str) -> Result<(), OpenError> {
        self.connection.execute_batch(sql).map_err(write_error(act))
    }

    fn pass(&self, point: &'static str) -> Result<(), InjectedFault> {
        self.faults.at(point)
    }
}
