//! The way into the writer's queue.

use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

use async_channel::{Receiver, Sender, TrySendError};
use futures_channel::oneshot;
use maka_core::{SessionId, StoreError};
use rusqlite::Connection;

use super::job::{Job, Task};
use super::pending::{Pending, Ticket};
use super::standing::Standing;
use super::thread::WriterThread;
use crate::{Faults, RootLease};

/// Jobs that may wait; further callers wait for room, in the order in which they came.
const MAX_QUEUED: usize = 1024;

/// The handle. Dropping it ends the thread after the jobs that are queued, and waits for that.
pub(crate) struct Writer {
    queue: Sender<Box<dyn Job>>,
    pending: Arc<Pending>,
    standing: Arc<Standing>,
    ended: Receiver<()>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// The thread is gone without an answer.
#[derive(Debug, thiserror::Error)]
#[error("the writer's thread has ended")]
struct ThreadEnded;

impl Writer {
    /// Starts the thread on an open connection.
    ///
    /// # Errors
    /// [`StoreError`] where the machine has no thread to give.
    pub(crate) fn start(
        connection: Connection,
        lease: Arc<RootLease>,
        faults: Faults,
        standing: Arc<Standing>,
    ) -> Result<Self, StoreError> {
        let (queue, jobs) = async_channel::bounded(MAX_QUEUED);
        let (ending, ended) = async_channel::bounded(1);
        let thread = WriterThread {
            queue: jobs,
            connection: Some(connection),
            lease,
            faults,
            standing: Arc::clone(&standing),
        };
        let run = move || {
            thread.serve();
            drop(ending);
        };
        let thread = Builder::new().name("maka-writer".to_owned()).spawn(run).map_err(|cause| {
            StoreError::Internal { act: "start the writer's thread", cause: Box::new(cause) }
        })?;
        let thread = Mutex::new(Some(thread));
        Ok(Self { queue, pending: Arc::new(Pending::new()), standing, ended, thread })
    }

    /// Whether a job of this Session is not settled yet.
    pub(crate) fn has_pending(&self, session: &SessionId) -> bool {
        self.pending.any(session)
    }

    /// Queues `work`, now; the future only waits for the answer, which comes after the commit.
    /// Where the queue is full the future waits for room first. Dropping the future does not
    /// take back what is queued. `bytes` is about what the work will write.
    pub(crate) fn submit<T, W>(
        &self,
        session: &SessionId,
        bytes: usize,
        work: W,
    ) -> impl Future<Output = Result<T, StoreError>> + Send + use<T, W>
    where
        T: Send + 'static,
        W: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        let (reply, answer) = oneshot::channel();
        let entered = self.standing.check().and_then(|()| {
            let ticket = Ticket::new(&self.pending, session);
            let task = Task { bytes, ticket, work: Some(work), result: None, reply };
            let job: Box<dyn Job> = Box::new(task);
            match self.queue.try_send(job) {
                Ok(()) => Ok(None),
                Err(TrySendError::Full(job)) => Ok(Some((self.queue.clone(), job))),
                Err(TrySendError::Closed(_)) => Err(StoreError::InvalidLease),
            }
        });
        async move {
            if let Some((queue, job)) = entered? {
                queue.send(job).await.map_err(|_| StoreError::InvalidLease)?;
            }
            answer.await.map_err(|_| StoreError::Internal {
                act: "get the answer of the writer",
                cause: Box::new(ThreadEnded),
            })?
        }
    }

    /// Takes no more jobs and waits until those queued are settled and the connection is closed.
    pub(crate) async fn close(&self) {
        self.queue.close();
        // Nothing is ever sent: the channel closes when the thread ends.
        let _ = self.ended.recv().await;
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.queue.close();
        let thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // A panic of the thread was already told to those who waited for it.
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").field("queued", &self.queue.len()).finish_non_exhaustive()
    }
}
