//! Doubles: stores in memory that can be held or made to fail around their commit, a signal that
//! can be made to fail, a clock and ids without surprises.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use maka_core::ports::{
    Clock, CopyContents, CopyOutcome, CreateOutcome, IdSource, OpenOutcome, RenameOutcome,
    Replaced, SessionStore, SessionTodoStore, TodoOverview,
};
use maka_core::session_todo::SessionTodo;
use maka_core::{
    EnvironmentFault, NewSession, Page, PageRequest, Presence, Session, SessionId, SessionName,
    StoreError, Timestamp, ToolTurn, TurnId,
};
use maka_host_protocol::Domain;
use maka_runtime_host::{
    Admission, ChangeSignal, Draining, SessionTodoCoordinator, SignalFault, TodoParts,
};
use tokio::sync::Semaphore;

/// Where a write of the double fails.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteFault {
    BeforeCommit,
    /// Stored, but the store cannot know it.
    AtCommit,
}

pub(crate) struct MemoryTodos {
    pub(crate) rows: Mutex<HashMap<SessionId, SessionTodo>>,
    pub(crate) turns: Mutex<Vec<ToolTurn>>,
    pub(crate) fault: Mutex<Option<WriteFault>>,
    /// A write takes a permit before it commits.
    pub(crate) gate: Semaphore,
}

fn environment() -> StoreError {
    let cause = Box::new(std::io::Error::other("a test"));
    StoreError::Environment { act: "commit", fault: EnvironmentFault::Full, cause }
}

#[async_trait]
impl SessionTodoStore for MemoryTodos {
    async fn read_or_init(&self, session: &SessionId) -> Result<SessionTodo, StoreError> {
        Ok(self.rows.lock().unwrap().entry(session.clone()).or_default().clone())
    }

    async fn replace(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        turn: ToolTurn,
    ) -> Result<Replaced, StoreError> {
        self.gate.acquire().await.expect("open").forget();
        let fault = *self.fault.lock().unwrap();
        if fault == Some(WriteFault::BeforeCommit) {
            return Err(environment());
        }
        self.rows.lock().unwrap().insert(session.clone(), todo.clone());
        self.turns.lock().unwrap().push(turn);
        if fault == Some(WriteFault::AtCommit) {
            let cause = Box::new(std::io::Error::other("a test"));
            return Err(StoreError::CommitOutcomeUnknown { cause });
        }
        Ok(Replaced { todo, dropped_unfinished: None })
    }

    async fn initialize_copy(
        &self,
        _source: &SessionId,
        _target: &SessionId,
        _contents: CopyContents,
    ) -> Result<CopyOutcome, StoreError> {
        Err(environment())
    }

    async fn purge(&self, session: &SessionId) -> Result<(), StoreError> {
        self.rows.lock().unwrap().remove(session);
        Ok(())
    }

    async fn overview(&self, _page: &PageRequest) -> Result<Page<TodoOverview>, StoreError> {
        Err(environment())
    }
}

/// Knows which Sessions there are, and nothing else of them.
#[derive(Default)]
pub(crate) struct MemorySessions {
    pub(crate) presence: Mutex<HashMap<SessionId, Presence>>,
}

#[async_trait]
impl SessionStore for MemorySessions {
    async fn create(&self, _new: NewSession) -> Result<CreateOutcome, StoreError> {
        Err(environment())
    }
    async fn open_by_name(&self, _new: NewSession) -> Result<OpenOutcome, StoreError> {
        Err(environment())
    }
    async fn rename(
        &self,
        _session: &SessionId,
        _name: SessionName,
    ) -> Result<RenameOutcome, StoreError> {
        Err(environment())
    }
    async fn presence(&self, session: &SessionId) -> Result<Presence, StoreError> {
        Ok(self.presence.lock().unwrap().get(session).copied().unwrap_or(Presence::Absent))
    }
    async fn get(&self, _session: &SessionId) -> Result<Option<Session>, StoreError> {
        Err(environment())
    }
    async fn list(
        &self,
        _page: &PageRequest,
        _archived: bool,
    ) -> Result<Page<Session>, StoreError> {
        Err(environment())
    }
}

