//! `maka session`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  maka session new --name 'fix login'
  maka session list
  maka session show @last --json
  maka session rename 'fix login' 'fix login and logout'";

/// `maka session`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SessionArgs {
    /// What to do with Sessions.
    #[command(subcommand)]
    pub command: SessionCommand,
}

/// The commands on Sessions.
#[derive(Debug, Subcommand)]
pub enum SessionCommand {
    /// Makes a Session
    New(SessionNewArgs),
    /// Lists Sessions, newest first
    List(SessionListArgs),
    /// Shows one Session's facts
    Show(SessionShowArgs),
    /// Gives a Session another name
    Rename(SessionRenameArgs),
}

/// `maka session new`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  maka session new\n  maka session new --name 'fix login' --json"
)]
pub struct SessionNewArgs {
    /// Its name; names need not be unique [default: the name of the current folder]
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,

    /// Print `maka.session.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka session list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka session list\n  maka session list --json")]
pub struct SessionListArgs {
    /// Print `maka.sessions.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka session show`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka session show @last\n  maka session show 0198 --json")]
pub struct SessionShowArgs {
    /// The Session: id, unique start of an id, exact name, or @last
    #[arg(value_name = "S")]
    pub session: String,

    /// Print `maka.session.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// `maka session rename`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka session rename @last 'fix login'")]
pub struct SessionRenameArgs {
    /// The Session: id, unique start of an id, exact name, or @last
    #[arg(value_name = "S")]
    pub session: String,

    /// Its new name
    #[arg(value_name = "N")]
    pub name: String,

    /// Print `maka.session.v1` JSON
    #[arg(long)]
    pub json: bool,
}
