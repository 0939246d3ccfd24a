//! The benchmark: each figure beside the floor that it stands on, all taken in one run.

mod echo;
mod growth;
mod load;
mod memory;
mod options;
mod projection;
mod query;
mod raw_commits;
mod report;
mod sample;
mod start;
mod upgrade;
mod write;

pub use echo::serve_echo;
pub use options::{BenchCommand, BenchOptions, Group};
pub use report::{Report, Row};

use std::io::Write;

use anyhow::{Context, Result};
use clap::ValueEnum;

use options::Scale;

/// Takes every figure. Says on `progress` which one is being taken.
///
/// # Errors
/// Where a figure cannot be taken; figures are never left out.
pub fn run_bench(options: &BenchOptions, progress: &mut dyn Write) -> Result<Report> {
    let scale = options.scale();
    let mut report = Report::new(scale.is_quick());
    for group in Group::value_variants().iter().filter(|group| options.wants(**group)) {
        writeln!(progress, "measuring {group:?} …")?;
        report.extend(measure(*group, &scale).with_context(|| format!("measure {group:?}"))?);
    }
    Ok(report)
}

fn measure(group: Group, scale: &Scale) -> Result<Vec<Row>> {
    match group {
        Group::Projection => Ok(projection::measure(scale)),
        Group::Start => start::measure(scale),
        Group::Memory => memory::measure(scale),
        Group::Query => query::measure(scale),
        Group::Write => write::measure(scale),
        Group::Growth => growth::measure(scale),
        Group::Upgrade => upgrade::measure(scale),
    }
}