/// How the signal of the double goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SignalMood {
    Works,
    Fails,
    Panics,
}

/// Records what was signalled, and how many lanes were busy at that moment.
pub(crate) struct RecordingSignal {
    admission: Admission,
    pub(crate) mood: Mutex<SignalMood>,
    pub(crate) heard: Mutex<Vec<(SessionId, Domain, usize)>>,
}

impl ChangeSignal for RecordingSignal {
    fn publish(&self, session: &SessionId, domain: Domain) -> Result<(), SignalFault> {
        let heard = (session.clone(), domain, self.admission.busy_lanes());
        self.heard.lock().unwrap().push(heard);
        let mood = *self.mood.lock().unwrap();
        match mood {
            SignalMood::Works => Ok(()),
            SignalMood::Fails => Err(SignalFault),
            SignalMood::Panics => panic!("a test asked the signal to panic"),
        }
    }
}

struct StillClock;

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        Timestamp::from_millis(1_000)
    }
}

#[derive(Default)]
struct CountingIds(AtomicU64);

impl IdSource for CountingIds {
    fn session_id(&self) -> SessionId {
        id(&format!("session-{}", self.0.fetch_add(1, Ordering::SeqCst)))
    }
    fn turn_id(&self) -> TurnId {
        TurnId::parse(format!("turn-{}", self.0.fetch_add(1, Ordering::SeqCst))).expect("valid")
    }
}

/// A coordinator over doubles, with the Session `a` present.
pub(crate) struct Bench {
    pub(crate) coordinator: SessionTodoCoordinator,
    pub(crate) admission: Admission,
    pub(crate) draining: Draining,
    pub(crate) todos: Arc<MemoryTodos>,
    pub(crate) sessions: Arc<MemorySessions>,
    pub(crate) signal: Arc<RecordingSignal>,
}

impl Bench {
    /// Writes pass freely.
    pub(crate) fn new() -> Self {
        let bench = Self::held();
        bench.todos.gate.add_permits(1_000);
        bench
    }

    /// Writes wait for permits.
    pub(crate) fn held() -> Self {
        let admission = Admission::default();
        let draining = Draining::default();
        let todos = Arc::new(MemoryTodos {
            rows: Mutex::default(),
            turns: Mutex::default(),
            fault: Mutex::default(),
            gate: Semaphore::new(0),
        });
        let sessions = Arc::new(MemorySessions::default());
        sessions.presence.lock().unwrap().insert(id("a"), Presence::Present);
        let signal = Arc::new(RecordingSignal {
            admission: admission.clone(),
            mood: Mutex::new(SignalMood::Works),
            heard: Mutex::default(),
        });
        let coordinator = SessionTodoCoordinator::new(TodoParts {
            admission: admission.clone(),
            sessions: sessions.clone(),
            todos: todos.clone(),
            signal: signal.clone(),
            draining: draining.clone(),
            clock: Arc::new(StillClock),
            ids: Arc::new(CountingIds::default()),
        });
        Self { coordinator, admission, draining, todos, sessions, signal }
    }

    pub(crate) fn heard(&self) -> usize {
        self.signal.heard.lock().unwrap().len()
    }
}

pub(crate) fn id(text: &str) -> SessionId {
    SessionId::parse(text).expect("a Session id")
}

/// A list of one pending item.
pub(crate) fn list(content: &str) -> SessionTodo {
    let items = serde_json::json!([{ "content": content, "status": "pending" }]);
    SessionTodo::from_value(&items).expect("a valid list")
}

/// Set from inside a task, looked at from outside.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flag(Arc<AtomicBool>);

impl Flag {
    pub(crate) fn raise(&self) {
        self.0.store(true, Ordering::SeqCst);
    }
    pub(crate) fn is_up(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}

/// Lets every other task of the thread run until it waits.
pub(crate) async fn settle() {
    for _ in 0..32 {
        tokio::task::yield_now().await;
    }
}
