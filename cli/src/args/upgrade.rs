//! `maka upgrade`.

use clap::Args;

const EXAMPLES: &str = "\
Examples:
  maka upgrade --plan    what it would do; changes nothing
  maka upgrade           do it, after a verified backup

The command is the consent: it asks nothing. The older program refuses the
workspace afterwards; the report says how to go back.";

/// `maka upgrade`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct UpgradeArgs {
    /// Only say what would be done; changes nothing
    #[arg(long)]
    pub plan: bool,

    /// Print `maka.upgrade-plan.v1` or `maka.upgrade.v1` JSON
    #[arg(long)]
    pub json: bool,
}
