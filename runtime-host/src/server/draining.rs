//! Draining: how a Host stops without losing what it has begun.
//!
//! The phases go one way. `Serving` takes everything; `Draining` takes no new request and lets
//! what runs end; `Closing` begins when nothing runs any more or the grace is over, and starts no
//! store work at all; `Released` comes after the last commit, with the database closed and the
//! lease free, and ends the connections, so that their end tells their peers that another Host can
//! start; `Stopped` is when they are gone.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{Notify, watch};

/// Why a Host stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// A client or the Host's own process asked for it.
    Requested,
    /// Nobody was connected for the configured time.
    Idle,
    /// A change was stored but could not be signalled.
    SignalFailed,
    /// Whether a commit became durable is unknown.
    CommitOutcomeUnknown,
    /// The owner lease was lost.
    LeaseLost,
}

/// How far a Host is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Phase {
    Serving,
    Draining,
    Closing,
    Released,
    Stopped,
}

/// The one switch that stops a Host. Clones are the same switch.
#[derive(Debug, Clone)]
pub struct Draining {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    phase: watch::Sender<Phase>,
    reason: OnceLock<StopReason>,
    running: AtomicUsize,
    quiet: Notify,
}

/// Counts as running work until it is dropped.
#[derive(Debug)]
pub(crate) struct WorkGuard {
    inner: Arc<Inner>,
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        if self.inner.running.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.inner.quiet.notify_waiters();
        }
    }
}

impl Default for Draining {
    fn default() -> Self {
        let inner = Inner {
            phase: watch::Sender::new(Phase::Serving),
            reason: OnceLock::new(),
            running: AtomicUsize::new(0),
            quiet: Notify::new(),
        };
        Self { inner: Arc::new(inner) }
    }
}

impl Draining {
    /// Begins to drain; the first reason stands. Tells whether this was the first call.
    pub fn begin(&self, reason: StopReason) -> bool {
        let first = self.inner.reason.set(reason).is_ok();
        if first {
            self.advance(Phase::Draining);
        }
        first
    }

    /// Why the Host stops, once it does.
    #[must_use]
    pub fn reason(&self) -> Option<StopReason> {
        self.inner.reason.get().copied()
    }

    /// Whether new requests are refused.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        *self.inner.phase.borrow() > Phase::Serving
    }

    /// Admits a new request; `None` while draining.
    #[must_use]
    pub(crate) fn admit(&self) -> Option<WorkGuard> {
        self.hold_before(Phase::Draining)
    }

    /// Admits a step of work that was admitted before; `None` once the Host closes.
    #[must_use]
    pub(crate) fn hold(&self) -> Option<WorkGuard> {
        self.hold_before(Phase::Closing)
    }

    fn hold_before(&self, phase: Phase) -> Option<WorkGuard> {
        // Counted first and looked at second, so that the drain either sees the count or is seen.
        self.inner.running.fetch_add(1, Ordering::SeqCst);
        let guard = WorkGuard { inner: Arc::clone(&self.inner) };
        (*self.inner.phase.borrow() < phase).then_some(guard)
    }

    pub(crate) fn advance(&self, phase: Phase) {
        self.inner.phase.send_if_modified(|current| {
            let later = phase > *current;
            if later {
                *current = phase;
            }
            later
        });
    }

    /// Waits until the Host is at least as far as `phase`.
    pub(crate) async fn reached(&self, phase: Phase) {
        let mut phases = self.inner.phase.subscribe();
        // The sender lives as long as `self`.
        let _ = phases.wait_for(|current| *current >= phase).await;
    }

    /// Waits until nothing runs, at most `grace`. Tells whether all work ended by itself.
    pub(crate) async fn quiet(&self, grace: Duration) -> bool {
        let ended = async {
            loop {
                let quiet = self.inner.quiet.notified();
                tokio::pin!(quiet);
                // Enabled before the count is read, or the last guard could slip between.
                quiet.as_mut().enable();
                if self.inner.running.load(Ordering::SeqCst) == 0 {
                    return;
                }
                quiet.await;
            }
        };
        tokio::time::timeout(grace, ended).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Draining, Phase, StopReason};

    #[tokio::test]
    async fn each_phase_admits_less_and_the_first_reason_stands() {
        let draining = Draining::default();
        let request = draining.admit().expect("serving");
        assert!(draining.begin(StopReason::Idle) && !draining.begin(StopReason::Requested));
        assert_eq!(draining.reason(), Some(StopReason::Idle));
        assert!(draining.admit().is_none(), "no new request");
        let step = draining.hold().expect("what was admitted goes on");
        assert!(!draining.quiet(Duration::ZERO).await, "two still run");
        drop(request);
        drop(step);
        assert!(draining.quiet(Duration::ZERO).await);
        draining.advance(Phase::Closing);
        assert!(draining.hold().is_none(), "no store work any more");
        draining.advance(Phase::Draining);
        draining.reached(Phase::Closing).await;
    }

    #[tokio::test]
    async fn a_refused_request_does_not_count_as_running() {
        let draining = Draining::default();
        draining.begin(StopReason::Requested);
        assert!(draining.admit().is_none());
        assert!(draining.quiet(Duration::ZERO).await);
    }

    #[tokio::test]
    async fn the_last_work_that_ends_wakes_the_drain() {
        let draining = Draining::default();
        let work = draining.admit().expect("serving");
        let mut quiet = Box::pin(draining.quiet(Duration::from_secs(3_600)));
        assert!(futures_util::poll!(quiet.as_mut()).is_pending());
        drop(work);
        assert!(quiet.await);
    }
}
