//! The demo's Host: a process of this same program, as `maka host run --spawned`.

use std::path::Path;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::time::timeout;

use crate::exit::Exit;
use crate::failure::Failure;

/// How long a Host may take to serve.
const START_BOUND: Duration = Duration::from_secs(5);

/// A Host process, killed when this is dropped.
#[derive(Debug)]
pub(super) struct DemoHost {
    child: Child,
}

impl DemoHost {
    /// Starts a Host on `root` and waits until it serves.
    pub(super) async fn start(root: &Path) -> Result<Self, Failure> {
        let failed = |what: String| {
            Failure::new(Exit::HostUnavailable, format!("the demo's Host did not start: {what}"))
        };
        let program = std::env::current_exe().map_err(|error| failed(error.to_string()))?;
        let mut child = Command::new(program)
            .arg("--root")
            .arg(root)
            .args(["host", "run", "--spawned"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let stdout = child.stdout.take().ok_or_else(|| failed("no output".to_owned()))?;
        let mut line = String::new();
        let mut reader = BufReader::new(stdout);
        match timeout(START_BOUND, reader.read_line(&mut line)).await {
            Ok(Ok(_)) if line.starts_with(r#"{"ready":true"#) => Ok(Self { child }),
            Ok(Ok(_)) => Err(failed(line.trim().to_owned())),
            Ok(Err(error)) => Err(failed(error.to_string())),
            Err(_) => Err(failed(format!("silent for {} s", START_BOUND.as_secs()))),
        }
    }

    /// The process id; `None` once it has been waited for.
    pub(super) fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Sends SIGKILL.
    pub(super) fn kill(&mut self) -> std::io::Result<()> {
        self.child.start_kill()
    }

    /// Waits at most `bound` for the process to end; `None` where it does not.
    pub(super) async fn ended(&mut self, bound: Duration) -> Option<ExitStatus> {
        timeout(bound, self.child.wait()).await.ok()?.ok()
    }
}
