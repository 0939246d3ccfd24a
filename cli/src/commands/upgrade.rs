//! `maka upgrade`.

use crate::args::UpgradeArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Upgrades the workspace, or says what that would do.
pub(super) fn run(_args: &UpgradeArgs, _context: &Context) -> Result<Exit, Failure> {
    Err(Failure::refused("this command is not built in"))
}
