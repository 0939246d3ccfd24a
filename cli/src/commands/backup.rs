//! `maka backup`.

use std::path::Path;

use crate::args::BackupArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// A backup's facts.
pub(crate) struct BackupFacts {
    pub(crate) bytes: u64,
    pub(crate) sha256: String,
}

/// Verifies a backup.
pub(crate) fn verify_backup(_dir: &Path) -> Result<BackupFacts, Failure> {
    Err(Failure::refused("this command is not built in"))
}

/// Runs one of the commands on backups.
pub(super) async fn run(_args: BackupArgs, _context: &Context) -> Result<Exit, Failure> {
    Err(Failure::refused("this command is not built in"))
}
