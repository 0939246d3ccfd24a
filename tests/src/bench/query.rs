//! Reads of one list, beside a bare echo of the same bytes.

use anyhow::Result;

use super::echo::EchoProcess;
use super::load::{Script, latency, rate};
use super::options::Scale;
use super::report::Row;
use super::sample::{arguments, median};
use crate::host_process::HostProcess;
use crate::scratch::Scratch;

/// Clients of the figure with many.
const CLIENTS: usize = 64;

pub(super) fn measure(scale: &Scale) -> Result<Vec<Row>> {
    let scratch = Scratch::new()?;
    let host = HostProcess::start(&scratch.root())?;
    let session = host.client()?.new_session("read")?;
    host.model(&session)?.write_list(&arguments(0))?;
    let script = Script::query(&session)?;
    let (_, reply) = latency(host.socket(), &script, 1)?;
    let echo = EchoProcess::start(scratch.folder(), &reply)?;
    let bare = script.clone().without_hello();
    let (mut ours, mut floor, mut our_rates, mut floor_rates) = (vec![], vec![], vec![], vec![]);
    for _ in 0..scale.rounds() {
        ours.push(latency(host.socket(), &script, scale.latencies())?.0);
        floor.push(latency(&echo.socket, &bare, scale.latencies())?.0);
        our_rates.push(rate(host.socket(), &vec![script.clone(); CLIENTS], scale.window())?);
        floor_rates.push(rate(&echo.socket, &vec![bare.clone(); CLIENTS], scale.window())?);
    }
    Ok(vec![
        Row::new("session.todo.query, 1 client, p50", "µs", median(ours))
            .beside("bare echo", median(floor))
            .ratio_at_most(1.5),
        Row::new("session.todo.query, 64 clients", "/s", median(our_rates))
            .beside("bare echo", median(floor_rates))
            .at_least(30_000.0),
    ])
}
