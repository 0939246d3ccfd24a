//! A Host as its own process: the real program, started, killed and started again.

use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use maka_core::{ClientName, SessionId};
use maka_host_protocol::{LEASE_FILE, LeaseText, Readiness, Role};

use crate::program::maka_command;
use crate::wire::Wire;

/// How long a Host may take to say that it serves, on a busy machine.
const START_LIMIT: Duration = Duration::from_secs(30);

/// A running Host. Dropping it kills it.
#[derive(Debug)]
pub struct HostProcess {
    child: Child,
    root: PathBuf,
    text: LeaseText,
}

impl HostProcess {
    /// Starts a Host on `root` and waits until it serves.
    ///
    /// # Errors
    /// Where it says that it does not, or says nothing in time.
    pub fn start(root: &Path) -> Result<Self> {
        Self::start_with(root, |_| ())
    }

    /// Starts a Host whose command `prepare` has changed, say by a fault in its environment.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn start_with(root: &Path, prepare: impl FnOnce(&mut Command)) -> Result<Self> {
        let mut command = maka_command(root)?;
        command.args(["host", "run", "--spawned"]);
        prepare(&mut command);
        Self::from_command(command, root)
    }

    /// Starts a Host by a command of one's own and waits until it serves.
    ///
    /// # Errors
    /// As [`Self::start`].
    pub fn from_command(mut command: Command, root: &Path) -> Result<Self> {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().context("start a Host")?;
        match wait_until_ready(&mut child, root) {
            Ok(text) => Ok(Self { child, root: root.to_owned(), text }),
            Err(error) => {
                // It may have ended by itself.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    /// Its process id.
    #[must_use]
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote into its lease's file.
    #[must_use]
    pub fn lease_text(&self) -> &LeaseText {
        &self.text
    }

    /// Its socket.
    #[must_use]
    pub fn socket(&self) -> &Path {
        Path::new(&self.text.socket)
    }

    /// Its state root.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Connects as a model of one Session.
    ///
    /// # Errors
    /// Where the Host refuses or is gone.
    pub fn model(&self, session: &SessionId) -> Result<Wire> {
        Wire::connect(self.socket(), Role::Model, &test_client()?, Some(session))
    }

    /// Connects as a client.
    ///
    /// # Errors
    /// Where the Host refuses or is gone.
    pub fn client(&self) -> Result<Wire> {
        Wire::connect(self.socket(), Role::Client, &test_client()?, None)
    }

    /// Connects as a viewer.
    ///
    /// # Errors
    /// Where the Host refuses or is gone.
    pub fn viewer(&self) -> Result<Wire> {
        Wire::connect(self.socket(), Role::Viewer, &test_client()?, None)
    }

    /// Sends SIGKILL and waits for the end.
    ///
    /// # Errors
    /// Where it had ended before by itself.
    pub fn kill(mut self) -> Result<()> {
        self.child.kill().context("kill the Host")?;
        let status = self.child.wait().context("wait for the Host")?;
        ensure!(status.signal() == Some(9), "the Host had ended by itself: {status}");
        Ok(())
    }

    /// Waits for an end that something else brings about.
    ///
    /// # Errors
    /// Where the process cannot be waited for.
    pub fn wait(mut self) -> Result<ExitStatus> {
        self.child.wait().context("wait for the Host")
    }

    /// Asks it to stop and waits for the end.
    ///
    /// # Errors
    /// Where it does not end well.
    pub fn stop(mut self) -> Result<()> {
        self.client()?.ask("host.stop", "{}")?.map_err(anyhow::Error::new)?;
        let status = self.child.wait().context("wait for the Host")?;
        ensure!(status.success(), "the Host ended with {status}");
        Ok(())
    }
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // It may be gone, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the connections of this crate call themselves.
fn test_client() -> Result<ClientName> {
    ClientName::parse("maka-tests").context("name the client")
}

fn wait_until_ready(child: &mut Child, root: &Path) -> Result<LeaseText> {
    let stdout = child.stdout.take().context("take the Host's output")?;
    let (said, hear) = mpsc::channel();
    std::thread::spawn(move || {
        let mut line = String::new();
        // An unreadable line is as good as none.
        let _ = BufReader::new(stdout).read_line(&mut line);
        let _ = said.send(line);
    });
    let line = hear.recv_timeout(START_LIMIT).context("wait for the Host's word")?;
    match Readiness::parse(&line) {
        Some(Readiness { ready: true, .. }) => read_lease_text(root),
        Some(Readiness { refusal: Some(refusal), .. }) => Err(refusal).context("start the Host"),
        Some(_) | None => bail!("the Host said {line:?}"),
    }
}

/// Reads who holds the state root.
///
/// # Errors
/// Where no Host has written a whole text.
pub fn read_lease_text(root: &Path) -> Result<LeaseText> {
    let path = root.join(LEASE_FILE);
    let text = std::fs::read_to_string(&path).with_context(|| format!("read {path:?}"))?;
    LeaseText::parse(&text).with_context(|| format!("understand {path:?}"))
}
