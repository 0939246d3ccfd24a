//! The rounds of the drill.

use std::io::Write;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow};
use clap::Parser;

use super::verdict::{judge, judge_transcript};
use super::writer::Writer;
use crate::host_process::HostProcess;
use crate::random::Random;
use crate::scratch::Scratch;

/// The longest that a Host lives after its writers have connected.
const LONGEST_LIFE: Duration = Duration::from_millis(60);

/// Kills a Host under writers of numbered lists, and checks every list after each kill.
#[derive(Debug, Clone, Parser)]
pub struct DrillOptions {
    /// How often the Host is killed.
    #[arg(long, default_value_t = 300)]
    pub kills: u32,
    /// How many writers write at once, each into a Session of its own.
    #[arg(long, default_value_t = 8)]
    pub writers: u32,
    /// Decides when each kill comes.
    #[arg(long, default_value_t = 20_261)]
    pub seed: u64,
}

/// What a drill without a violation counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DrillReport {
    /// Kills.
    pub kills: u32,
    /// Lists that were acknowledged.
    pub acknowledged: u64,
    /// Lists in flight at a kill that were there afterwards.
    pub unacknowledged_there: u64,
    /// Lists in flight at a kill that were not.
    pub unacknowledged_absent: u64,
    /// Lists that were checked, each through the Host and by SQL.
    pub checked: u64,
}

/// Runs the drill on a state root of its own, and says what it does on `out`.
///
/// # Errors
/// The first violation, or what kept the drill from running.
pub fn run_drill(options: &DrillOptions, out: &mut dyn Write) -> Result<DrillReport> {
    let DrillOptions { kills, writers, seed } = options;
    writeln!(out, "kill drill: {kills} kills, {writers} writers, seed {seed}")?;
    let scratch = Scratch::new()?;
    let mut random = Random::new(*seed);
    let mut report = DrillReport::default();
    let mut host = HostProcess::start(&scratch.root())?;
    let mut writers = create_writers(&host, *writers)?;
    for kill in 1..=*kills {
        let life = random.shorter_than(LONGEST_LIFE);
        kill_under_writers(host, &mut writers, life)
            .with_context(|| format!("kill {kill} of seed {seed}"))?;
        report.kills += 1;
        host = HostProcess::start(&scratch.root())
            .with_context(|| format!("start again after kill {kill} of seed {seed}"))?;
        check(&host, &mut writers, &mut report)
            .with_context(|| format!("after kill {kill} of seed {seed}"))?;
        if kill % 50 == 0 {
            writeln!(out, "  {kill} kills, {} lists checked", report.checked)?;
        }
    }
    host.stop().context("stop the last Host")?;
    report.acknowledged = writers.iter().map(|writer| writer.acknowledged).sum();
    Ok(report)
}

fn create_writers(host: &HostProcess, count: u32) -> Result<Vec<Writer>> {
    let mut client = host.client()?;
    (0..count)
        .map(|index| Ok(Writer::new(index, client.new_session(&format!("writer {index}"))?)))
        .collect()
}

/// Lets every writer write for `life`, kills the Host, and waits for the writers to notice.
fn kill_under_writers(host: HostProcess, writers: &mut [Writer], life: Duration) -> Result<()> {
    let wires = writers
        .iter()
        .map(|writer| host.model(&writer.session))
        .collect::<Result<Vec<_>>>()
        .context("connect the writers")?;
    thread::scope(|scope| {
        let running: Vec<_> = writers
            .iter_mut()
            .zip(wires)
            .map(|(writer, mut wire)| scope.spawn(move || writer.write_until_killed(&mut wire)))
            .collect();
        // Nothing is waited for: the moment of the kill is what the seed decides.
        thread::sleep(life);
        host.kill()?;
        for writer in running {
            writer.join().map_err(|_| anyhow!("a writer panicked"))??;
        }
        Ok(())
    })
}

fn check(host: &HostProcess, writers: &mut [Writer], report: &mut DrillReport) -> Result<()> {
    let mut viewer = host.viewer()?;
    let database = host.root().join("runtime.sqlite");
    for writer in writers {
        let shown = viewer.query_list(&writer.session)?;
        let found = judge(writer, &shown.items.0)?;
        judge_transcript(&database, writer)??;
        report.checked += 1;
        if writer.sent > writer.settled {
            if found > writer.settled {
                report.unacknowledged_there += 1;
            } else {
                report.unacknowledged_absent += 1;
            }
        }
        writer.settled = found;
        // A number that was not saved is sent again, as an agent would.
        writer.sent = found;
    }
    Ok(())
}
