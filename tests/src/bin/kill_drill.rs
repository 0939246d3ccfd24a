//! Kills a Host under writers of numbered lists; see `docs/testing.md`.

use std::io::Write;

use clap::Parser;
use maka_tests::drill::{DrillOptions, run_drill};

fn main() -> anyhow::Result<()> {
    let options = DrillOptions::parse();
    let mut out = std::io::stdout().lock();
    let report = run_drill(&options, &mut out)?;
    writeln!(out, "kills                       {}", report.kills)?;
    writeln!(out, "lists acknowledged          {}", report.acknowledged)?;
    writeln!(out, "in flight and there         {}", report.unacknowledged_there)?;
    writeln!(out, "in flight and absent        {}", report.unacknowledged_absent)?;
    writeln!(out, "lists checked after a kill  {}", report.checked)?;
    writeln!(out, "every acknowledged list was there, every other one wholly or not at all")?;
    Ok(())
}
