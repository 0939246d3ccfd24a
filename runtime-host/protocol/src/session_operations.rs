//! Inputs and results of the operations on Sessions.

use maka_core::{PageRequest, Session, SessionId};
use serde::{Deserialize, Serialize};

/// `session.list`. The page's members stand beside `includeArchived`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionListInput {
    /// Opaque, from the page before.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cursor: Option<String>,
    /// Entries a page, 1 to 500; absent means 100.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<u32>,
    /// Whether archived Sessions are listed too.
    #[serde(default)]
    pub include_archived: bool,
}

impl SessionListInput {
    /// The page that is asked for.
    #[must_use]
    pub fn page(&self) -> PageRequest {
        PageRequest { cursor: self.cursor.clone(), limit: self.limit }
    }
}

/// `session.list`'s page, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionListResult {
    /// The Sessions.
    pub sessions: Vec<Session>,
    /// Continues after the last one; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_cursor: Option<String>,
}

/// `session.get`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionGetInput {
    /// The Session.
    pub session_id: SessionId,
}

/// One Session: the result of `session.get`, `session.create` and `session.rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionResult {
    /// The Session.
    pub session: Session,
}

/// `session.create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionCreateInput {
    /// Its name; the Host normalizes and checks it.
    pub name: String,
    /// The id that it shall have; absent lets the Host choose.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session_id: Option<SessionId>,
}

/// `session.open_by_name`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionOpenByNameInput {
    /// The exact name, after normalization.
    pub name: String,
}

/// What `session.open_by_name` found or made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionOpenByNameResult {
    /// The Session.
    pub session: Session,
    /// Whether it was created now.
    pub created: bool,
}

/// `session.rename`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionRenameInput {
    /// The Session.
    pub session_id: SessionId,
    /// Its new name; the Host normalizes and checks it.
    pub name: String,
}
