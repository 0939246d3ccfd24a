//! `maka tool`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  maka tool list
  maka tool schema --format openai
  echo '{\"todos\":[{\"content\":\"run the tests\",\"status\":\"pending\"}]}' |
    maka tool call todo_write --session @last --input -
  maka tool call todo_read --session @last --json";

/// `maka tool`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct ToolArgs {
    /// What to do with the tools.
    #[command(subcommand)]
    pub command: ToolCommand,
}

/// The commands on the model's tools.
#[derive(Debug, Subcommand)]
pub enum ToolCommand {
    /// Lists the tools; needs no Host
    List(ToolListArgs),
    /// Prints the tools' schemas as a model's API takes them; needs no Host
    Schema(ToolSchemaArgs),
    /// Calls a tool in the place of a model
    Call(ToolCallArgs),
}

/// `maka tool list`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka tool list\n  maka tool list --json")]
pub struct ToolListArgs {
    /// Print `maka.tools.v1` JSON
    #[arg(long)]
    pub json: bool,
}

/// Whose form the schemas take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaFormat {
    /// The tools of an MCP `tools/list` result
    Mcp,
    /// The `tools` of an OpenAI-compatible chat completion
    Openai,
    /// The `tools` of an Anthropic message
    Anthropic,
}

/// `maka tool schema`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  maka tool schema\n  maka tool schema --format anthropic")]
pub struct ToolSchemaArgs {
    /// Whose form the schemas take
    #[arg(long, value_enum, default_value_t = SchemaFormat::Mcp)]
    pub format: SchemaFormat,
}

/// `maka tool call`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  maka tool call todo_read --session @last
  maka tool call todo_write --session @last --input list.json
  maka tool call todo_write --session @last --input - --json < list.json

A tool that says no (`ok: false`) ends with exit code 1.")]
pub struct ToolCallArgs {
    /// The tool
    #[arg(value_name = "NAME")]
    pub name: String,

    /// The Session: id, unique start of an id, exact name, or @last
    #[arg(long, value_name = "S")]
    pub session: String,

    /// The arguments as a JSON file, or - for standard input [default: no arguments]
    #[arg(long, value_name = "FILE")]
    pub input: Option<PathBuf>,

    /// Print `maka.tool.v1` JSON
    #[arg(long)]
    pub json: bool,
}
