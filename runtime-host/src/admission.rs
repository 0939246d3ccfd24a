//! Admission: one first-in-first-out lane a Session.
//!
//! Work on a Session runs inside its lane, and work on several Sessions holds all their lanes. All
//! lanes of one entry are queued for in one step and taken in one step, so nothing ever holds one
//! lane while it waits for another and no order of entries can deadlock. Sessions that an entry
//! does not name never wait for it. A lane that nobody holds or waits for takes no memory.
//!
//! The state is a map from Session to lane under one short mutex; nothing awaits inside it.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use maka_core::SessionId;
use tokio::sync::oneshot;

tokio::task_local! {
    /// Set while a task runs inside a lane, so that an entry from there can be refused: it would
    /// wait for itself, or hold one lane while it waits for another.
    static INSIDE: ();
}

/// The gate that all work on Sessions passes. Clones are the same gate.
#[derive(Clone, Default)]
pub struct Admission {
    lanes: Arc<Lanes>,
}

/// An entry was asked for from inside a lane. Nested work uses the lease that it was given; work
/// on several Sessions names them all at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("enter an admission lane from inside another")]
pub struct Reentry;

/// Shows that its holder is inside the lanes of some Sessions. Nested work that goes on after its
/// parent keeps a clone; the lanes are left when the last clone is dropped.
#[derive(Clone)]
pub struct LaneLease {
    held: Arc<Held>,
}

struct Held {
    lanes: Arc<Lanes>,
    sessions: Box<[SessionId]>,
    after: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

#[derive(Default)]
struct Lanes {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    lanes: HashMap<SessionId, Lane>,
    tickets: HashMap<u64, Ticket>,
    next_ticket: u64,
}

#[derive(Default)]
struct Lane {
    held: bool,
    queue: VecDeque<u64>,
}

/// An entry that waits.
struct Ticket {
    sessions: Box<[SessionId]>,
    grant: oneshot::Sender<()>,
}

impl Admission {
    /// Runs `work` inside the lane of `session`.
    ///
    /// # Errors
    /// [`Reentry`] at once, where the caller is inside a lane already; `work` did not run.
    pub async fn within<F, T>(
        &self,
        session: &SessionId,
        work: impl FnOnce(LaneLease) -> F,
    ) -> Result<T, Reentry>
    where
        F: Future<Output = T>,
    {
        self.run(Box::new([session.clone()]), work).await
    }

    /// Runs `work` inside the lanes of all `sessions`, in whatever order they are named.
    ///
    /// # Errors
    /// [`Reentry`] at once, where the caller is inside a lane already; `work` did not run.
    pub async fn within_all<F, T>(
        &self,
        sessions: &[SessionId],
        work: impl FnOnce(LaneLease) -> F,
    ) -> Result<T, Reentry>
    where
        F: Future<Output = T>,
    {
        let mut sessions = sessions.to_vec();
        sessions.sort_unstable();
        sessions.dedup();
        self.run(sessions.into_boxed_slice(), work).await
    }

    /// Lanes that are held or waited for now.
    #[must_use]
    pub fn busy_lanes(&self) -> usize {
        self.lanes.lock().lanes.len()
    }

    async fn run<F, T>(
        &self,
        sessions: Box<[SessionId]>,
        work: impl FnOnce(LaneLease) -> F,
    ) -> Result<T, Reentry>
    where
        F: Future<Output = T>,
    {
        if INSIDE.try_with(|()| ()).is_ok() {
            return Err(Reentry);
        }
        let sessions = match self.lanes.enter(sessions) {
            Entry::Held(sessions) => sessions,
            Entry::Queued(waiting) => waiting.granted().await,
        };
        let held = Held { lanes: Arc::clone(&self.lanes), sessions, after: Mutex::default() };
        let lease = LaneLease { held: Arc::new(held) };
        // `work` may drop its lease early or never take it up; the lanes are held all the same.
        let done = INSIDE.scope((), work(lease.clone())).await;
        drop(lease);
        Ok(done)
    }
}

impl fmt::Debug for Admission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Admission").field("busy_lanes", &self.busy_lanes()).finish()
    }
}

