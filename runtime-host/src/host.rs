//! The composition root: the one file that knows every part of a Host.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

use maka_core::ports::{Clock, IdSource, SessionStore, SessionTodoPort, SessionTodoStore};
use maka_host_protocol::LeaseText;
use maka_runtime::{SessionTodoTools, ToolRegistry};
use maka_storage::{Database, Faults, RootLease, StateRoot, upgrade};
use tokio::net::UnixListener;
use tracing::instrument::WithSubscriber;

use crate::accept;
use crate::admission::Admission;
use crate::clock::{SystemClock, UuidIds};
use crate::config::Config;
use crate::connection::ConnectionLimits;
use crate::log;
use crate::server::{
    ChangeSignal, Draining, Phase, SessionCoordinator, SessionTodoCoordinator, StopReason,
    Subscriptions, TodoParts,
};
use crate::services::{HOST_VERSION, HostFacts, Services};
use crate::socket::HostSocket;
use crate::start_error::StartError;

/// How long running work may take once the Host drains.
const DRAIN_GRACE: Duration = Duration::from_secs(10);

/// What a Host is started with. [`HostOptions::new`] gives the usual values.
#[derive(Debug, Clone)]
pub struct HostOptions {
    /// The state root; created if it is absent.
    pub root: PathBuf,
    /// Whether a person asked for the upgrade of an older workspace.
    pub upgrade_consent: bool,
    /// Time without a connection after which the Host stops, zero for never; `None` leaves it to
    /// `config.toml`.
    pub idle_exit: Option<Duration>,
    /// Deliberate faults, for tests.
    pub faults: Faults,
    /// Whether the environment still sets `MAKA_TASK_LEDGER_TOOLS`, which has no effect any more
    /// and is said so once in the log.
    pub task_ledger_env_seen: bool,
    /// The user's folder for sockets, used where the state root's path is too long for one; `None`
    /// takes `XDG_RUNTIME_DIR`.
    pub runtime_dir: Option<PathBuf>,
    /// Times that a connection is given.
    pub limits: ConnectionLimits,
}

impl HostOptions {
    /// The usual values for a state root.
    #[must_use]
    pub fn new(root: impl Into<PathBuf>) -> Self {
        Self {
            root: root.into(),
            upgrade_consent: false,
            idle_exit: None,
            faults: Faults::default(),
            task_ledger_env_seen: false,
            runtime_dir: None,
            limits: ConnectionLimits::default(),
        }
    }
}

/// A running Host. It lives in the caller's runtime (two worker threads are enough) until
/// [`Host::stop`], a client's `host.stop`, or its idle time; dropping the value does not stop it.
#[derive(Debug, Clone)]
pub struct Host {
    socket: PathBuf,
    epoch: Arc<str>,
    draining: Draining,
}

impl Host {
    /// Starts a Host: takes the owner lease, binds the socket, opens the database (after its
    /// upgrade, where a person asked for it) and serves.
    ///
    /// # Errors
    /// [`StartError`]; [`StartError::Held`] at once where another Host owns the state root.
    pub async fn start(options: HostOptions) -> Result<Self, StartError> {
        let started = Instant::now();
        let lease = RootLease::acquire(StateRoot::open_or_create(&options.root)?)?;
        let config = Config::load(&lease.root().config_file())?;
        let log = log::open(&lease.root().log_file()).map_err(StartError::Log)?;
        let start = start_owned(options, config, lease, started);
        start.with_subscriber(log).await
    }

    /// The socket's path.
    #[must_use]
    pub fn socket(&self) -> &Path {
        &self.socket
    }

    /// Names this run of the Host.
    #[must_use]
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// Drains and stops the Host, and waits until it has stopped.
    pub async fn stop(&self) -> StopReason {
        self.draining.begin(StopReason::Requested);
        self.wait().await
    }

    /// Waits until the Host has stopped: the last commit is durable, the database closed, the
    /// socket removed and the lease free.
    pub async fn wait(&self) -> StopReason {
        self.draining.reached(Phase::Stopped).await;
        self.draining.reason().unwrap_or(StopReason::Requested)
    }
}

