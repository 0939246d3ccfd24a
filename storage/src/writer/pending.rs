//! Counts the jobs of each Session that are not settled yet, so that a read knows whether it has
//! to queue behind them.

use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use maka_core::SessionId;

/// Sessions share counters by hash: a collision costs a read a way through the queue, nothing
/// else.
const COUNTERS: usize = 1024;

/// The counters.
#[derive(Debug)]
pub(super) struct Pending {
    counters: Box<[AtomicU32]>,
    hasher: RandomState,
}

impl Pending {
    pub(super) fn new() -> Self {
        let counters = (0..COUNTERS).map(|_| AtomicU32::new(0)).collect();
        Self { counters, hasher: RandomState::new() }
    }

    fn counter(&self, session: &SessionId) -> Option<&AtomicU32> {
        let hash = self.hasher.hash_one(session.as_str());
        // The remainder is below COUNTERS, so it fits and the counter is there.
        let place = usize::try_from(hash % 1024).unwrap_or_default();
        self.counters.get(place)
    }

    /// Whether a job of this Session is queued or running.
    pub(super) fn any(&self, session: &SessionId) -> bool {
        self.counter(session).is_some_and(|counter| counter.load(Ordering::SeqCst) > 0)
    }

    fn add(&self, session: &SessionId) {
        if let Some(counter) = self.counter(session) {
            counter.fetch_add(1, Ordering::SeqCst);
        }
    }

    fn remove(&self, session: &SessionId) {
        if let Some(counter) = self.counter(session) {
            counter.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Counts one job for its Session, until dropped.
#[derive(Debug)]
pub(super) struct Ticket {
    pending: Arc<Pending>,
    session: SessionId,
}

impl Ticket {
    pub(super) fn new(pending: &Arc<Pending>, session: &SessionId) -> Self {
        pending.add(session);
        Self { pending: Arc::clone(pending), session: session.clone() }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.pending.remove(&self.session);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maka_core::SessionId;

    use super::{Pending, Ticket};

    #[test]
    fn a_session_is_pending_while_any_ticket_of_it_lives() {
        let pending = Arc::new(Pending::new());
        let session = SessionId::parse("s").expect("id");
        assert!(!pending.any(&session));
        let first = Ticket::new(&pending, &session);
        let second = Ticket::new(&pending, &session);
        drop(first);
        assert!(pending.any(&session));
        drop(second);
        assert!(!pending.any(&session));
    }
}
