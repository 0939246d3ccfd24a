//! How much is measured.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

/// Measures Maka beside its floors, and prints a table.
#[derive(Debug, Clone, Parser)]
pub struct BenchOptions {
    /// Measures little, to see that every row can be taken; the figures mean nothing.
    #[arg(long)]
    pub quick: bool,
    /// Prints one JSON document in place of the table.
    #[arg(long)]
    pub json: bool,
    /// Takes only these figures, separated by commas.
    #[arg(long, value_delimiter = ',')]
    pub only: Vec<Group>,
    /// What the benchmark starts of itself.
    #[command(subcommand)]
    pub command: Option<BenchCommand>,
}

/// Figures that are taken together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Group {
    /// The display projection, in memory.
    Projection,
    /// From a process to an accepted handshake.
    Start,
    /// Resident memory.
    Memory,
    /// Reads of one list.
    Query,
    /// Writes of one list and of many.
    Write,
    /// Reads and writes among many Sessions.
    Growth,
    /// The upgrade of a large workspace.
    Upgrade,
}

/// Parts of the benchmark that are processes of their own.
#[derive(Debug, Clone, Subcommand)]
pub enum BenchCommand {
    /// Answers each line on a socket with the bytes of a file.
    #[command(hide = true)]
    EchoServer {
        /// The socket to make.
        socket: PathBuf,
        /// The file with the answer.
        reply: PathBuf,
    },
}

impl BenchOptions {
    pub(super) fn wants(&self, group: Group) -> bool {
        self.only.is_empty() || self.only.contains(&group)
    }

    pub(super) const fn scale(&self) -> Scale {
        Scale { quick: self.quick }
    }
}

/// The sizes of what is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    quick: bool,
}

impl Scale {
    pub(super) const fn is_quick(self) -> bool {
        self.quick
    }

    /// Repetitions of each measurement; the median counts.
    pub(super) const fn rounds(self) -> usize {
        if self.quick { 1 } else { 5 }
    }

    /// How long a rate is observed.
    pub(super) const fn window(self) -> Duration {
        Duration::from_millis(if self.quick { 150 } else { 2_000 })
    }

    /// Requests behind a median of latencies.
    pub(super) const fn latencies(self) -> usize {
        if self.quick { 200 } else { 10_000 }
    }

    /// Connections of a test with many.
    pub(super) const fn subscribers(self) -> usize {
        if self.quick { 50 } else { 1_000 }
    }

    /// Ledger events of the workspace that is upgraded.
    pub(super) const fn ledger_events(self) -> u32 {
        if self.quick { 5_000 } else { 1_000_000 }
    }

    /// Sessions of the workspaces whose cost is compared.
    pub(super) const fn session_counts(self) -> &'static [u32] {
        if self.quick { &[10, 1_000] } else { &[10, 1_000, 100_000] }
    }

    /// Passes over a list of 200 items.
    pub(super) const fn projection_passes(self) -> u32 {
        if self.quick { 5 } else { 200 }
    }
}
