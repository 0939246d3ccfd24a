#![doc = include_str!("../README.md")]

pub mod args;
mod calls;
mod commands;
mod context;
mod demo;
mod exit;
mod failure;
mod host_failure;
mod mcp;
mod offline_failure;
mod output;
mod root;
mod select;

use std::process::ExitCode;

use clap::Parser;

pub use context::Context;
pub use demo::Step as DemoStep;
pub use exit::Exit;
pub use failure::Failure;

/// Runs the command line of this process.
#[must_use]
pub fn run() -> ExitCode {
    let cli = match args::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            // Help and version go to standard output and are a success; clap knows which.
            let _ = error.print();
            return if error.use_stderr() { Exit::Usage.into() } else { Exit::Done.into() };
        }
    };
    match commands::dispatch(cli) {
        Ok(exit) => exit.into(),
        Err(failure) => {
            output::report(&failure);
            failure.exit().into()
        }
    }
}
