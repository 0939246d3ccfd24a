//! Sends a parsed command line to its command.

use tokio::runtime::Builder;

use super::{backup, completions, host, session, todo, tool, upgrade};
use crate::args::{Cli, Command, HostCommand};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{demo, mcp};

/// Worker threads of a Host.
const HOST_WORKERS: usize = 2;

/// Runs the command.
///
/// # Errors
/// As the command says.
pub(crate) fn dispatch(cli: Cli) -> Result<Exit, Failure> {
    let context = || Context::new(cli.root.as_deref());
    let client = Builder::new_current_thread();
    match cli.command {
        Command::Host(args) => {
            let mut workers = Builder::new_multi_thread();
            workers.worker_threads(HOST_WORKERS);
            let serves = matches!(args.command, HostCommand::Run(_));
            let runtime = if serves { workers } else { client };
            block_on(runtime, host::run(args, &context()?))
        }
        Command::Session(args) => block_on(client, session::run(args, &context()?)),
        Command::Todo(args) => block_on(client, todo::run(args, &context()?)),
        Command::Tool(args) => block_on(client, tool::run(args, &context()?)),
        Command::Mcp(args) => block_on(client, mcp::run(args, &context()?)),
        Command::Demo(args) => block_on(client, demo::run(&args)),
        Command::Upgrade(args) => upgrade::run(&args, &context()?),
        Command::Backup(args) => block_on(client, backup::run(args, &context()?)),
        Command::Completions(args) => completions::completions(&args),
        Command::Man(args) => completions::man(&args),
    }
}

fn block_on(
    mut runtime: Builder,
    command: impl Future<Output = Result<Exit, Failure>>,
) -> Result<Exit, Failure> {
    let runtime =
        runtime.enable_all().build().map_err(|error| Failure::io("start the runtime", &error))?;
    let outcome = runtime.block_on(command);
    // A read of standard input may still stand in its thread: it is not waited for.
    runtime.shutdown_background();
    outcome
}
