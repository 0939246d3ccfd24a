//! Spawns a Host where none serves, and finds the winner where several clients do so at once.

use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use maka_host_protocol::{ErrorCode, HostState, Readiness, StartRefusal};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::Command;
use tokio::time::{Instant, sleep, timeout_at};

use crate::{ConnectError, HostClient, Identity};

/// How long a start may take in all, a race and a draining predecessor included.
const START_TIMEOUT: Duration = Duration::from_secs(10);
/// How often a Host that was ready is found gone again before the start counts as failed.
const MAX_STARTS: u32 = 3;
/// Between two looks for a Host that another process starts or stops: there is nothing to wait on.
const FIRST_PAUSE: Duration = Duration::from_millis(2);
const LONGEST_PAUSE: Duration = Duration::from_millis(100);
/// More than any line of readiness, in bytes.
const MAX_READINESS: u64 = 64 * 1024;

/// How to start a Host: a program that leaves its spawner's session by itself and writes one
/// [`Readiness`] line on its standard output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnSpec {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<std::ffi::OsString>,
}

/// What became of one try to spawn.
enum Spawned {
    /// It serves.
    Ready,
    /// Another Host holds the lease.
    Lost,
}

impl HostClient {
    /// Connects to the Host that serves `root`; where none does, spawns one first. Of several
    /// clients that spawn at once, all end at the one Host that won the lease. Waits at most 10 s.
    ///
    /// # Errors
    /// [`ConnectError::StartRefused`] with the spawned Host's own reason, and the others as they
    /// say.
    pub async fn connect_or_spawn(
        root: &Path,
        identity: &Identity,
        spec: &SpawnSpec,
    ) -> Result<Self, ConnectError> {
        let deadline = Instant::now() + START_TIMEOUT;
        let mut pause = FIRST_PAUSE;
        let mut starts = 0;
        loop {
            let fault = match Self::connect(root, identity).await {
                Ok(client) if client.accepted().state != HostState::Draining => return Ok(client),
                Ok(_) => ConnectError::StartTimeout,
                Err(fault) => fault,
            };
            if fault.is_not_running() {
                match timeout_at(deadline, spawn(spec)).await {
                    Err(_) => return Err(ConnectError::StartTimeout),
                    Ok(spawned) => {
                        if let Spawned::Ready = spawned? {
                            starts += 1;
                            if starts > MAX_STARTS {
                                return Err(ConnectError::StartFailed);
                            }
                            continue;
                        }
                    }
                }
            } else if !may_pass(&fault) {
                return Err(fault);
            }
            if Instant::now() + pause > deadline {
                return Err(if fault.is_not_running() {
                    ConnectError::StartTimeout
                } else {
                    fault
                });
            }
            sleep(pause).await;
            pause = LONGEST_PAUSE.min(pause * 2);
        }
    }
}

/// Whether a Host that is going away may be behind the fault, so that the next one will do.
fn may_pass(fault: &ConnectError) -> bool {
    match fault {
        ConnectError::Refused(refused) => refused.code == ErrorCode::HostDraining,
        ConnectError::Closed(frame) => {
            frame.as_ref().is_none_or(|frame| frame.code == ErrorCode::HostDraining)
        }
        ConnectError::StartTimeout => true,
        ConnectError::Io(fault) => {
            matches!(fault.kind(), io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe)
        }
        ConnectError::NotRunning { .. }
        | ConnectError::Timeout
        | ConnectError::BadHandshake
        | ConnectError::Spawn { .. }
        | ConnectError::StartRefused(_)
        | ConnectError::StartFailed => false,
    }
}

async fn spawn(spec: &SpawnSpec) -> Result<Spawned, ConnectError> {
    let mut child = Command::new(&spec.program)
        .args(&spec.args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|source| ConnectError::Spawn { program: spec.program.clone(), source })?;
    let stdout = child.stdout.take().ok_or(ConnectError::StartFailed)?;
    let mut line = String::new();
    // A Host that does not serve leaves no line or the reason; either way the child, which Tokio
    // reaps in the background, is of no further use here.
    let _ = BufReader::new(stdout.take(MAX_READINESS)).read_line(&mut line).await;
    match Readiness::parse(&line) {
        Some(Readiness { ready: true, .. }) => Ok(Spawned::Ready),
        Some(Readiness { refusal: Some(refusal), .. }) => {
            if refusal.code == StartRefusal::LEASE_HELD {
                Ok(Spawned::Lost)
            } else {
                Err(ConnectError::StartRefused(refusal))
            }
        }
        Some(Readiness { refusal: None, .. }) | None => Err(ConnectError::StartFailed),
    }
}
