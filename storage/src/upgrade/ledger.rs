//! The removed Task Ledger: counted and dropped, never decoded.

use rusqlite::Connection;

use super::foreign;
use crate::OpenError;
use crate::schema::{LEDGER, read_error};

/// What the Task Ledger held.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct LedgerCounts {
    pub(super) events: u64,
    pub(super) sessions: u64,
}

/// Counts the events and their Sessions in one pass over the index of the primary key.
pub(super) fn count(connection: &Connection) -> Result<LedgerCounts, OpenError> {
    let sql = format!(
        "SELECT ifnull(sum(events), 0), count(*)
         FROM (SELECT count(*) AS events FROM {} GROUP BY session_id)",
        LEDGER.name
    );
    connection
        .query_row(&sql, (), |row| {
            Ok(LedgerCounts { events: foreign::count(row, 0)?, sessions: foreign::count(row, 1)? })
        })
        .map_err(read_error)
}
