//! The shapes of our tables and of the tables that the upgrade drops, as they were released.

use std::sync::OnceLock;

use super::ddl::{self, Token};

/// The workflow schema version that this program reads and writes.
pub const WORKFLOW_VERSION: u32 = 12;
/// The version of our own scope, `maka`.
pub(crate) const MAKA_VERSION: u32 = 1;
/// The script of the tables of our own scope.
pub(super) const OWN_TABLES: &str = include_str!("own_tables.sql");

/// A table that programs before this one have made.
#[derive(Debug)]
pub(crate) struct Released {
    /// Its exact name, in lower case.
    pub(crate) name: &'static str,
    /// The statement that makes it.
    pub(crate) ddl: &'static str,
    /// The workflow versions, both included, at which it must be there.
    pub(super) required: std::ops::RangeInclusive<u32>,
    /// Whether the upgrade drops it.
    pub(crate) dropped: bool,
}

/// The registry of versions.
pub(crate) const REGISTRY: Released = Released {
    name: "operational_schema_migrations",
    ddl: "CREATE TABLE operational_schema_migrations (
      scope TEXT PRIMARY KEY,
      version INTEGER NOT NULL CHECK (version >= 0),
      applied_at INTEGER NOT NULL CHECK (applied_at >= 0)
    )",
    required: 0..=WORKFLOW_VERSION,
    dropped: false,
};

/// The Todo documents.
pub(crate) const TODO: Released = Released {
    name: "workflow_session_todo_documents",
    ddl: "CREATE TABLE workflow_session_todo_documents (
      session_id TEXT PRIMARY KEY,
      record_json TEXT NOT NULL
    )",
    required: 11..=WORKFLOW_VERSION,
    dropped: false,
};

/// The events of the removed Task Ledger.
pub(crate) const LEDGER: Released = Released {
    name: "workflow_task_ledger_events",
    ddl: "CREATE TABLE workflow_task_ledger_events (
      session_id TEXT NOT NULL,
      sequence INTEGER NOT NULL CHECK (sequence >= 0),
      event_id TEXT NOT NULL,
      record_json TEXT NOT NULL,
      PRIMARY KEY (session_id, sequence),
      UNIQUE (session_id, event_id)
    )",
    required: 9..=11,
    dropped: true,
};

/// What was derived from the Task Ledger.
pub(crate) const TASK_PROJECTIONS: Released = Released {
    name: "workflow_task_ledger_projections",
    ddl: "CREATE TABLE workflow_task_ledger_projections (
      session_id TEXT PRIMARY KEY,
      record_json TEXT NOT NULL
    )",
    required: 9..=9,
    dropped: true,
};

/// What was derived from the plan events, which themselves stay.
pub(crate) const PLAN_PROJECTIONS: Released = Released {
    name: "workflow_plan_projections",
    ddl: "CREATE TABLE workflow_plan_projections (
      session_id TEXT PRIMARY KEY,
      store_version INTEGER NOT NULL CHECK (store_version >= 0),
      record_json TEXT NOT NULL
    )",
    required: 9..=9,
    dropped: true,
};

/// All of them.
pub(super) const RELEASED: [&Released; 5] =
    [&REGISTRY, &TODO, &LEDGER, &TASK_PROJECTIONS, &PLAN_PROJECTIONS];

/// A table or index of our own scope.
#[derive(Debug)]
pub(super) struct OwnObject {
    /// Its exact name, in lower case.
    pub(super) name: String,
    /// The tokens of the statement that makes it.
    pub(super) tokens: Vec<Token>,
}

/// The tables and indices of our own scope.
pub(super) fn own_objects() -> &'static [OwnObject] {
    static OBJECTS: OnceLock<Vec<OwnObject>> = OnceLock::new();
    OBJECTS.get_or_init(|| {
        ddl::statements(OWN_TABLES)
            .into_iter()
            .filter_map(|tokens| match tokens.get(2) {
                Some(Token::Word(name)) => Some(OwnObject { name: name.clone(), tokens }),
                _ => None,
            })
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::own_objects;

    #[test]
    fn the_own_tables_and_indices_are_found_in_their_script() {
        let names: Vec<_> = own_objects().iter().map(|object| object.name.as_str()).collect();
        assert_eq!(
            names,
            [
                "maka_sessions",
                "maka_sessions_newest",
                "maka_sessions_by_name",
                "maka_sessions_by_family",
                "maka_session_tombstones",
                "maka_todo_counts",
                "maka_todo_counts_unfinished",
                "maka_turns",
                "maka_records",
            ]
        );
    }
}
