//! One group: one transaction around the savepoints of its jobs.

use rusqlite::{Connection, ErrorCode};

use super::fault::{GroupFault, SharedCause};
use super::job::Job;
use crate::sqlite_error::store_error;
use crate::{Faults, RootLease};

/// What a group is run with.
pub(super) struct Group<'a> {
    pub(super) connection: &'a Connection,
    pub(super) lease: &'a RootLease,
    pub(super) faults: &'a Faults,
}

impl Group<'_> {
    /// Runs the jobs and commits once. A job that fails by itself keeps its error and does not
    /// fail the group.
    ///
    /// # Errors
    /// [`GroupFault`]: nothing of the group was committed, or nobody knows.
    pub(super) fn run(&self, jobs: &mut [Box<dyn Job>]) -> Result<(), GroupFault> {
        self.check_lease()?;
        self.execute("BEGIN IMMEDIATE")?;
        let ran = self.run_jobs(jobs).and_then(|()| self.before_commit());
        if let Err(fault) = ran {
            self.roll_back();
            return Err(fault);
        }
        self.commit()?;
        self.faults
            .at("writer.committed")
            .map_err(|cause| GroupFault::Unknown { cause: SharedCause::of(&cause) })
    }

    fn run_jobs(&self, jobs: &mut [Box<dyn Job>]) -> Result<(), GroupFault> {
        for job in jobs {
            self.execute("SAVEPOINT job")?;
            if let Err(share) = job.run(self.connection) {
                // A full disk, an I/O error or a lack of memory may have made SQLite undo the
                // whole transaction; the jobs before this one are then undone as well.
                if self.connection.is_autocommit() {
                    return Err(share);
                }
                self.execute("ROLLBACK TO job")?;
            }
            self.execute("RELEASE job")?;
        }
        Ok(())
    }

    fn before_commit(&self) -> Result<(), GroupFault> {
        self.faults.at("writer.before_commit").map_err(|cause| GroupFault::injected(&cause))?;
        self.check_lease()
    }

    fn commit(&self) -> Result<(), GroupFault> {
        let Err(cause) = self.statement("COMMIT") else { return Ok(()) };
        self.roll_back();
        if outcome_is_known(&cause) {
            return Err(GroupFault::of(&store_error("commit", cause)));
        }
        Err(GroupFault::Unknown { cause: SharedCause::of(&cause) })
    }

    fn check_lease(&self) -> Result<(), GroupFault> {
        if self.lease.is_held() { Ok(()) } else { Err(GroupFault::InvalidLease) }
    }

    /// Leaves no transaction open where that is possible; the thread looks whether it was.
    fn roll_back(&self) {
        if !self.connection.is_autocommit() {
            let _ = self.statement("ROLLBACK");
        }
    }

    fn execute(&self, sql: &'static str) -> Result<(), GroupFault> {
        self.statement(sql).map_err(|cause| GroupFault::of(&store_error("write", cause)))
    }

    fn statement(&self, sql: &'static str) -> rusqlite::Result<()> {
        self.connection.prepare_cached(sql)?.execute(())?;
        Ok(())
    }
}

/// Whether a COMMIT that failed like this has left nothing behind. An I/O error may have come
/// after the last byte of the log was written, in which case a later recovery would find it.
fn outcome_is_known(cause: &rusqlite::Error) -> bool {
    matches!(
        cause.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::DiskFull
                | ErrorCode::ReadOnly
                | ErrorCode::ConstraintViolation
        )
    )
}
