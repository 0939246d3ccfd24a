//! `maka mcp`.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  maka mcp                             the Session named like this folder
  maka mcp --session-name 'fix login'  the newest Session of that name, or a new one
  maka mcp --session 0198              one Session that is there
  maka mcp --new                       a new Session each time";

/// `maka mcp`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct McpArgs {
    /// Serve this Session: id, unique start of an id, exact name, or @last
    #[arg(long, value_name = "S", conflicts_with_all = ["session_name", "new"])]
    pub session: Option<String>,

    /// Serve the newest unarchived Session of this name, or make it
    /// [default: the name of the current folder]
    #[arg(long, value_name = "NAME")]
    pub session_name: Option<String>,

    /// Serve a new Session, named by --session-name or like the current folder
    #[arg(long)]
    pub new: bool,
}
