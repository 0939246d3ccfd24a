//! The `maka` command. Everything is in the library, so that tests reach it.

use std::process::ExitCode;

fn main() -> ExitCode {
    maka_cli::run()
}
