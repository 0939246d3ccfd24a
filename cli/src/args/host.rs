//! `maka host`.

use clap::{Args, Subcommand};

use super::whole_number::whole_number;

const EXAMPLES: &str = "\
Examples:
  maka host status            is one running, and where
  maka host start             start one in the background, if none runs
  maka host run               run one here; Ctrl-C stops it
  maka host stop              stop it, and wait until it is gone

No command needs this: each starts a Host when none runs.";

/// `maka host`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct HostArgs {
    /// What to do with the Host.
    #[command(subcommand)]
    pub command: HostCommand,
}

/// The commands on the Host.
#[derive(Debug, Subcommand)]
pub enum HostCommand {
    /// Runs a Host in the foreground
    Run(HostRunArgs),
    /// Starts a Host in the background, if none runs
    Start(HostStartArgs),
    /// Stops the Host and waits until it is gone
    Stop(HostStopArgs),
    /// Says whether a Host runs, and where
    Status(HostStatusArgs),
}

const RUN_EXAMPLES: &str = "\
Examples:
  maka host run
  maka host run --idle-exit 600    stop after ten minutes without clients
  maka host run --upgrade          upgrade an older workspace first, after a backup";

/// `maka host run`.
#[derive(Debug, Args)]
#[command(after_help = RUN_EXAMPLES)]
pub struct HostRunArgs {
    /// Upgrade an older workspace first, after a verified backup
    #[arg(long)]
    pub upgrade: bool,

    /// Stop after so many seconds without a client; 0 never stops [default: as config.toml says]
    #[arg(long, value_name = "SECS", value_parser = whole_number)]
    pub idle_exit: Option<u64>,

    /// Runs as a session of its own and reports readiness as one line of JSON on standard output.
    #[arg(long, hide = true)]
    pub spawned: bool,
}

/// `maka host start`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka host start\n  maka host start --json")]
pub struct HostStartArgs {
    /// Print `maka.host.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka host stop`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka host stop")]
pub struct HostStopArgs {
    /// Print `maka.host.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka host status`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka host status\n  maka host status --json")]
pub struct HostStatusArgs {
    /// Print `maka.host.v1` JSON
    #[arg(long)]
    pub json: bool,
}