async fn start_owned(
    options: HostOptions,
    config: Config,
    lease: Arc<RootLease>,
    started: Instant,
) -> Result<Host, StartError> {
    let runtime_dir =
        options.runtime_dir.or_else(|| std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from));
    let root = lease.root();
    let (socket, listener) = HostSocket::bind(root.path(), root.socket(), runtime_dir.as_deref())?;
    if options.upgrade_consent {
        upgrade_first(&lease, &options.faults).await?;
    }
    let database = Database::open(Arc::clone(&lease), options.faults)?;
    let epoch: Arc<str> = uuid::Uuid::now_v7().to_string().into();
    let text = LeaseText {
        pid: std::process::id(),
        host_epoch: epoch.to_string(),
        socket: socket.path().display().to_string(),
    };
    lease.announce(&text.to_line())?;
    tracing::info!(pid = text.pid, %epoch, version = HOST_VERSION, "serving");
    if options.task_ledger_env_seen {
        tracing::warn!(
            "MAKA_TASK_LEDGER_TOOLS is set and has no effect: the Task Ledger was removed"
        );
    }
    let facts = HostFacts {
        epoch: Arc::clone(&epoch),
        socket: socket.path().to_owned(),
        root: lease.root().path().to_owned(),
        started,
        connections: AtomicU32::new(0),
    };
    let services = Arc::new(services(facts, database));
    let host =
        Host { socket: socket.path().to_owned(), epoch, draining: services.draining.clone() };
    let idle_exit = Some(options.idle_exit.unwrap_or(config.idle_exit));
    let idle_exit = idle_exit.filter(|patience| !patience.is_zero());
    let life = live(listener, services, options.limits, idle_exit, socket, lease);
    tokio::spawn(life.with_current_subscriber());
    Ok(host)
}

async fn upgrade_first(lease: &Arc<RootLease>, faults: &Faults) -> Result<(), StartError> {
    let plan = upgrade::plan(lease.root())?;
    if !plan.needed {
        return Ok(());
    }
    let (lease, faults) = (Arc::clone(lease), faults.clone());
    let upgrading = tokio::task::spawn_blocking(move || {
        upgrade::upgrade(&lease, SystemClock.now(), &faults, &mut |_step| {})
    });
    match upgrading.await {
        Ok(report) => {
            report?;
            tracing::info!(from = plan.from, to = plan.to, "the workspace was upgraded");
            Ok(())
        }
        Err(fault) => std::panic::resume_unwind(fault.into_panic()),
    }
}

/// Puts the parts together.
fn services(facts: HostFacts, database: Database) -> Services {
    let admission = Admission::default();
    let draining = Draining::default();
    let subscriptions = Arc::new(Subscriptions::default());
    let signal: Arc<dyn ChangeSignal> = subscriptions.clone();
    let sessions: Arc<dyn SessionStore> = Arc::new(database.sessions());
    let todos: Arc<dyn SessionTodoStore> = Arc::new(database.todos());
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
    let todo = SessionTodoCoordinator::new(TodoParts {
        admission: admission.clone(),
        sessions: Arc::clone(&sessions),
        todos: Arc::clone(&todos),
        signal: Arc::clone(&signal),
        draining: draining.clone(),
        clock: Arc::clone(&clock),
        ids: Arc::clone(&ids),
    });
    let session_changes = SessionCoordinator {
        admission,
        sessions: Arc::clone(&sessions),
        signal,
        draining: draining.clone(),
    };
    let port: Arc<dyn SessionTodoPort> = Arc::new(todo.clone());
    let tools = ToolRegistry::new(SessionTodoTools::new(port));
    Services {
        facts,
        draining,
        subscriptions,
        sessions,
        todos,
        session_changes,
        todo,
        tools,
        database,
        clock,
        ids,
    }
}

/// Serves, drains and stops, in this order; then the lease is free.
async fn live(
    listener: UnixListener,
    services: Arc<Services>,
    limits: ConnectionLimits,
    idle_exit: Option<Duration>,
    socket: HostSocket,
    lease: Arc<RootLease>,
) {
    let draining = services.draining.clone();
    let drain = async {
        draining.reached(Phase::Draining).await;
        tracing::info!(reason = ?draining.reason(), "draining");
        if !draining.quiet(DRAIN_GRACE).await {
            tracing::warn!("work was still running when the grace was over");
        }
        draining.advance(Phase::Closing);
        services.database.close().await;
        if lease.is_held() {
            drop(socket);
        } else {
            tracing::error!("the owner lease is not ours any more");
            socket.leave();
        }
        drop(lease);
        draining.advance(Phase::Released);
    };
    tokio::join!(accept::run(listener, Arc::clone(&services), limits, idle_exit), drain);
    tracing::info!("stopped");
    draining.advance(Phase::Stopped);
}
