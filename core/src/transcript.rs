//! Transcript records: what a Session's transcript holds, as data. Surfaces derive texts from it.
//!
//! A record is stored as a [`RecordKind`] beside one JSON text; the structs here are that text's
//! only shapes. A settled tool result keeps its outcome, never the arguments of the call.

use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::TurnState;
use crate::session_todo::SessionTodo;

/// The name of the tool that replaces a list.
pub const TODO_WRITE: &str = "todo_write";

/// What a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordKind {
    /// What a person wrote; a [`TextRecord`].
    UserText,
    /// What a model wrote; a [`TextRecord`].
    ModelText,
    /// A settled tool call; a [`TodoWriteRecord`].
    ToolResult,
    /// A remark of the program; a [`TextRecord`].
    Note,
    /// A Turn that changed its state; a [`TurnStateRecord`].
    TurnState,
    /// A message of another program that has no kind of its own here; an [`OpaqueRecord`].
    Opaque,
}

impl RecordKind {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::UserText,
        Self::ModelText,
        Self::ToolResult,
        Self::Note,
        Self::TurnState,
        Self::Opaque,
    ];

    /// The word that stands in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::UserText => "user_text",
            Self::ModelText => "model_text",
            Self::ToolResult => "tool_result",
            Self::Note => "note",
            Self::TurnState => "turn_state",
            Self::Opaque => "opaque",
        }
    }

    /// Reads exactly one of the words.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A text that a person, a model or the program wrote: `{"text"}`. Not projected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TextRecord {
    /// The text, as it was written.
    pub text: String,
}

/// A Turn's new state: `{"state"}`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnStateRecord {
    /// The state that the Turn came into.
    pub state: TurnState,
}

/// Another program's message, kept whole: `{"messageType","record"}`.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpaqueRecord {
    /// What the other program calls it.
    pub message_type: String,
    /// Its JSON, byte for byte.
    pub record: Box<RawValue>,
}

/// A settled `todo_write`: `{"tool":"todo_write","ok":true,"items":[…],"droppedUnfinished"}`.
/// The list is the one that was stored, not projected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct TodoWriteRecord {
    /// Always [`TODO_WRITE`].
    pub tool: String,
    /// Whether the call succeeded. Only settled lists are recorded, so always true.
    pub ok: bool,
    /// The list that was stored.
    #[serde(deserialize_with = "valid_items")]
    pub items: SessionTodo,
    /// See [`crate::ports::Replaced::dropped_unfinished`].
    pub dropped_unfinished: Option<u32>,
}

impl TodoWriteRecord {
    /// Encodes the record of a list whose dropped count is not known yet. The list is encoded here,
    /// on the caller's thread, so that the writer only appends the count.
    #[must_use]
    pub fn open(items: &SessionTodo) -> OpenTodoWrite {
        let stored = items.to_record();
        let mut json = String::with_capacity(stored.len() + 64);
        json.push_str(r#"{"tool":"todo_write","ok":true"#);
        // The record and the stored document end alike: `,"items":[…]}`.
        let items_at = stored.find(r#","items":"#).unwrap_or(stored.len());
        json.push_str(stored.get(items_at..stored.len() - 1).unwrap_or_default());
        OpenTodoWrite { stored, json }
    }
}

/// A list encoded once for its two places: see [`TodoWriteRecord::open`].
#[derive(Debug)]
pub struct OpenTodoWrite {
    stored: String,
    json: String,
}

impl OpenTodoWrite {
    /// The document's own record, as [`SessionTodo::to_record`] encodes it.
    #[must_use]
    pub fn stored(&self) -> &str {
        &self.stored
    }

    /// Completes the transcript's record.
    pub fn close(&mut self, dropped_unfinished: Option<u32>) -> &str {
        self.json.push_str(r#","droppedUnfinished":"#);
        match dropped_unfinished {
            Some(count) => self.json.push_str(&count.to_string()),
            None => self.json.push_str("null"),
        }
        self.json.push('}');
        &self.json
    }
}

fn valid_items<'de, D: Deserializer<'de>>(from: D) -> Result<SessionTodo, D::Error> {
    let value = Value::deserialize(from)?;
    SessionTodo::from_value(&value).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::{OpaqueRecord, RecordKind, TODO_WRITE, TodoWriteRecord, TurnStateRecord};
    use crate::TurnState;
    use crate::session_todo::SessionTodo;

    #[test]
    fn a_list_encoded_once_is_the_record_that_serde_writes() {
        for json in ["[]", r#"[{"content":"a \",\"items\": b","status":"in_progress"}]"#] {
            let items = SessionTodo::from_json(json).expect("valid");
            for dropped_unfinished in [None, Some(0), Some(7)] {
                let mut open = TodoWriteRecord::open(&items);
                assert_eq!(open.stored(), items.to_record());
                let record = TodoWriteRecord {
                    tool: TODO_WRITE.to_owned(),
                    ok: true,
                    items: items.clone(),
                    dropped_unfinished,
                };
                let json = open.close(dropped_unfinished);
                assert_eq!(json, serde_json::to_string(&record).expect("encodes"));
                assert_eq!(serde_json::from_str::<TodoWriteRecord>(json).expect("reads"), record);
            }
        }
    }

    #[test]
    fn a_record_with_an_invalid_list_is_refused() {
        let json =
            r#"{"tool":"todo_write","ok":true,"items":[{"content":""}],"droppedUnfinished":0}"#;
        assert!(serde_json::from_str::<TodoWriteRecord>(json).is_err());
    }

    #[test]
    fn shapes_and_words_are_as_documented() {
        for kind in RecordKind::ALL {
            assert_eq!(RecordKind::from_word(kind.as_str()), Some(kind));
            let word = serde_json::to_string(&kind).expect("encodes");
            assert_eq!(word, format!("{:?}", kind.as_str()));
        }
        let state = TurnStateRecord { state: TurnState::Cancelled };
        assert_eq!(serde_json::to_string(&state).expect("encodes"), r#"{"state":"cancelled"}"#);
        let opaque = r#"{"messageType":"x","record":{"b": 1,"a":[ ]}}"#;
        let record: OpaqueRecord = serde_json::from_str(opaque).expect("reads");
        assert_eq!(serde_json::to_string(&record).expect("encodes"), opaque);
    }
}
