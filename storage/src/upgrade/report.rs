//! What an upgrade would do, is doing and did.

use std::path::PathBuf;

use serde::Serialize;

/// Something of the reference implementation that was not adopted. It stays where it is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Skipped {
    /// Its Session id as it stands there, not projected; cut after 256 characters.
    pub session_id: String,
    /// Why it was not adopted.
    pub reason: String,
}

/// What an upgrade would do.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpgradePlan {
    /// Whether there is anything to upgrade.
    pub needed: bool,
    /// The workflow schema that the workspace is at; 0 where there is no workspace yet.
    pub from: u32,
    /// The workflow schema that it would be at.
    pub to: u32,
    /// Events of the removed Task Ledger that would be dropped.
    pub ledger_events: u64,
    /// Sessions that those events belong to.
    pub ledger_sessions: u64,
    /// Sessions that would be adopted.
    pub sessions: u64,
    /// Removed Sessions whose ids would stay taken.
    pub tombstones: u64,
    /// Unfinished copies that would not be adopted.
    pub preparing_copies: u64,
    /// Sessions and tombstones that would not be adopted, see the reasons in the report.
    pub skipped: u64,
    /// Messages that would be adopted.
    pub messages: u64,
    /// Lists of Sessions that would be adopted; they stay byte for byte.
    pub todos: u64,
    /// Lists of removed Sessions and unfinished copies, which would be purged.
    pub purged_todos: u64,
    /// Lists of ids that nobody knows, which would stay.
    pub orphan_todos: u64,
}

/// What an upgrade did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UpgradeReport {
    /// Whether there was anything to upgrade. If not, nothing was written and no backup made.
    pub upgraded: bool,
    /// The workflow schema that the workspace was at; 0 where there is no workspace yet.
    pub from: u32,
    /// The workflow schema that it is at.
    pub to: u32,
    /// The backup that was made before.
    pub backup: Option<PathBuf>,
    /// Events of the removed Task Ledger that were dropped.
    pub ledger_events: u64,
    /// Sessions that those events belonged to.
    pub ledger_sessions: u64,
    /// Sessions that were adopted.
    pub sessions: u64,
    /// Of those, the ones whose metadata is damaged; what was readable of them was adopted.
    pub damaged_sessions: u64,
    /// Removed Sessions whose ids stay taken.
    pub tombstones: u64,
    /// Unfinished copies that were not adopted.
    pub preparing_copies: u64,
    /// How many Sessions and tombstones were not adopted.
    pub skipped: u64,
    /// The first 20 of those.
    pub first_skipped: Vec<Skipped>,
    /// Turns that were adopted.
    pub turns: u64,
    /// Messages that were adopted.
    pub messages: u64,
    /// Of those, the damaged ones, whose record only says so.
    pub damaged_messages: u64,
    /// Lists of adopted Sessions.
    pub todos: u64,
    /// Of those, the ones whose row is damaged; the next `todo_write` replaces it.
    pub damaged_todos: u64,
    /// Lists of removed Sessions and unfinished copies that were purged.
    pub purged_todos: u64,
    /// Lists of ids that nobody knows, which stayed.
    pub orphan_todos: u64,
}

/// How far an upgrade is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UpgradeStep {
    /// The backup is being made.
    BackingUp {
        /// Pages that are copied.
        done: u64,
        /// Pages to copy.
        total: u64,
    },
    /// The removed Task Ledger is being counted and dropped.
    DroppingLedger,
    /// Sessions are being adopted.
    AdoptingSessions,
    /// Messages are being adopted.
    AdoptingMessages {
        /// Messages adopted so far.
        done: u64,
    },
    /// The transaction is being committed.
    Committing,
}

/// The most skipped Sessions that a report names.
const MAX_NAMED: usize = 20;

impl UpgradeReport {
    pub(super) fn skip(&mut self, skipped: Skipped) {
        self.skipped += 1;
        if self.first_skipped.len() < MAX_NAMED {
            self.first_skipped.push(skipped);
        }
    }
}
