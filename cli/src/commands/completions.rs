//! `maka completions` and `maka man`.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs, ManArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;

/// Prints a completion script.
pub(super) fn completions(args: &CompletionsArgs) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "maka", &mut script);
    Out::default().text(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Writes a manual page for each command.
pub(super) fn man(args: &ManArgs) -> Result<Exit, Failure> {
    let act = format!("write the manual pages into {}", args.dir.display());
    std::fs::create_dir_all(&args.dir).map_err(|error| Failure::io(&act, &error))?;
    clap_mangen::generate_to(Cli::command(), &args.dir)
        .map_err(|error| Failure::io(&act, &error))?;
    Out::default().line(&format!("wrote the manual pages into {}", args.dir.display()))?;
    Ok(Exit::Done)
}