impl LaneLease {
    /// Whether the lane of `session` is held.
    #[must_use]
    pub fn covers(&self, session: &SessionId) -> bool {
        self.held.sessions.contains(session)
    }

    /// Queues `act` until the lanes are left: what must not happen inside, such as a change
    /// signal.
    pub fn after_release(&self, act: impl FnOnce() + Send + 'static) {
        let mut after = self.held.after.lock().unwrap_or_else(PoisonError::into_inner);
        after.push(Box::new(act));
    }
}

impl fmt::Debug for LaneLease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LaneLease").field("sessions", &self.held.sessions).finish()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.lanes.leave(&self.sessions);
        let after = self.after.get_mut().unwrap_or_else(PoisonError::into_inner);
        for act in after.drain(..) {
            act();
        }
    }
}

enum Entry {
    Held(Box<[SessionId]>),
    Queued(Waiting),
}

/// A queued entry; dropping it leaves the queue.
struct Waiting {
    lanes: Arc<Lanes>,
    ticket: u64,
    sessions: Option<Box<[SessionId]>>,
    grant: oneshot::Receiver<()>,
}

impl Waiting {
    async fn granted(mut self) -> Box<[SessionId]> {
        // The sender is dropped unsent only together with the lanes, which `self` holds.
        let _ = (&mut self.grant).await;
        self.sessions.take().unwrap_or_default()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(sessions) = self.sessions.take() {
            self.lanes.abandon(self.ticket, &sessions);
        }
    }
}

impl Lanes {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(self: &Arc<Self>, sessions: Box<[SessionId]>) -> Entry {
        let mut state = self.lock();
        // A lane has an entry only while somebody holds it or waits for it.
        if !sessions.iter().any(|session| state.lanes.contains_key(session)) {
            for session in &sessions {
                state.lanes.insert(session.clone(), Lane { held: true, queue: VecDeque::new() });
            }
            return Entry::Held(sessions);
        }
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        for session in &sessions {
            state.lanes.entry(session.clone()).or_default().queue.push_back(ticket);
        }
        let (sender, grant) = oneshot::channel();
        state.tickets.insert(ticket, Ticket { sessions: sessions.clone(), grant: sender });
        drop(state);
        Entry::Queued(Waiting { lanes: Arc::clone(self), ticket, sessions: Some(sessions), grant })
    }

    fn leave(&self, sessions: &[SessionId]) {
        let mut state = self.lock();
        for session in sessions {
            if let Some(lane) = state.lanes.get_mut(session) {
                lane.held = false;
            }
        }
        state.advance(sessions);
    }

    fn abandon(&self, ticket: u64, sessions: &[SessionId]) {
        let mut state = self.lock();
        if state.tickets.remove(&ticket).is_none() {
            // Granted in the moment in which the caller went away.
            drop(state);
            self.leave(sessions);
            return;
        }
        for session in sessions {
            if let Some(lane) = state.lanes.get_mut(session) {
                lane.queue.retain(|queued| *queued != ticket);
            }
        }
        state.advance(sessions);
    }
}

impl State {
    /// Grants what may go on now that the heads of these lanes have changed.
    fn advance(&mut self, sessions: &[SessionId]) {
        for session in sessions {
            let Some(lane) = self.lanes.get(session) else { continue };
            match lane.queue.front().copied() {
                Some(ticket) => self.grant(ticket),
                None if !lane.held => {
                    self.lanes.remove(session);
                }
                None => {}
            }
        }
    }

    /// Gives a ticket its lanes, if it is first in all of them and none is held.
    fn grant(&mut self, ticket: u64) {
        let Some(waiting) = self.tickets.get(&ticket) else { return };
        let free = waiting.sessions.iter().all(|session| {
            self.lanes
                .get(session)
                .is_some_and(|lane| !lane.held && lane.queue.front() == Some(&ticket))
        });
        if !free {
            return;
        }
        let Some(granted) = self.tickets.remove(&ticket) else { return };
        for session in &granted.sessions {
            if let Some(lane) = self.lanes.get_mut(session) {
                lane.queue.pop_front();
                lane.held = true;
            }
        }
        // A caller that went away just now gives the lanes back when its entry is dropped.
        let _ = granted.grant.send(());
    }
}
