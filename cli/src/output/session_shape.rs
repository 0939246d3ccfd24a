//! A Session as JSON.

use maka_core::session_todo::display::project;
use maka_core::{Lineage, Session};
use serde::Serialize;

use super::rfc3339;

/// Makes text that somebody else chose safe for a terminal: names, client names.
pub(crate) fn safe(text: &str) -> String {
    project(text).into_owned()
}

/// One Session: the body of `maka.session.v1` and an entry of `maka.sessions.v1`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct SessionJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    session_id: String,
    name: String,
    archived: bool,
    created_at: String,
    revision: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    lineage: Option<Lineage>,
}

impl SessionJson {
    /// An entry of a list, which carries the schema for all.
    pub(crate) fn entry(session: &Session) -> Self {
        Self {
            schema: None,
            session_id: session.session_id.to_string(),
            name: safe(session.name.as_str()),
            archived: session.archived,
            created_at: rfc3339(session.created_at),
            revision: session.revision,
            lineage: session.lineage.clone(),
        }
    }

    /// A Session that stands alone.
    pub(crate) fn alone(session: &Session) -> Self {
        Self { schema: Some("maka.session.v1"), ..Self::entry(session) }
    }
}
