//! `maka backup`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::whole_number::whole_number;

const EXAMPLES: &str = "\
Examples:
  maka backup create ~/maka-monday           verified; the Host may serve meanwhile
  maka backup list                           those in the state root
  maka backup verify ~/maka-monday
  maka backup restore ~/maka-monday ~/maka2  then: maka --root ~/maka2 …
  maka backup prune --keep 3                 of those in the state root";

/// `maka backup`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BackupArgs {
    /// What to do with backups.
    #[command(subcommand)]
    pub command: BackupCommand,
}

/// The commands on backups.
#[derive(Debug, Subcommand)]
pub enum BackupCommand {
    /// Makes a verified backup in a new folder
    Create(BackupCreateArgs),
    /// Lists the backups in the state root
    List(BackupListArgs),
    /// Checks a backup: its inventory, its digest and its database
    Verify(BackupVerifyArgs),
    /// Makes a new state root from a backup
    Restore(BackupRestoreArgs),
    /// Deletes the oldest backups in the state root
    Prune(BackupPruneArgs),
}

/// `maka backup create`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka backup create ~/maka-monday")]
pub struct BackupCreateArgs {
    /// The new folder; must not be there yet
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// Print `maka.backup.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka backup list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka backup list\n  maka backup list --json")]
pub struct BackupListArgs {
    /// Print `maka.backups.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka backup verify`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka backup verify ~/maka-monday")]
pub struct BackupVerifyArgs {
    /// The backup's folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// Print `maka.backup.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka backup restore`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  maka backup restore ~/maka-monday ~/maka2
  maka --root ~/maka2 session list

What was written after the backup is not in it.")]
pub struct BackupRestoreArgs {
    /// The backup's folder
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,

    /// The new state root; must not be there yet
    #[arg(value_name = "NEWROOT")]
    pub new_root: PathBuf,

    /// Print `maka.restore.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka backup prune`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka backup prune --keep 3")]
pub struct BackupPruneArgs {
    /// How many of the newest stay
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = whole_number)]
    pub keep: u64,

    /// Print `maka.backup-prune.v1` JSON
    #[arg(long)]
    pub json: bool,
}
