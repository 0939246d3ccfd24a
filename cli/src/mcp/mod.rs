//! `maka mcp`: serves one Session to an agent over MCP on standard input and output.

use crate::args::McpArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs the server until its input ends.
///
/// # Errors
/// Where the Session is not found or no Host can be reached.
#[expect(clippy::unused_async, reason = "the server awaits its transport")]
pub(crate) async fn run(_args: McpArgs, context: &Context) -> Result<Exit, Failure> {
    Err(Failure::refused(format!("no MCP server is built in for {}", context.root().display())))
}
