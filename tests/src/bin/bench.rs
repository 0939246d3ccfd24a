//! Measures Maka beside its floors; see `docs/performance.md`.

use std::io::Write;

use clap::Parser;
use maka_tests::bench::{BenchCommand, BenchOptions, run_bench, serve_echo};

fn main() -> anyhow::Result<()> {
    let options = BenchOptions::parse();
    let mut out = std::io::stdout().lock();
    if let Some(BenchCommand::EchoServer { socket, reply }) = &options.command {
        return serve_echo(socket, reply, &mut out);
    }
    let report = run_bench(&options, &mut std::io::stderr().lock())?;
    if options.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        write!(out, "{}", report.to_table())?;
    }
    Ok(())
}
