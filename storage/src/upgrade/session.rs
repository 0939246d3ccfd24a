//! One Session of the reference implementation. Its payload is authoritative; the columns beside
//! it fill in where the payload is damaged.

use maka_core::session_todo::replace_unpaired_surrogates;
use maka_core::{CopyKind, Lineage, SessionId, TurnId};
use serde_json::Value;

/// The row of `session_metadata` as it was read.
#[derive(Debug, Default)]
pub(super) struct MetadataRow {
    pub(super) payload: Option<String>,
    pub(super) archived: Option<i64>,
    pub(super) created_at: Option<i64>,
    pub(super) version: Option<i64>,
}

/// What becomes of a Session.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Fate {
    /// It is adopted.
    Adopted(AdoptedSession),
    /// It is a copy that was never finished.
    Preparing,
}

/// What is adopted of a Session.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AdoptedSession {
    pub(super) name: String,
    pub(super) created_at: i64,
    pub(super) archived: bool,
    pub(super) revision: i64,
    pub(super) lineage: Option<Lineage>,
    /// Whether its payload could not be read.
    pub(super) damaged: bool,
}

impl MetadataRow {
    /// Decides about the Session `id`.
    pub(super) fn decide(&self, id: &SessionId) -> Fate {
        let payload = self.payload.as_deref().map(replace_unpaired_surrogates);
        let payload = payload.and_then(|json| serde_json::from_str::<Value>(&json).ok());
        let payload = payload.filter(Value::is_object);
        let damaged = payload.is_none();
        let payload = payload.unwrap_or_default();
        if payload.pointer("/conversationCopy/state").and_then(Value::as_str) == Some("preparing") {
            return Fate::Preparing;
        }
        // A Session must be called something to be found in a list.
        let name = payload.get("name").and_then(Value::as_str).filter(|name| !name.is_empty());
        let archived = payload.get("isArchived").and_then(Value::as_bool);
        let created_at = payload.get("createdAt").and_then(Value::as_i64);
        Fate::Adopted(AdoptedSession {
            name: name.unwrap_or(id.as_str()).to_owned(),
            created_at: created_at.or(self.created_at).unwrap_or(0),
            archived: archived.unwrap_or(self.archived == Some(1)),
            revision: self.version.unwrap_or(1).max(1),
            lineage: lineage(&payload, id),
            damaged,
        })
    }
}

/// Where the Session came from. A root of a revision family names itself as the root and came
/// from nowhere.
fn lineage(payload: &Value, own: &SessionId) -> Option<Lineage> {
    let session = |pointer: &str| {
        let id = payload.pointer(pointer)?.as_str()?;
        SessionId::parse(id).ok().filter(|id| id != own)
    };
    let branch_of_turn_id = payload
        .get("branchOfTurnId")
        .and_then(Value::as_str)
        .and_then(|turn| TurnId::parse(turn).ok());
    let plain = |kind, parent_session_id, branch_of_turn_id| Lineage {
        kind,
        parent_session_id,
        branch_of_turn_id,
        revision_root_session_id: None,
        revision_index: None,
    };
    let spawner = ["/subagentParent/parentSessionId", "/subagentParent/sessionId"]
        .into_iter()
        .chain(["/subagentParentSessionId", "/subagent/parentSessionId"])
        .find_map(session);
    if let Some(parent) = spawner {
        return Some(plain(CopyKind::ChildAgent, parent, None));
    }
    let parent = session("/parentSessionId");
    if let Some(root) = session("/revisionRootSessionId") {
        let index = payload.get("revisionIndex").and_then(Value::as_u64);
        return Some(Lineage {
            kind: CopyKind::Revision,
            parent_session_id: parent.unwrap_or_else(|| root.clone()),
            branch_of_turn_id,
            revision_root_session_id: Some(root),
            revision_index: index.and_then(|index| u32::try_from(index).ok()),
        });
    }
    let intent = ["/conversationCopy/intent", "/conversationCopy/kind"]
        .into_iter()
        .find_map(|pointer| payload.pointer(pointer)?.as_str());
    // An ordinary branch always names the Turn it was cut at; only a side conversation may not.
    let kind = if intent == Some("side_conversation") || branch_of_turn_id.is_none() {
        CopyKind::SideConversation
    } else {
        CopyKind::Branch
    };
    parent.map(|parent| plain(kind, parent, branch_of_turn_id))
}

#[cfg(test)]
mod tests {
    use maka_core::{CopyKind, SessionId};

    use super::{AdoptedSession, Fate, MetadataRow};

    fn decide(payload: &str) -> Fate {
        let row = MetadataRow {
            payload: Some(payload.to_owned()),
            archived: Some(1),
            created_at: Some(7),
            version: Some(4),
        };
        row.decide(&SessionId::parse("own").expect("valid"))
    }

    fn adopted(payload: &str) -> AdoptedSession {
        match decide(payload) {
            Fate::Adopted(session) => session,
            Fate::Preparing => panic!("{payload} is adopted"),
        }
    }

    #[test]
    fn the_payload_outranks_the_columns_and_the_columns_fill_in() {
        let session = adopted(r#"{"name":"a \ud800","isArchived":false,"createdAt":5}"#);
        assert_eq!((session.name.as_str(), session.archived), ("a \u{fffd}", false));
        assert_eq!((session.created_at, session.revision, session.damaged), (5, 4, false));
        for damaged in ["{", "[]", ""] {
            let session = adopted(damaged);
            assert_eq!((session.name.as_str(), session.archived), ("own", true));
            assert_eq!((session.created_at, session.damaged), (7, true));
        }
    }

    #[test]
    fn a_preparing_copy_is_not_adopted_and_a_committed_one_is() {
        assert_eq!(decide(r#"{"conversationCopy":{"state":"preparing"}}"#), Fate::Preparing);
        assert!(!adopted(r#"{"conversationCopy":{"state":"committed"}}"#).damaged);
    }

    #[test]
    fn lineage_tells_branches_side_conversations_revisions_and_child_agents_apart() {
        let kind = |payload: &str| adopted(payload).lineage.map(|lineage| lineage.kind);
        let branch = r#"{"parentSessionId":"p","branchOfTurnId":"t"}"#;
        assert_eq!(kind(branch), Some(CopyKind::Branch));
        assert_eq!(kind(r#"{"parentSessionId":"p"}"#), Some(CopyKind::SideConversation));
        let side = r#"{"parentSessionId":"p","branchOfTurnId":"t",
                       "conversationCopy":{"intent":"side_conversation","state":"committed"}}"#;
        assert_eq!(kind(side), Some(CopyKind::SideConversation));
        let child = r#"{"parentSessionId":"p","subagentParent":{"parentSessionId":"q"}}"#;
        assert_eq!(kind(child), Some(CopyKind::ChildAgent));
        assert_eq!(kind(r#"{"revisionRootSessionId":"own","revisionIndex":1}"#), None);
        assert_eq!(kind(r#"{"parentSessionId":"not an id"}"#), None);

        let revision = r#"{"parentSessionId":"p","revisionRootSessionId":"r","revisionIndex":3}"#;
        let lineage = adopted(revision).lineage.expect("a revision");
        assert_eq!(lineage.kind, CopyKind::Revision);
        assert_eq!(lineage.parent_session_id.as_str(), "p");
        assert_eq!(lineage.revision_root_session_id.expect("its root").as_str(), "r");
        assert_eq!(lineage.revision_index, Some(3));
    }
}
