//! `maka host run`: a Host in this process.

use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

use maka_host_client::{Readiness, StartRefusal};
use maka_runtime_host::{Faults, Host, HostOptions, StartError};
use tokio::signal::unix::{SignalKind, signal};

use crate::args::HostRunArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;

/// Names fault points for tests; `docs/testing.md` says how.
const FAULTS: &str = "MAKA_TEST_FAULT";
/// Chose the tools of the removed Task Ledger; has no effect, and the Host's log says so once.
const REMOVED_SWITCH: &str = "MAKA_TASK_LEDGER_TOOLS";

/// Runs a Host until a signal, `maka host stop` or its idle time ends it.
pub(super) async fn run(args: &HostRunArgs, context: &Context) -> Result<Exit, Failure> {
    if !args.spawned {
        let host = start(args, context).await.map_err(|refused| refused.failure)?;
        // A Host serves all the same where nobody reads this.
        let _ = Out::default().line(&format!(
            "a Host serves {}: pid {}, socket {}\nCtrl-C stops it",
            context.root().display(),
            std::process::id(),
            host.socket().display()
        ));
        return serve(host).await;
    }
    leave_the_caller();
    match start(args, context).await {
        Ok(host) => {
            tell_the_caller(&Readiness::ready());
            serve(host).await
        }
        Err(refused) => {
            let exit = refused.failure.exit();
            tell_the_caller(&refused.readiness());
            Err(Failure::silent(exit))
        }
    }
}

/// Why there is no Host, for a person and for the program that spawned it.
struct StartRefused {
    code: &'static str,
    failure: Failure,
}

impl StartRefused {
    fn readiness(self) -> Readiness {
        Readiness::refused(StartRefusal {
            code: self.code.to_owned(),
            message: self.failure.message().unwrap_or_default().to_owned(),
            hint: self.failure.hint().map(str::to_owned),
            exit_code: self.failure.exit().code(),
        })
    }
}

impl From<StartError> for StartRefused {
    fn from(error: StartError) -> Self {
        let code = match &error {
            StartError::Held(_) => StartRefusal::LEASE_HELD,
            StartError::NeedsUpgrade { .. } => "workspace_needs_upgrade",
            StartError::Blocked { .. } => "workspace_blocked",
            StartError::Upgrade(_) => "upgrade_failed",
            StartError::Root(_)
            | StartError::Lease(_)
            | StartError::Socket(_)
            | StartError::Config(_)
            | StartError::Log(_)
            | StartError::Store(_) => "start_failed",
        };
        Self { code, failure: error.into() }
    }
}

async fn start(args: &HostRunArgs, context: &Context) -> Result<Host, StartRefused> {
    let faults = faults().map_err(|failure| StartRefused { code: "usage", failure })?;
    let options = HostOptions {
        upgrade_consent: args.upgrade,
        idle_exit: args.idle_exit.map(Duration::from_secs),
        faults,
        task_ledger_env_seen: std::env::var_os(REMOVED_SWITCH).is_some(),
        ..HostOptions::new(context.root())
    };
    Ok(Host::start(options).await?)
}

/// Reads the deliberate faults of a test.
pub(super) fn faults() -> Result<Faults, Failure> {
    let text = std::env::var(FAULTS).unwrap_or_default();
    Faults::parse(&text)
        .map_err(|error| Failure::new(Exit::Usage, format!("{FAULTS} is wrong: {error}")))
}

/// Waits for the Host's end. A signal begins it in order: what runs is settled and committed.
async fn serve(host: Host) -> Result<Exit, Failure> {
    let listen = |kind| signal(kind).map_err(|error| Failure::io("listen for signals", &error));
    let mut interrupt = listen(SignalKind::interrupt())?;
    let mut terminate = listen(SignalKind::terminate())?;
    tokio::select! {
        _ = host.wait() => {}
        _ = interrupt.recv() => { host.stop().await; }
        _ = terminate.recv() => { host.stop().await; }
    }
    Ok(Exit::Done)
}

/// Becomes a session of its own, so that no terminal or shell of the caller ends the Host, and
/// lets go of the caller's folder.
fn leave_the_caller() {
    // Fails where this process leads a group already: then it is on its own as it is.
    let _ = rustix::process::setsid();
    let _ = std::env::set_current_dir("/");
}

/// Says on standard output whether the Host serves, and lets go of it. A caller that has gone
/// away is no reason not to serve.
fn tell_the_caller(readiness: &Readiness) {
    let mut stdout = std::io::stdout().lock();
    let _ = stdout.write_all(readiness.to_line().as_bytes());
    let _ = stdout.flush();
    if let Ok(nowhere) = OpenOptions::new().write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdout(&nowhere);
    }
}
