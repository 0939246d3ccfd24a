//! Writes through the model door, beside SQLite alone.

use anyhow::{Context, Result};
use maka_core::SessionId;

use super::load::{Script, rate};
use super::options::Scale;
use super::raw_commits::RawCommits;
use super::report::Row;
use super::sample::{arguments, median};
use crate::host_process::HostProcess;
use crate::scratch::Scratch;

/// Sessions of the figure with many.
const SESSIONS: u32 = 64;
/// How often floor and figure take turns within one round.
const TURNS: u32 = 8;

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    let (scratch, floor_scratch) = (Scratch::new()?, Scratch::new()?);
    let mut raw = prepare_floor(&floor_scratch)?;
    let host = HostProcess::start(&scratch.root())?;
    let sessions = create_sessions(&host)?;
    let scripts: Vec<Script> = sessions.iter().map(Script::write).collect::<Result<_>>()?;
    let one = scripts.get(..1).unwrap_or_default();
    let (mut floor, mut single, mut many) = (vec![], vec![], vec![]);
    for _ in 0..scale.rounds() {
        let (raw_rate, our_rate) = side_by_side(&mut raw, &host, one, scale)?;
        floor.push(raw_rate);
        single.push(our_rate);
    }
    for _ in 0..scale.rounds() {
        many.push(rate(host.socket(), &scripts, scale.window())?);
    }
    let (single, floor) = (median(single), median(floor));
    Ok(vec![
        Row::new("todo_write 20×100, 1 client", "/s", single)
            .beside("SQLite alone", floor)
            .ratio_at_least(0.8),
        Row::new("todo_write 20×100, 64 Sessions", "/s", median(many))
            .beside("1 client", single)
            .ratio_at_least(5.0),
    ])
}

/// Commits a second of both, in turns so short that what the disk does meanwhile hits both alike.
fn side_by_side(
    raw: &mut RawCommits,
    host: &HostProcess,
    one: &[Script],
    scale: &Scale,
) -> Result<(f64, f64)> {
    let slice = scale.window() / TURNS;
    let (mut raw_rate, mut our_rate) = (0.0, 0.0);
    for _ in 0..TURNS {
        raw_rate += raw.rate(slice)?;
        our_rate += rate(host.socket(), one, slice)?;
    }
    Ok((raw_rate / f64::from(TURNS), our_rate / f64::from(TURNS)))
}

/// A database that a Host made, with the same Session and list in it, for SQLite alone.
fn prepare_floor(scratch: &Scratch) -> Result<RawCommits> {
    let host = HostProcess::start(&scratch.root())?;
    let session = host.client()?.new_session("raw")?;
    host.model(&session)?.write_list(&arguments(0))?;
    host.stop().context("stop the Host that made the floor's database")?;
    RawCommits::open(&scratch.database(), session.as_str())
}

fn create_sessions(host: &HostProcess) -> Result<Vec<SessionId>> {
    let mut client = host.client()?;
    (0..SESSIONS).map(|index| client.new_session(&format!("write {index}"))).collect()
}
