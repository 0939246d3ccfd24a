//! Change signals as a client takes them: coalesced, so that a reader who lags loses none of the
//! newest.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use maka_core::SessionId;
use maka_host_protocol::{Domain, Invalidated, Operation, SubscriptionCloseInput, SubscriptionId};
use tokio::sync::Notify;

use crate::HostClient;

/// The most pairs of Session and domain that wait for a reader. One more ends the subscription: a
/// reader so far behind does best to re-read everything.
const MAX_WAITING: usize = 16_384;

#[derive(Debug, Default)]
struct Waiting {
    /// The newest signal of each pair.
    newest: HashMap<(SessionId, Domain), Invalidated>,
    /// The pairs in the order in which they were first signalled.
    order: VecDeque<(SessionId, Domain)>,
    ended: bool,
}

/// Between the connection and one subscription's reader.
#[derive(Debug, Default)]
pub(crate) struct SignalQueue {
    waiting: Mutex<Waiting>,
    wake: Notify,
}

impl SignalQueue {
    /// Takes a signal; an older one of the same Session and domain gives way to it.
    pub(crate) fn push(&self, signal: Invalidated) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if waiting.ended {
            return;
        }
        let pair = (signal.session_id.clone(), signal.domain);
        if waiting.newest.insert(pair.clone(), signal).is_none() {
            waiting.order.push_back(pair);
        }
        if waiting.order.len() > MAX_WAITING {
            *waiting = Waiting { ended: true, ..Waiting::default() };
        }
        drop(waiting);
        self.wake.notify_one();
    }

    /// Lets the reader have what waits, and then its end.
    pub(crate) fn end(&self) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).ended = true;
        self.wake.notify_one();
    }

    /// `Some(None)` at the end, `None` while there is nothing.
    fn take(&self) -> Option<Option<Invalidated>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.order.pop_front() {
            Some(pair) => Some(waiting.newest.remove(&pair)),
            None => waiting.ended.then_some(None),
        }
    }

    async fn next(&self) -> Option<Invalidated> {
        loop {
            // A permit that is stored between the look and the wait wakes the wait at once.
            if let Some(next) = self.take() {
                return next;
            }
            self.wake.notified().await;
        }
    }
}

/// An open subscription. Keeps its connection open, and is closed at the Host when dropped.
#[derive(Debug)]
pub struct Subscription {
    client: HostClient,
    id: SubscriptionId,
    queue: Arc<SignalQueue>,
}

impl Subscription {
    pub(crate) fn new(client: HostClient, id: SubscriptionId, queue: Arc<SignalQueue>) -> Self {
        Self { client, id, queue }
    }

    /// Waits for the next change: identity only, coalesced per Session and domain. `None` when the
    /// connection has closed or the reader is more than 16,384 Sessions and domains behind; then
    /// subscribe again and re-read. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Invalidated> {
        self.queue.next().await
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.client.forget_subscription(&self.id);
        if self.client.is_closed() {
            return;
        }
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        let client = self.client.clone();
        let input = SubscriptionCloseInput { subscription_id: self.id.clone() };
        runtime.spawn(async move {
            // The connection's end closes it too.
            let _ =
                client.call::<_, serde::de::IgnoredAny>(Operation::SubscriptionClose, &input).await;
        });
    }
}
