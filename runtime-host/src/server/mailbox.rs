//! The mailbox of one connection: what it is to be told beside the replies.
//!
//! Changes are coalesced: one entry a subscription, Session and domain, however often it changed
//! since the connection was last told. So a reader that lags misses repetitions and never the
//! newest change, and what waits for it is bounded by what there is to change.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Waker};

use maka_core::SessionId;
use maka_host_protocol::{Domain, Invalidated, Notification, Progress, RequestId, SubscriptionId};

/// The most coalesced changes that may wait for one connection; over it, it is a slow consumer.
const MAX_WAITING: usize = 16_384;

/// Names a subscription within the Host's run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct SubscriptionKey(pub(crate) u64);

impl SubscriptionKey {
    pub(crate) fn wire(self) -> SubscriptionId {
        SubscriptionId(format!("subscription-{}", self.0))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Change {
    subscription: SubscriptionKey,
    session: Arc<SessionId>,
    domain: Domain,
}

/// What a connection finds in its mailbox.
#[derive(Debug)]
pub(crate) enum Mail {
    /// Tell it this.
    Tell(Notification),
    /// Too much waits: it does not read.
    Overflow,
}

/// The mailbox. The connection empties it; publishers and running requests fill it.
#[derive(Debug)]
pub(crate) struct Mailbox {
    host_epoch: Arc<str>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Signals sent so far, of each open subscription.
    sequences: HashMap<SubscriptionKey, u64>,
    order: VecDeque<Change>,
    waiting: HashSet<Change>,
    progress: Vec<Progress>,
    overflow: bool,
    waker: Option<Waker>,
}

impl State {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Mailbox {
    pub(crate) fn new(host_epoch: Arc<str>) -> Self {
        Self { host_epoch, state: Mutex::default() }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn open(&self, subscription: SubscriptionKey) {
        self.lock().sequences.insert(subscription, 0);
    }

    /// Forgets a subscription and what still waited for it.
    pub(crate) fn close(&self, subscription: SubscriptionKey) {
        let mut state = self.lock();
        state.sequences.remove(&subscription);
        state.order.retain(|change| change.subscription != subscription);
        state.waiting.retain(|change| change.subscription != subscription);
    }

    /// Notes a change.
    pub(crate) fn changed(
        &self,
        subscription: SubscriptionKey,
        session: &Arc<SessionId>,
        domain: Domain,
    ) {
        let change = Change { subscription, session: Arc::clone(session), domain };
        let mut state = self.lock();
        if state.waiting.len() >= MAX_WAITING && !state.waiting.contains(&change) {
            state.overflow = true;
        } else if state.waiting.insert(change.clone()) {
            state.order.push_back(change);
        }
        state.wake();
    }

    /// Notes how far a request is; only the newest of each request waits.
    pub(crate) fn progressed(&self, progress: Progress) {
        let mut state = self.lock();
        match state.progress.iter_mut().find(|known| known.request_id == progress.request_id) {
            Some(known) => *known = progress,
            None => state.progress.push(progress),
        }
        state.wake();
    }

    /// Forgets the progress of a request that has ended, so that none follows its reply.
    pub(crate) fn ended(&self, request: &RequestId) {
        self.lock().progress.retain(|progress| progress.request_id != *request);
    }

    /// Takes what is to be told next; where there is nothing, the task is woken when there is.
    pub(crate) fn poll_take(&self, cx: &Context<'_>) -> Option<Mail> {
        let mut state = self.lock();
        if state.overflow {
            return Some(Mail::Overflow);
        }
        if let Some(progress) = state.progress.pop() {
            return Some(Mail::Tell(Notification::Progress(progress)));
        }
        let Some(change) = state.order.pop_front() else {
            if !state.waker.as_ref().is_some_and(|waker| waker.will_wake(cx.waker())) {
                state.waker = Some(cx.waker().clone());
            }
            return None;
        };
        state.waiting.remove(&change);
        if state.waiting.is_empty() && state.waiting.capacity() > 64 {
            state.waiting.shrink_to_fit();
            state.order.shrink_to_fit();
        }
        let sequence = state.sequences.entry(change.subscription).or_default();
        *sequence += 1;
        Some(Mail::Tell(Notification::Invalidated(Invalidated {
            subscription_id: change.subscription.wire(),
            host_epoch: self.host_epoch.to_string(),
            sequence: *sequence,
            session_id: SessionId::clone(&change.session),
            domain: change.domain,
        })))
    }
}
