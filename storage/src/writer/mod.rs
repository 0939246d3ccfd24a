//! The one writer: a thread that owns the only writing connection and commits in groups.
//!
//! Whoever wants to write submits a job. The thread takes what is queued (bounded), runs each job
//! in a savepoint of one transaction, commits once and only then answers all. A job that fails
//! undoes only itself. The order in which jobs enter the queue is the order of their effects.
//!
//! State: the connection, the queue, how many jobs of each Session are not settled yet, and
//! whether the database is still open.

mod fault;
mod group;
mod handle;
mod job;
mod pending;
mod standing;
#[cfg(test)]
mod tests;
mod thread;

pub(crate) use handle::Writer;
pub(crate) use standing::Standing;
