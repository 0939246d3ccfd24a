//! `maka host start`, `stop` and `status`.

use std::time::Duration;

use maka_host_client::{HostState, HostStatusResult, Role};
use serde::Serialize;

use super::host_run;
use crate::args::{HostArgs, HostCommand};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;

/// How long a stopping Host may take: ten seconds for running Turns, and the last commit.
const STOP_BOUND: Duration = Duration::from_secs(20);

/// How long to wait between looks at a process that is ending.
const LOOK: Duration = Duration::from_millis(5);

/// `maka.host.v1`: whether a Host runs, and its facts where one does.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct HostJson {
    schema: &'static str,
    running: bool,
    pid: Option<u32>,
    host_epoch: Option<String>,
    host_version: Option<String>,
    socket: Option<String>,
    root: String,
    workflow_schema: Option<u32>,
    state: Option<HostState>,
    connections: Option<u32>,
    uptime_ms: Option<u64>,
}

impl HostJson {
    fn of(context: &Context, status: Option<HostStatusResult>) -> Self {
        let root = context.root().display().to_string();
        let mut shape = Self {
            schema: "maka.host.v1",
            running: status.is_some(),
            pid: None,
            host_epoch: None,
            host_version: None,
            socket: None,
            root,
            workflow_schema: None,
            state: None,
            connections: None,
            uptime_ms: None,
        };
        if let Some(status) = status {
            shape.pid = Some(status.pid);
            shape.host_epoch = Some(status.host_epoch);
            shape.host_version = Some(status.host_version);
            shape.socket = Some(status.socket);
            shape.workflow_schema = Some(status.workflow_schema);
            shape.state = Some(status.state);
            shape.connections = Some(status.connections);
            shape.uptime_ms = Some(status.uptime_ms);
        }
        shape
    }
}

/// Runs one of the commands on the Host but `run`, which has a runtime of its own.
pub(super) async fn run(args: HostArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        HostCommand::Run(args) => host_run::run(&args, context).await,
        HostCommand::Start(args) => start(args.json, context).await,
        HostCommand::Stop(args) => stop(args.json, context).await,
        HostCommand::Status(args) => status(args.json, context).await,
    }
}

async fn start(json: bool, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let status = client.host_status().await?;
    say(json, context, Some(status))
}

async fn status(json: bool, context: &Context) -> Result<Exit, Failure> {
    let status = match context.connect(Role::Viewer).await {
        Ok(client) => Some(client.host_status().await?),
        Err(failure) if failure.exit() == Exit::HostUnavailable => None,
        Err(failure) => return Err(failure),
    };
    let none_runs = status.is_none();
    let exit = say(json, context, status)?;
    if none_runs {
        context.refuse_old_workspace()?;
    }
    Ok(exit)
}

async fn stop(json: bool, context: &Context) -> Result<Exit, Failure> {
    let client = match context.connect(Role::Client).await {
        Ok(client) => client,
        Err(failure) if failure.exit() == Exit::HostUnavailable => {
            let exit = say(json, context, None)?;
            context.refuse_old_workspace()?;
            return Ok(exit);
        }
        Err(failure) => return Err(failure),
    };
    let pid = client.host_status().await?.pid;
    client.host_stop().await?;
    let gone = async {
        client.closed().await;
        // The connection ends a little before the process: another program's end has no event
        // that could be waited for on every platform.
        while process_lives(pid) {
            tokio::time::sleep(LOOK).await;
        }
    };
    if tokio::time::timeout(STOP_BOUND, gone).await.is_err() {
        return Err(Failure::refused(format!("the Host, process {pid}, still runs"))
            .with_hint("see host.log in the state root"));
    }
    if json {
        say(true, context, None)
    } else {
        Out::default().line(&format!("the Host, process {pid}, has stopped"))?;
        Ok(Exit::Done)
    }
}

fn say(json: bool, context: &Context, status: Option<HostStatusResult>) -> Result<Exit, Failure> {
    let mut out = Out::default();
    if json {
        out.json(&HostJson::of(context, status))?;
    } else if let Some(status) = status {
        out.line(&format!(
            "a Host runs: pid {}, epoch {}\nroot    {}\nsocket  {}",
            status.pid, status.host_epoch, status.root, status.socket
        ))?;
    } else {
        out.line(&format!("no Host runs on {}", context.root().display()))?;
    }
    Ok(Exit::Done)
}

/// Whether a process still runs. One that has ended and that its parent has not waited for counts
/// as gone, where the platform tells.
fn process_lives(pid: u32) -> bool {
    let Some(pid) = i32::try_from(pid).ok().and_then(rustix::process::Pid::from_raw) else {
        return false;
    };
    if rustix::process::test_kill_process(pid) == Err(rustix::io::Errno::SRCH) {
        return false;
    }
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
    // "PID (NAME) STATE …": the name may hold anything, also parentheses.
    !stat.is_ok_and(|stat| {
        stat.rsplit_once(')').is_some_and(|(_, after)| after.trim_start().starts_with('Z'))
    })
}
