//! A handle on one connection.

use std::sync::Arc;
use std::time::Duration;

use maka_core::SessionId;
use maka_host_protocol::{
    Accepted, ErrorFrame, FrameDecoder, FrameFault, MAX_IN_FLIGHT, Operation, Progress,
    SubscriptionId, SubscriptionOpenInput, SubscriptionOpenResult, encode_frame,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::net::UnixStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

use crate::connection::Connection;
use crate::pending::{Answer, Pending};
use crate::subscription::SignalQueue;
use crate::{CallError, Subscription};

/// How long a call waits for its answer, unless it is told otherwise.
const CALL_TIMEOUT: Duration = Duration::from_secs(30);
/// `host.status` calls in flight beside the others, from which the Host exempts them.
const MAX_STATUS_IN_FLIGHT: usize = 8;

/// One connection to a Runtime Host. Clones share it; it closes when the last clone and the last
/// subscription are gone.
#[derive(Debug, Clone)]
pub struct HostClient {
    shared: Arc<Shared>,
    call_timeout: Duration,
}

#[derive(Debug)]
struct Shared {
    connection: Arc<Connection>,
    accepted: Accepted,
    in_flight: Arc<Semaphore>,
    status_in_flight: Arc<Semaphore>,
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.connection.abandon();
    }
}

/// A request on its way out: borrows what [`maka_host_protocol::Request`] owns.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RequestOut<'a, I> {
    request_id: &'a str,
    operation: &'static str,
    input: &'a I,
}

/// A call that was sent.
struct Sent {
    answer: oneshot::Receiver<Answer>,
    progress: Option<watch::Receiver<Option<Progress>>>,
}

impl HostClient {
    /// Starts to serve a connection whose handshake is done.
    pub(crate) fn serve(stream: UnixStream, accepted: Accepted, decoder: FrameDecoder) -> Self {
        let connection = Arc::new(Connection::new(stream));
        tokio::spawn(Arc::clone(&connection).serve(decoder));
        let shared = Shared {
            connection,
            accepted,
            in_flight: Arc::new(Semaphore::new(MAX_IN_FLIGHT)),
            status_in_flight: Arc::new(Semaphore::new(MAX_STATUS_IN_FLIGHT)),
        };
        Self { shared: Arc::new(shared), call_timeout: CALL_TIMEOUT }
    }

    /// The same connection with another time for an answer (30 s unless set).
    #[must_use]
    pub fn with_call_timeout(mut self, timeout: Duration) -> Self {
        self.call_timeout = timeout;
        self
    }

    /// What the Host said of itself in the handshake.
    #[must_use]
    pub fn accepted(&self) -> &Accepted {
        &self.shared.accepted
    }

