//! The Turns of adopted Sessions. The reference implementation has no table of them: they are
//! read off the messages, in the order in which they first appear.

use maka_core::{SessionId, TurnId, TurnState};
use rusqlite::{Connection, Statement};

/// Writes the Turns of one Session after another.
#[derive(Debug)]
pub(super) struct Turns<'c> {
    insert: Statement<'c>,
    settle: Statement<'c>,
    ordinal: i64,
    last: Option<TurnId>,
    total: u64,
}

impl<'c> Turns<'c> {
    pub(super) fn new(connection: &'c Connection) -> rusqlite::Result<Self> {
        // A Turn of which no message tells how it ended counts as interrupted.
        let insert = connection.prepare(
            "INSERT INTO maka_turns (session_id, ordinal, turn_id, state, started_at, settled_at)
             VALUES (?1, ?2, ?3, 'interrupted', ?4, ?4)
             ON CONFLICT (session_id, turn_id) DO NOTHING",
        )?;
        let settle = connection.prepare(
            "UPDATE maka_turns SET state = ?3, settled_at = ?4
             WHERE session_id = ?1 AND turn_id = ?2",
        )?;
        Ok(Self { insert, settle, ordinal: 1, last: None, total: 0 })
    }

    /// Starts with the next Session.
    pub(super) fn start_session(&mut self) {
        self.ordinal = 1;
        self.last = None;
    }

    /// Takes note of a message of a Turn, and of the state it brought the Turn into.
    pub(super) fn note(
        &mut self,
        session: &SessionId,
        turn: &TurnId,
        state: Option<TurnState>,
        at: i64,
    ) -> rusqlite::Result<()> {
        if self.last.as_ref() != Some(turn) {
            let key = (session.as_str(), self.ordinal, turn.as_str(), at);
            if self.insert.execute(key)? == 1 {
                self.ordinal += 1;
                self.total += 1;
            }
            self.last = Some(turn.clone());
        }
        if let Some(state) = state {
            self.settle.execute((session.as_str(), turn.as_str(), word(state), at))?;
        }
        Ok(())
    }

    /// How many Turns were written.
    pub(super) fn total(&self) -> u64 {
        self.total
    }
}

const fn word(state: TurnState) -> &'static str {
    match state {
        TurnState::Running => "running",
        TurnState::Committed => "committed",
        TurnState::Failed => "failed",
        TurnState::Cancelled => "cancelled",
        TurnState::Interrupted => "interrupted",
    }
}
