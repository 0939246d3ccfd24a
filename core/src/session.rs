//! Session facts: what a Session is called, whether it is there, and where it came from.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::session_todo::normalize;
use crate::{SessionId, Timestamp, TurnId};

/// The longest Session name, in Unicode code points after normalization.
const MAX_NAME_CODE_POINTS: usize = 200;

/// A Session's name: one line of 1 to 200 code points, in NFC, with white space collapsed.
///
/// Names need not be unique. The stored text is not rewritten for display; a surface projects it.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SessionName(String);

/// Says why a Session name was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NameFault {
    /// Nothing is left after white space is trimmed.
    #[error("the Session name is empty: give at least one visible character")]
    Empty,
    /// More than 200 code points are left.
    #[error("the Session name has {found} code points: use at most {MAX_NAME_CODE_POINTS}")]
    TooLong {
        /// Code points after normalization.
        found: usize,
    },
}

impl SessionName {
    /// Normalizes and checks a name that a person or a program gave.
    ///
    /// # Errors
    /// [`NameFault`] when the name is empty or over 200 code points.
    pub fn parse(text: &str) -> Result<Self, NameFault> {
        let text = normalize(text).into_owned();
        match text.chars().count() {
            0 => Err(NameFault::Empty),
            found if found > MAX_NAME_CODE_POINTS => Err(NameFault::TooLong { found }),
            _ => Ok(Self(text)),
        }
    }

    /// Takes a name out of the database as it stands. Names adopted from another program's
    /// workspace may break our bounds, and are kept.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }

    /// The stored text, not projected.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for SessionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

/// How a copied Session was made from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CopyKind {
    /// An ordinary branch.
    Branch,
    /// A conversation beside its parent, which never takes the parent's list.
    SideConversation,
    /// A revision: belongs to its root's family.
    Revision,
    /// A Session that a parent's Turn spawned for a child agent.
    ChildAgent,
}

/// Where a copied Session came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Lineage {
    /// How it was made.
    pub kind: CopyKind,
    /// The Session it was made from.
    pub parent_session_id: SessionId,
    /// The last Turn the copy kept, where one was named.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub branch_of_turn_id: Option<TurnId>,
    /// The root of the revision family, on revisions only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revision_root_session_id: Option<SessionId>,
    /// The place in the revision family, counted from the root's 1, on revisions only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub revision_index: Option<u32>,
}

/// A Session that is present.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Its id, never used again once removed.
    pub session_id: SessionId,
    /// Its name, not projected.
    pub name: SessionName,
    /// Whether it is archived. An archived Session is still present.
    pub archived: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// Counts the changes to these facts, from 1.
    pub revision: u64,
    /// Where it came from, on copies only.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub lineage: Option<Lineage>,
}

/// What a new Session starts with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its id.
    pub session_id: SessionId,
    /// Its name.
    pub name: SessionName,
    /// The moment of creation.
    pub created_at: Timestamp,
}

/// Whether a Session id stands for a Session now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Presence {
    /// There is such a Session, archived or not.
    Present,
    /// There was one; its id never comes back.
    Removed,
    /// There is none. A copy that is still being prepared counts as absent.
    Absent,
}

/// Asks for one page of a list. A cursor is opaque and comes from the page before; any other is
/// [`crate::StoreError::InvalidCursor`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PageRequest {
    /// `None` starts at the first page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub cursor: Option<String>,
    /// Entries a page, 1 to 500 (a store takes the nearest); `None` means 100.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<u32>,
}

/// One page of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T> {
    /// The entries, newest first.
    pub entries: Vec<T>,
    /// Continues after the last entry; `None` on the last page.
    pub next_cursor: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::{NameFault, SessionName};

    #[test]
    fn a_name_is_normalized_and_bounded() {
        assert_eq!(
            SessionName::parse("  fix \n it ").map(|n| n.as_str().to_owned()),
            Ok("fix it".to_owned())
        );
        assert_eq!(SessionName::parse(" \u{feff} "), Err(NameFault::Empty));
        assert_eq!(SessionName::parse(&"x".repeat(201)), Err(NameFault::TooLong { found: 201 }));
        assert!(SessionName::parse(&"é".repeat(200)).is_ok());
    }
}
