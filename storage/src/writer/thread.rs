//! The writer's thread.

use std::sync::Arc;

use async_channel::Receiver;
use maka_core::StoreError;
use rusqlite::Connection;

use super::fault::GroupFault;
use super::group::Group;
use super::job::Job;
use super::standing::Standing;
use crate::schema::open_writer;
use crate::{Faults, OpenError, RootLease};

/// The most jobs of a group: the callers of a first job wait for the last one.
const MAX_GROUP_JOBS: usize = 128;
/// A group takes no further job once its jobs write this many bytes.
const MAX_GROUP_BYTES: usize = 8 << 20;

/// What the thread owns. The lease lives at least as long as the connection.
pub(super) struct WriterThread {
    pub(super) queue: Receiver<Box<dyn Job>>,
    pub(super) connection: Option<Connection>,
    pub(super) lease: Arc<RootLease>,
    pub(super) faults: Faults,
    pub(super) standing: Arc<Standing>,
}

impl WriterThread {
    /// Serves until the queue is closed and empty.
    pub(super) fn serve(mut self) {
        let mut group = Vec::with_capacity(MAX_GROUP_JOBS);
        while let Ok(first) = self.queue.recv_blocking() {
            self.gather(first, &mut group);
            let outcome = self.commit(&mut group);
            for job in group.drain(..) {
                job.settle(outcome.as_ref().map(|&()| ()));
            }
        }
    }

    fn gather(&self, first: Box<dyn Job>, group: &mut Vec<Box<dyn Job>>) {
        let mut bytes = first.bytes();
        group.push(first);
        while group.len() < MAX_GROUP_JOBS && bytes < MAX_GROUP_BYTES {
            let Ok(next) = self.queue.try_recv() else { return };
            bytes += next.bytes();
            group.push(next);
        }
    }

    fn commit(&mut self, jobs: &mut [Box<dyn Job>]) -> Result<(), GroupFault> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.reopen()?,
        };
        let group = Group { connection: &connection, lease: &self.lease, faults: &self.faults };
        let outcome = group.run(jobs);
        if matches!(outcome, Err(GroupFault::InvalidLease)) {
            self.standing.end();
        }
        // What this connection believes of the file can no longer be trusted where the outcome of
        // a commit is unknown or a transaction would not end.
        let trusted = !matches!(outcome, Err(GroupFault::Unknown { .. }));
        if trusted && connection.is_autocommit() {
            self.connection = Some(connection);
        }
        outcome
    }

    fn reopen(&self) -> Result<Connection, GroupFault> {
        if !self.lease.is_held() {
            self.standing.end();
            return Err(GroupFault::InvalidLease);
        }
        open_writer(self.lease.root(), &self.faults).map_err(|cause| match cause {
            OpenError::Store(error) => GroupFault::of(&error),
            blocked @ (OpenError::NeedsUpgrade { .. } | OpenError::Blocked { .. }) => {
                GroupFault::of(&StoreError::Internal {
                    act: "open the database again",
                    cause: Box::new(blocked),
                })
            }
        })
    }
}
