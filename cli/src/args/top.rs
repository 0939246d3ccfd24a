//! The command itself: global options and the groups.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use super::{BackupArgs, HostArgs, McpArgs, SessionArgs, TodoArgs, ToolArgs, UpgradeArgs};

const EXAMPLES: &str = "\
Examples:
  maka demo                                the whole story in a throwaway folder
  maka session new --name 'fix login'      a Session to work in
  maka mcp --session-name 'fix login'      what an agent's MCP configuration runs
  maka todo watch @last                    see the agent's list change
  maka todo list --open                    what is unfinished anywhere

A Session is named by its id, the unique start of its id, its exact name, or
@last (the newest that is not archived).

Exit codes:
  0  done
  1  refused: the reason and a hint are on stderr
  2  usage: the command line is wrong
  3  not found: no such Session, file or backup
  4  Host unavailable: none runs and none could be started
  5  workspace blocked: it needs `maka upgrade`, or a newer program wrote it";

/// Keeps the current Todo list of every Session of a coding agent.
///
/// The agent's model writes the list through two tools; people read it here. A Host process owns
/// the state root and starts by itself when a command needs it.
#[derive(Debug, Parser)]
#[command(name = "maka", version, propagate_version = false, after_help = EXAMPLES)]
#[command(subcommand_required = true, arg_required_else_help = true)]
pub struct Cli {
    /// The state root [default: $MAKA_ROOT, else "maka" in the platform's data folder]
    #[arg(long, global = true, value_name = "DIR")]
    pub root: Option<PathBuf>,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The groups of commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Runs, starts, stops or looks at the Host
    Host(HostArgs),
    /// Makes, lists, shows and renames Sessions
    Session(SessionArgs),
    /// Shows and watches Todo lists
    Todo(TodoArgs),
    /// Lists, describes and calls the model's tools
    Tool(ToolArgs),
    /// Serves one Session to an agent over MCP on standard input and output
    Mcp(McpArgs),
    /// Plays the life of a list on a real Host, and checks every step
    Demo(DemoArgs),
    /// Upgrades an older workspace, after a verified backup
    Upgrade(UpgradeArgs),
    /// Makes, lists, verifies, restores and prunes backups
    Backup(BackupArgs),
    /// Prints a completion script for a shell
    Completions(CompletionsArgs),
    /// Writes the manual pages into a folder
    Man(ManArgs),
}

const DEMO_EXAMPLES: &str = "\
Examples:
  maka demo           about a second; leaves nothing behind
  maka demo --keep    leaves the state root, and says where it is";

/// `maka demo`.
#[derive(Debug, Args)]
#[command(after_help = DEMO_EXAMPLES)]
pub struct DemoArgs {
    /// Leave the demo's state root on disk and say where it is
    #[arg(long)]
    pub keep: bool,
}

const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  maka completions bash > ~/.local/share/bash-completion/completions/maka
  maka completions zsh > ~/.zfunc/_maka
  maka completions fish > ~/.config/fish/completions/maka.fish";

/// `maka completions`.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS_EXAMPLES)]
pub struct CompletionsArgs {
    /// The shell
    pub shell: Shell,
}

/// `maka man`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka man ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Where the pages go; the folder is made if it is not there
    #[arg(value_name = "DIR")]
    pub dir: PathBuf,
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::{Cli, EXAMPLES};
    use crate::exit::Exit;

    #[test]
    fn the_command_line_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn help_says_every_exit_code_as_exit_rs_does() {
        for exit in Exit::ALL {
            let line = format!("  {}  {}", exit.code(), exit.meaning());
            assert!(EXAMPLES.lines().any(|shown| shown == line), "{line:?} is missing");
        }
    }
}
