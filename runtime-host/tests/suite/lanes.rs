//! Admission: the `lane-*` cases, re-entry, cancellation and a storm of entries.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use maka_core::SessionId;
use maka_runtime_host::{Admission, Reentry};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::cases::host_cases;
use crate::doubles::{Flag, id, settle};

host_cases! {
    lane_serial = "lane-serial";
    lane_independent = "lane-independent";
    lane_multi_no_deadlock = "lane-multi-no-deadlock";
    lane_child_work = "lane-child-work";
    lane_detached = "lane-detached";
}

/// Enters the lanes and stays until it is told to go.
struct Entry {
    inside: Flag,
    go: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Entry {
    fn new(gate: &Admission, sessions: &[&str]) -> Self {
        let inside = Flag::default();
        let (go, told) = oneshot::channel();
        let (gate, flag) = (gate.clone(), inside.clone());
        let sessions: Vec<SessionId> = sessions.iter().map(|text| id(text)).collect();
        let task = tokio::spawn(async move {
            let named = sessions.clone();
            let entered = gate.within_all(&sessions, |lease| async move {
                assert!(named.iter().all(|session| lease.covers(session)));
                flag.raise();
                let _ = told.await;
            });
            entered.await.expect("no re-entry");
        });
        Self { inside, go, task }
    }

    async fn leave(self) {
        self.go.send(()).expect("waits");
        self.task.await.expect("ends");
        settle().await;
    }
}

async fn lane_serial() {
    let gate = Admission::default();
    let first = Entry::new(&gate, &["a"]);
    settle().await;
    let second = Entry::new(&gate, &["a"]);
    let third = Entry::new(&gate, &["a"]);
    settle().await;
    assert!(first.inside.is_up() && !second.inside.is_up());
    first.leave().await;
    assert!(second.inside.is_up() && !third.inside.is_up(), "first in, first out");
    second.leave().await;
    third.leave().await;
    assert_eq!(gate.busy_lanes(), 0, "an idle lane takes no memory");
}

#[tokio::test]
async fn a_lane_is_held_also_where_the_work_does_not_take_its_lease_up() {
    let gate = Admission::default();
    let session = id("a");
    let held = gate.within(&session, |_lease| async { gate.busy_lanes() }).await;
    assert_eq!((held, gate.busy_lanes()), (Ok(1), 0));
}

async fn lane_independent() {
    let gate = Admission::default();
    let first = Entry::new(&gate, &["a"]);
    let other = Entry::new(&gate, &["b"]);
    settle().await;
    assert!(first.inside.is_up() && other.inside.is_up());
    other.leave().await;
    first.leave().await;
}

async fn lane_multi_no_deadlock() {
    let gate = Admission::default();
    let first = Entry::new(&gate, &["b", "a"]);
    settle().await;
    let second = Entry::new(&gate, &["a", "b"]);
    let independent = Entry::new(&gate, &["c"]);
    settle().await;
    assert!(first.inside.is_up() && !second.inside.is_up() && independent.inside.is_up());
    first.leave().await;
    assert!(second.inside.is_up());
    second.leave().await;
    independent.leave().await;
    assert_eq!(gate.busy_lanes(), 0);
}

async fn lane_child_work() {
    let gate = Admission::default();
    let (settle_child, told) = oneshot::channel::<()>();
    let session = id("a");
    let entered = gate.within(&session, |lease| {
        std::future::ready(tokio::spawn(async move {
            let _ = told.await;
            drop(lease);
        }))
    });
    let child = entered.await.expect("no re-entry");
    let second = Entry::new(&gate, &["a"]);
    settle().await;
    assert!(!second.inside.is_up(), "the child still holds the lane");
    settle_child.send(()).expect("waits");
    child.await.expect("ends");
    settle().await;
    assert!(second.inside.is_up());
    second.leave().await;
}

async fn lane_detached() {
    let gate = Admission::default();
    let (busy, ran) = (Arc::new(AtomicUsize::new(usize::MAX)), Flag::default());
    let (seen, flag, outer) = (Arc::clone(&busy), ran.clone(), gate.clone());
    let session = id("a");
    let entered = gate.within(&session, |lease| async move {
        let inner = outer.clone();
        lease.after_release(move || {
            seen.store(inner.busy_lanes(), Ordering::SeqCst);
            flag.raise();
        });
        outer.busy_lanes()
    });
    assert_eq!(entered.await, Ok(1));
    assert!(ran.is_up(), "it has run when the entry has ended");
    assert_eq!(busy.load(Ordering::SeqCst), 0, "and the lane was free by then");
}

#[tokio::test]
async fn an_entry_from_inside_a_lane_is_refused_at_once() {
    let gate = Admission::default();
    let nested = gate.clone();
    let session = id("a");
    let outcome = gate.within(&session, |_lease| async move {
        let same = nested.within(&id("a"), |_lease| async {}).await;
        let other = nested.within_all(&[id("b")], |_lease| async {}).await;
        (same, other)
    });
    assert_eq!(outcome.await, Ok((Err(Reentry), Err(Reentry))));
    assert_eq!(gate.within(&id("a"), |_lease| async { 7 }).await, Ok(7));
}

#[tokio::test]
async fn a_waiting_entry_that_goes_away_blocks_nobody() {
    let gate = Admission::default();
    let first = Entry::new(&gate, &["a"]);
    settle().await;
    let gone = Entry::new(&gate, &["a", "b"]);
    let behind = Entry::new(&gate, &["b"]);
    settle().await;
    assert!(!behind.inside.is_up(), "it queues behind the entry for both");
    gone.task.abort();
    settle().await;
    assert!(behind.inside.is_up());
    behind.leave().await;
    first.leave().await;
    assert_eq!(gate.busy_lanes(), 0);
}

#[tokio::test]
async fn an_entry_that_goes_away_when_it_was_just_granted_gives_the_lane_back() {
    let gate = Admission::default();
    let first = Entry::new(&gate, &["a"]);
    settle().await;
    let session = id("a");
    let mut granted = Box::pin(gate.within(&session, |_lease| async {}));
    assert!(futures_util::poll!(granted.as_mut()).is_pending());
    first.leave().await;
    assert_eq!(gate.busy_lanes(), 1, "granted, and not taken up yet");
    drop(granted);
    assert_eq!(gate.busy_lanes(), 0);
}

const LANES: usize = 6;

/// Counts as inside its lanes until it is dropped.
struct Inside {
    counters: Arc<[AtomicUsize; LANES]>,
    lanes: Vec<usize>,
}

impl Inside {
    fn new(counters: &Arc<[AtomicUsize; LANES]>, lanes: Vec<usize>) -> Self {
        for lane in &lanes {
            assert_eq!(counters[*lane].fetch_add(1, Ordering::SeqCst), 0, "the lane is exclusive");
        }
        Self { counters: Arc::clone(counters), lanes }
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        for lane in &self.lanes {
            self.counters[*lane].fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Many tasks on real threads enter random lanes, some give up while they wait or work; nobody is
/// ever inside a lane together with another, all come to an end, and nothing is left behind.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_storm_of_entries_keeps_every_lane_exclusive() {
    let gate = Admission::default();
    let counters: Arc<[AtomicUsize; LANES]> = Arc::default();
    let mut tasks = tokio::task::JoinSet::new();
    for seed in 0..64_usize {
        let (gate, counters) = (gate.clone(), Arc::clone(&counters));
        tasks.spawn(async move {
            let mut random = seed * 7_919 + 1;
            for _ in 0..200 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
                let bits = random >> 33;
                let mut lanes: Vec<usize> =
                    (0..1 + bits % 3).map(|place| (bits >> (4 * place)) % LANES).collect();
                let names: Vec<SessionId> =
                    lanes.iter().map(|lane| id(&lane.to_string())).collect();
                lanes.sort_unstable();
                lanes.dedup();
                let entry = gate.within_all(&names, |_lease| async {
                    let _inside = Inside::new(&counters, lanes);
                    tokio::task::yield_now().await;
                });
                if bits % 5 == 0 {
                    tokio::select! {
                        biased;
                        done = entry => done.expect("no re-entry"),
                        () = tokio::task::yield_now() => {}
                    }
                } else {
                    entry.await.expect("no re-entry");
                }
            }
        });
    }
    while let Some(task) = tasks.join_next().await {
        task.expect("no assertion failed");
    }
    assert_eq!(gate.busy_lanes(), 0);
}
