//! An upgrade as text: what it would do, and what it did.

use std::path::Path;

use maka_runtime_host::offline::{UpgradePlan, UpgradeReport};

use super::safe;

const AFTERWARDS: &str = "Afterwards the older program refuses this workspace.";

/// Says what an upgrade would do.
pub(crate) fn plan_text(root: &Path, plan: &UpgradePlan) -> String {
    let root = root.display();
    if !plan.needed {
        return format!(
            "There is nothing to upgrade: {root} is at workflow schema {}.\n",
            plan.from
        );
    }
    let mut text = if plan.from == plan.to {
        format!(
            "{root} is at workflow schema {} already. `maka upgrade` would do the rest:\n",
            plan.from
        )
    } else {
        format!(
            "{root} is at workflow schema {}. `maka upgrade` would bring it to {}:\n",
            plan.from, plan.to
        )
    };
    let mut say = |line: String| text.push_str(&format!("  {line}\n"));
    say(format!("make a verified backup in {root}/backups first"));
    say(dropped("drop", plan.ledger_events, plan.ledger_sessions));
    say(format!("adopt {} Sessions with {} messages", plan.sessions, plan.messages));
    some(&mut say, plan.todos, "lists stay as they are, byte for byte");
    some(&mut say, plan.tombstones, "removed Sessions stay removed, and their ids taken");
    some(&mut say, plan.preparing_copies, "unfinished copies are not adopted");
    some(&mut say, plan.skipped, "Sessions cannot be adopted; the report will say why");
    some(&mut say, plan.purged_todos, "lists of removed Sessions and unfinished copies go");
    some(&mut say, plan.orphan_todos, "lists of ids that nobody knows stay where they are");
    text.push_str(AFTERWARDS);
    text.push_str("\nThe way back is the backup: ");
    text.push_str(
        "maka backup restore BACKUP NEWROOT. It loses what is written after the upgrade.\n",
    );
    text
}

/// Says what an upgrade did.
pub(crate) fn report_text(root: &Path, report: &UpgradeReport) -> String {
    let root_text = root.display();
    if !report.upgraded {
        return format!(
            "There is nothing to upgrade: {root_text} is at workflow schema {}.\n",
            report.to
        );
    }
    let mut text = if report.from == report.to {
        format!("{root_text} is upgraded; it was at workflow schema {} already:\n", report.from)
    } else {
        format!("{root_text} is upgraded from workflow schema {} to {}:\n", report.from, report.to)
    };
    let mut say = |line: String| text.push_str(&format!("  {line}\n"));
    say(dropped("dropped", report.ledger_events, report.ledger_sessions));
    say(format!(
        "adopted {} Sessions with {} Turns and {} messages",
        report.sessions, report.turns, report.messages
    ));
    some(&mut say, report.todos, "lists stay as they are, byte for byte");
    some(&mut say, report.tombstones, "removed Sessions stay removed, and their ids taken");
    some(
        &mut say,
        report.damaged_sessions,
        "Sessions have damaged metadata: what was readable is adopted",
    );
    some(&mut say, report.damaged_messages, "messages are damaged, and say so");
    some(&mut say, report.damaged_todos, "lists are damaged: the next todo_write replaces each");
    some(&mut say, report.preparing_copies, "unfinished copies were not adopted");
    some(&mut say, report.purged_todos, "lists of removed Sessions and unfinished copies are gone");
    some(&mut say, report.orphan_todos, "lists of ids that nobody knows stay where they are");
    some(&mut say, report.skipped, "Sessions were not adopted, and stay where they are:");
    for skipped in &report.first_skipped {
        say(format!("  {}: {}", safe(&skipped.session_id), safe(&skipped.reason)));
    }
    if let Some(backup) = &report.backup {
        text.push_str(&way_back(backup));
    }
    text
}

fn way_back(backup: &Path) -> String {
    let backup = backup.display();
    format!(
        "The backup from before is {backup}\n{AFTERWARDS} To go back:\n  \
         1. maka host stop\n  \
         2. maka backup restore {backup} NEWROOT\n  \
         3. give NEWROOT, or its runtime.sqlite, to the older program\n\
         What is written after the upgrade is not in the backup.\n"
    )
}

fn dropped(verb: &str, events: u64, sessions: u64) -> String {
    if events == 0 {
        return "no events of the removed Task Ledger are left here".to_owned();
    }
    format!(
        "{verb} {events} events of the removed Task Ledger, of {sessions} Sessions; no Task is imported"
    )
}

/// Says a count that is not usual, where it is not zero.
fn some(say: &mut impl FnMut(String), count: u64, what: &str) {
    if count > 0 {
        say(format!("{count} {what}"));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use maka_runtime_host::offline::{UpgradePlan, UpgradeReport};

    use super::{plan_text, report_text};

    #[test]
    fn nothing_to_do_says_so() {
        let root = Path::new("/r");
        let plan = UpgradePlan { from: 12, to: 12, ..UpgradePlan::default() };
        assert_eq!(
            plan_text(root, &plan),
            "There is nothing to upgrade: /r is at workflow schema 12.\n"
        );
        let report = UpgradeReport { from: 12, to: 12, ..UpgradeReport::default() };
        assert_eq!(report_text(root, &report), plan_text(root, &plan));
    }

    #[test]
    fn an_upgrade_says_what_goes_where_the_backup_is_and_the_way_back() {
        let report = UpgradeReport {
            upgraded: true,
            from: 9,
            to: 12,
            backup: Some("/r/backups/b".into()),
            ledger_events: 375,
            ledger_sessions: 12,
            ..UpgradeReport::default()
        };
        let text = report_text(Path::new("/r"), &report);
        for says in
            ["dropped 375 events", "12 Sessions", "maka backup restore /r/backups/b", "refuses"]
        {
            assert!(text.contains(says), "{says:?} is missing: {text}");
        }
        assert!(!text.contains("damaged"), "{text}");
    }

    /// A workspace that only the reference implementation wrote may be at our version already.
    #[test]
    fn an_upgrade_at_the_same_version_does_not_speak_of_another() {
        let root = Path::new("/r");
        let plan = UpgradePlan { needed: true, from: 12, to: 12, ..UpgradePlan::default() };
        let report = UpgradeReport { upgraded: true, from: 12, to: 12, ..UpgradeReport::default() };
        for text in [plan_text(root, &plan), report_text(root, &report)] {
            assert!(text.contains("at workflow schema 12 already"), "{text}");
            assert!(!text.contains(" to 12") && !text.contains("0 events"), "{text}");
        }
    }
}
