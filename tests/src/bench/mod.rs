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
pub use options::{BenchCommand, BenchOptions};
pub use report::{Report, Row};

use std::io::Write;

use anyhow::{Context, Result};

/// Takes every figure. Says on `progress` which one is being taken.
///
/// # Errors
/// Where a figure cannot be taken; figures are never left out.
pub fn run_bench(options: &BenchOptions, progress: &mut dyn Write) -> Result<Report> {
    let scale = options.scale();
    let mut report = Report::new(scale.is_quick());
    let mut take = |name: &str, rows: &mut dyn FnMut() -> Result<Vec<Row>>| -> Result<()> {
        writeln!(progress, "measuring {name} …")?;
        report.extend(rows().with_context(|| format!("measure {name}"))?);
        Ok(())
    };
    take("projection", &mut || projection::measure(&scale))?;
    take("start", &mut || start::measure(&scale))?;
    take("memory", &mut || memory::measure(&scale))?;
    take("query", &mut || query::measure(&scale))?;
    take("write", &mut || write::measure(&scale))?;
    take("growth", &mut || growth::measure(&scale))?;
    take("upgrade", &mut || upgrade::measure(&scale))?;
    Ok(report)
}
