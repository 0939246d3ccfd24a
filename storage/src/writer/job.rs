//! A job: work on the writing connection, and whom to answer.

use std::panic::{AssertUnwindSafe, catch_unwind};

use futures_channel::oneshot;
use maka_core::StoreError;
use rusqlite::Connection;

use super::fault::GroupFault;
use super::pending::Ticket;

/// A job whose result type is not known here.
pub(super) trait Job: Send {
    /// Bytes that it will write, about.
    fn bytes(&self) -> usize;

    /// Does the work and keeps its result.
    ///
    /// # Errors
    /// The group's share of the job's failure, for the case that it undid the whole transaction.
    fn run(&mut self, connection: &Connection) -> Result<(), GroupFault>;

    /// Answers the caller: with the job's own result where the group was committed or the job
    /// failed by itself, otherwise with what hit the group.
    fn settle(self: Box<Self>, group: Result<(), &GroupFault>);
}

/// The work panicked.
#[derive(Debug, thiserror::Error)]
#[error("the job panicked")]
struct Panicked;

/// A job with its result type.
pub(super) struct Task<T, W> {
    pub(super) bytes: usize,
    pub(super) ticket: Ticket,
    pub(super) work: Option<W>,
    pub(super) result: Option<Result<T, StoreError>>,
    pub(super) reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W> Job for Task<T, W>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<T, StoreError> + Send,
{
    fn bytes(&self) -> usize {
        self.bytes
    }

    fn run(&mut self, connection: &Connection) -> Result<(), GroupFault> {
        let Some(work) = self.work.take() else { return Ok(()) };
        // The connection is safe to use after a panic: the savepoint is rolled back.
        let result = catch_unwind(AssertUnwindSafe(|| work(connection))).unwrap_or_else(|_| {
            Err(StoreError::Internal { act: "finish a database job", cause: Box::new(Panicked) })
        });
        let share = result.as_ref().map(|_| ()).map_err(GroupFault::of);
        self.result = Some(result);
        share
    }

    fn settle(self: Box<Self>, group: Result<(), &GroupFault>) {
        let Self { ticket, result, reply, .. } = *self;
        let answer = match (result, group) {
            (Some(Err(own)), _) => Err(own),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (_, Err(fault)) => Err(fault.to_error()),
            (None, Ok(())) => Err(GroupFault::InvalidLease.to_error()),
        };
        // A read that the caller makes next must find the Session settled.
        drop(ticket);
        // The caller may have gone; what it asked for is done all the same.
        let _ = reply.send(answer);
    }
}
