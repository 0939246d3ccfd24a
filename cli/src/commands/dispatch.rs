//! Sends a parsed command line to its command.

use crate::args::{Cli, Command};
use crate::commands::completions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::mcp;

/// Runs the command.
///
/// # Errors
/// As the command says.
pub(crate) fn dispatch(cli: Cli) -> Result<Exit, Failure> {
    match cli.command {
        Command::Completions(args) => return completions::completions(&args),
        Command::Man(args) => return completions::man(&args),
        _ => {}
    }
    let context = Context::new(cli.root.as_deref())?;
    match cli.command {
        Command::Mcp(args) => block_on(mcp::run(args, &context)),
        _ => Err(Failure::refused("this command is not built in")),
    }
}

/// Runs a command that waits for the Host on a runtime of one thread.
fn block_on(command: impl Future<Output = Result<Exit, Failure>>) -> Result<Exit, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::io("start the runtime", &error))?;
    let outcome = runtime.block_on(command);
    // A read of standard input may still stand in its thread: it is not waited for.
    runtime.shutdown_background();
    outcome
}
