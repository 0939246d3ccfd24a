//! Turn facts.

use serde::{Deserialize, Serialize};

use crate::{ClientName, Timestamp, TurnId};

/// The state of a Turn. It leaves `Running` once and never changes again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TurnState {
    /// A model is working in it.
    Running,
    /// It ended as it should.
    Committed,
    /// It ended with an error.
    Failed,
    /// A person stopped it.
    Cancelled,
    /// The Host went away under it.
    Interrupted,
}

/// The Turn that a tool call over a model connection leaves behind: committed from the start,
/// written in the same transaction as the list it settles.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolTurn {
    /// Its id, not used before in the Session.
    pub turn_id: TurnId,
    /// The program that made the call.
    pub client: ClientName,
    /// When the call was admitted.
    pub at: Timestamp,
}
