//! `maka upgrade`.

use maka_runtime_host::offline::{self, UpgradeStep};
use serde::Serialize;

use super::host_run::faults;
use crate::args::UpgradeArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, ProgressLine, plan_text, report_text};

/// `maka.upgrade-plan.v1` and `maka.upgrade.v1`: the schema, the state root and the facts.
#[derive(Debug, Serialize)]
struct UpgradeJson<'a, T> {
    schema: &'static str,
    root: String,
    #[serde(flatten)]
    facts: &'a T,
}

/// Upgrades the workspace, or says what that would do. The command is the consent.
pub(super) fn run(args: &UpgradeArgs, context: &Context) -> Result<Exit, Failure> {
    context.expect_workspace()?;
    let root = context.root();
    let shown = root.display().to_string();
    let mut out = Out::default();
    if args.plan {
        let plan = offline::plan(root)?;
        if args.json {
            let schema = "maka.upgrade-plan.v1";
            out.json(&UpgradeJson { schema, root: shown, facts: &plan })?;
        } else {
            out.text(&plan_text(root, &plan))?;
        }
        return Ok(Exit::Done);
    }
    let progress = ProgressLine::new("upgrading");
    let report = offline::upgrade(root, &faults()?, &mut |step| show(&progress, step))?;
    drop(progress);
    if args.json {
        out.json(&UpgradeJson { schema: "maka.upgrade.v1", root: shown, facts: &report })?;
    } else {
        out.text(&report_text(root, &report))?;
    }
    Ok(Exit::Done)
}

fn show(progress: &ProgressLine, step: UpgradeStep) {
    match step {
        UpgradeStep::BackingUp { done, total } => {
            progress.say("making a backup");
            progress.show(done, total);
        }
        UpgradeStep::DroppingLedger => progress.say("dropping the Task Ledger"),
        UpgradeStep::AdoptingSessions => progress.say("adopting Sessions"),
        UpgradeStep::AdoptingMessages { done } => {
            progress.say("adopting messages");
            progress.show(done, done);
        }
        UpgradeStep::Committing => progress.say("committing"),
    }
}