    /// Whether nothing more will come.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.shared.connection.closed().is_some()
    }

    /// Waits until nothing more will come; tells why, if the Host said so.
    pub async fn closed(&self) -> Option<ErrorFrame> {
        self.shared.connection.wait_closed().await
    }

    /// Calls an operation and waits for its answer, behind at most 64 others. Dropping the future
    /// does not undo the call.
    ///
    /// # Errors
    /// [`CallError`]
    pub async fn call<I: Serialize, O: DeserializeOwned>(
        &self,
        operation: Operation,
        input: &I,
    ) -> Result<O, CallError> {
        let sent = self.send(operation, input, false, None).await?;
        let answer = tokio::time::timeout(self.call_timeout, sent.answer)
            .await
            .map_err(|_| CallError::Timeout)?;
        self.read(answer)
    }

    /// Calls a long operation and hands its progress to `on_progress`, the newest at each look.
    /// The time for an answer starts anew with each progress.
    ///
    /// # Errors
    /// [`CallError`]
    pub async fn call_with_progress<I: Serialize, O: DeserializeOwned>(
        &self,
        operation: Operation,
        input: &I,
        mut on_progress: impl FnMut(Progress),
    ) -> Result<O, CallError> {
        let mut sent = self.send(operation, input, true, None).await?;
        loop {
            let step = async {
                tokio::select! {
                    biased;
                    answer = &mut sent.answer => Err(answer),
                    progress = next_progress(&mut sent.progress) => Ok(progress),
                }
            };
            match tokio::time::timeout(self.call_timeout, step).await {
                Err(_) => return Err(CallError::Timeout),
                Ok(Err(answer)) => return self.read(answer),
                Ok(Ok(progress)) => on_progress(progress),
            }
        }
    }

    /// Asks for the change signals of one Session, or of all. Every change after this returns is
    /// signalled, so a caller subscribes first and reads then.
    ///
    /// # Errors
    /// [`CallError`]
    pub async fn subscribe(&self, session: Option<SessionId>) -> Result<Subscription, CallError> {
        let client = self.clone();
        // In a task of its own: a caller that goes away half-way drops a whole subscription, which
        // closes it at the Host.
        tokio::spawn(async move { client.open_subscription(session).await })
            .await
            .unwrap_or(Err(CallError::Closed { frame: None, sent: true }))
    }

    async fn open_subscription(
        &self,
        session_id: Option<SessionId>,
    ) -> Result<Subscription, CallError> {
        let queue = Arc::new(SignalQueue::default());
        let input = SubscriptionOpenInput { session_id };
        let signals = Some(Arc::clone(&queue));
        let sent = self.send(Operation::SubscriptionOpen, &input, false, signals).await?;
        let answer = tokio::time::timeout(self.call_timeout, sent.answer)
            .await
            .map_err(|_| CallError::Timeout)?;
        let opened: SubscriptionOpenResult = self.read(answer)?;
        Ok(Subscription::new(self.clone(), opened.subscription_id, queue))
    }

    pub(crate) fn is_same_connection(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    pub(crate) fn forget_subscription(&self, subscription: &SubscriptionId) {
        self.shared.connection.forget_subscription(&subscription.0);
    }

    async fn send<I: Serialize>(
        &self,
        operation: Operation,
        input: &I,
        with_progress: bool,
        signals: Option<Arc<SignalQueue>>,
    ) -> Result<Sent, CallError> {
        let permit = self.permit(operation).await?;
        let (answer_in, answer) = oneshot::channel();
        let (progress_in, progress) = with_progress.then(|| watch::channel(None)).unzip();
        let pending = Pending { answer: answer_in, progress: progress_in, signals, permit };
        let sent = self.shared.connection.send(pending, |id| -> Result<Vec<u8>, FrameFault> {
            let request_id = id.to_string();
            encode_frame(&RequestOut {
                request_id: &request_id,
                operation: operation.as_str(),
                input,
            })
        });
        match sent.map_err(CallError::BadRequest)? {
            Some(_) => Ok(Sent { answer, progress }),
            None => Err(self.closed_error(false)),
        }
    }

    async fn permit(&self, operation: Operation) -> Result<OwnedSemaphorePermit, CallError> {
        let semaphore = if operation == Operation::HostStatus {
            &self.shared.status_in_flight
        } else {
            &self.shared.in_flight
        };
        if let Ok(permit) = Arc::clone(semaphore).try_acquire_owned() {
            return Ok(permit);
        }
        // A permit comes back with each answer and with the connection's end; the semaphore itself
        // is never closed.
        let acquired = Arc::clone(semaphore).acquire_owned();
        let permit = tokio::time::timeout(self.call_timeout, acquired).await;
        permit.map_err(|_| CallError::Timeout)?.map_err(|_| self.closed_error(false))
    }

    fn read<O: DeserializeOwned>(
        &self,
        answer: Result<Answer, oneshot::error::RecvError>,
    ) -> Result<O, CallError> {
        match answer {
            Ok(Ok(result)) => serde_json::from_str(result.get()).map_err(CallError::BadReply),
            Ok(Err(refused)) => Err(CallError::Refused(refused)),
            Err(_) => Err(self.closed_error(true)),
        }
    }

    fn closed_error(&self, sent: bool) -> CallError {
        let frame = self.shared.connection.closed().cloned().flatten();
        CallError::Closed { frame, sent }
    }
}

async fn next_progress(progress: &mut Option<watch::Receiver<Option<Progress>>>) -> Progress {
    if let Some(receiver) = progress {
        while receiver.changed().await.is_ok() {
            if let Some(progress) = receiver.borrow_and_update().clone() {
                return progress;
            }
        }
    }
    // The answer, which the caller waits for too, is all that is left to come.
    std::future::pending().await
}
