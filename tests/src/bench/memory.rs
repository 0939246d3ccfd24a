//! The Host's resident memory.

use anyhow::{Context, Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use super::options::Scale;
use super::report::Row;
use super::sample::{arguments, median};
use crate::host_process::HostProcess;
use crate::scratch::Scratch;
use crate::wire::Wire;

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    allow_many_files()?;
    let (mut idle, mut busy) = (vec![], vec![]);
    for _ in 0..scale.rounds() {
        let (at_rest, subscribed) = measure_once(scale.subscribers())?;
        idle.push(at_rest);
        busy.push(subscribed);
    }
    let subscribed = format!("Host resident memory, {} subscribers", scale.subscribers());
    Ok(vec![
        Row::new("Host resident memory, idle", "MB", median(idle)).at_most(12.0),
        Row::new(subscribed, "MB", median(busy)).at_most(40.0),
    ])
}

fn measure_once(subscribers: usize) -> Result<(f64, f64)> {
    let scratch = Scratch::new()?;
    let host = HostProcess::start(&scratch.root())?;
    let session = host.client()?.new_session("watched")?;
    let at_rest = resident_megabytes(host.pid())?;
    let mut watchers = (0..subscribers)
        .map(|_| {
            let mut wire = host.viewer()?;
            wire.ask("subscription.open", "{}")?.context("subscribe")?;
            Ok(wire)
        })
        .collect::<Result<Vec<Wire>>>()?;
    host.model(&session)?.write_list(&arguments(0))?;
    for watcher in &mut watchers {
        let heard = watcher.next_line()?.context("hear of a write")?;
        ensure!(heard.contains("invalidated"), "heard {heard}");
    }
    Ok((at_rest, resident_megabytes(host.pid())?))
}

/// What the kernel says, in units of 1,000,000 bytes.
fn resident_megabytes(pid: u32) -> Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status"))
        .context("read the status of the Host's process, which needs Linux")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.trim().strip_suffix(" kB"));
    let kibibytes: f64 = kibibytes.context("find VmRSS")?.parse().context("read VmRSS")?;
    Ok(kibibytes * 1024.0 / 1e6)
}

/// A thousand connections need more descriptors than a shell usually allows; the Host, started by
/// us, has our limit.
fn allow_many_files() -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    let wanted = Rlimit { current: limit.maximum, maximum: limit.maximum };
    setrlimit(Resource::Nofile, wanted).context("raise the limit of open files")
}
