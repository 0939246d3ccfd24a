//! From starting a Host's process to its accepted handshake.

use std::path::Path;
use std::process::Stdio;
use std::time::Instant;

use anyhow::{Context, Result, ensure};

use super::options::Scale;
use super::report::Row;
use super::sample::{arguments, median};
use crate::host_process::HostProcess;
use crate::program::{maka, maka_command};
use crate::scratch::Scratch;

/// Sessions with a list in the root that exists already.
const SESSIONS: u32 = 100;

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    maka().context("have the program built before anything is timed")?;
    let existing = Scratch::new()?;
    fill(&existing)?;
    let (mut floor, mut fresh_times, mut existing_times) = (vec![], vec![], vec![]);
    for _ in 0..scale.rounds() {
        floor.push(time_version(&existing.root())?);
        fresh_times.push(time_start(&Scratch::new()?.root())?);
        existing_times.push(time_start(&existing.root())?);
    }
    let floor = median(floor);
    let row = |what: &str, times| {
        Row::new(what, "ms", median(times)).beside("maka --version", floor).at_most(20.0)
    };
    Ok(vec![
        row("Host start to accepted handshake, fresh root", fresh_times),
        row("Host start to accepted handshake, existing root", existing_times),
    ])
}

fn fill(scratch: &Scratch) -> Result<()> {
    let host = HostProcess::start(&scratch.root())?;
    let mut client = host.client()?;
    for index in 0..SESSIONS {
        let session = client.new_session(&format!("session {index}"))?;
        host.model(&session)?.write_list(&arguments(index % 2))?;
    }
    host.stop()
}

fn time_start(root: &Path) -> Result<f64> {
    let begun = Instant::now();
    let host = HostProcess::start(root)?;
    let client = host.client()?;
    let time = begun.elapsed().as_secs_f64() * 1e3;
    drop(client);
    host.stop()?;
    Ok(time)
}

/// The same program, asked for nothing: what the machine takes to start any process of its size.
fn time_version(root: &Path) -> Result<f64> {
    let begun = Instant::now();
    let status = maka_command(root)?.arg("--version").stdout(Stdio::null()).status();
    ensure!(status.context("run maka --version")?.success(), "maka --version failed");
    Ok(begun.elapsed().as_secs_f64() * 1e3)
}
