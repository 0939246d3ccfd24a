//! `maka todo`.

use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  maka todo show @last
  maka todo show 'fix login' --markdown >> notes.md
  maka todo watch @last
  maka todo list --open

Only a model writes a list: see `maka mcp` and `maka tool call`.";

/// `maka todo`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct TodoArgs {
    /// What to show.
    #[command(subcommand)]
    pub command: TodoCommand,
}

/// The commands on lists.
#[derive(Debug, Subcommand)]
pub enum TodoCommand {
    /// Shows a Session's current list
    Show(TodoShowArgs),
    /// Shows a Session's list now and again at each change, until Ctrl-C
    Watch(TodoWatchArgs),
    /// Lists unfinished items over all Sessions
    List(TodoListArgs),
}

/// `maka todo show`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  maka todo show @last
  maka todo show 0198 --json
  maka todo show 'fix login' --markdown")]
pub struct TodoShowArgs {
    /// The Session: id, unique start of an id, exact name, or @last
    #[arg(value_name = "S")]
    pub session: String,

    /// Print `maka.todo.v1` JSON
    #[arg(long, conflicts_with = "markdown")]
    pub json: bool,

    /// Print a Markdown task list
    #[arg(long)]
    pub markdown: bool,
}

/// `maka todo watch`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  maka todo watch @last
  maka todo watch @last --json | jq --unbuffered .counts

The list now comes first, then the list after each change. Survives a restart
of the Host.")]
pub struct TodoWatchArgs {
    /// The Session: id, unique start of an id, exact name, or @last
    #[arg(value_name = "S")]
    pub session: String,

    /// Print one line of `maka.todo.v1` JSON now and at each change
    #[arg(long)]
    pub json: bool,
}

/// `maka todo list`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  maka todo list --open
  maka todo list --open --json")]
pub struct TodoListArgs {
    /// List the unfinished items; the only list there is so far
    #[arg(long, required = true)]
    pub open: bool,

    /// Print `maka.todos.v1` JSON
    #[arg(long)]
    pub json: bool,
}
