//! One message of the reference implementation as one record of our transcript.

use maka_core::session_todo::replace_unpaired_surrogates;
use maka_core::transcript::{OpaqueRecord, RecordKind, TextRecord, TurnStateRecord};
use maka_core::{TurnId, TurnState};
use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Why the text of a message could not be read. It stays in the tables of the reference
/// implementation; our record says that it is damaged, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Damage {
    /// It is not JSON.
    NotJson,
    /// It is not UTF-8 text.
    NotUtf8,
    /// Its pieces, or the row that describes them, are missing.
    Incomplete,
    /// Its pieces are longer or shorter together than they should be.
    Length,
    /// Its pieces have another digest than they should have.
    Digest,
}

impl Damage {
    const fn word(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotUtf8 => "not_utf8",
            Self::Incomplete => "incomplete",
            Self::Length => "wrong_length",
            Self::Digest => "wrong_digest",
        }
    }
}

/// A record of our transcript.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Converted {
    pub(super) kind: RecordKind,
    pub(super) record_json: String,
    /// The Turn that it belongs to.
    pub(super) turn: Option<TurnId>,
    /// The state that it brought its Turn into.
    pub(super) state: Option<TurnState>,
}

/// What a damaged message leaves in our transcript.
pub(super) fn damaged(message_type: &str, damage: Damage) -> Converted {
    let record = serde_json::json!({ "damaged": damage.word() }).to_string();
    let record = RawValue::from_string(record).unwrap_or_else(|_| RawValue::NULL.to_owned());
    Converted {
        kind: RecordKind::Opaque,
        record_json: encode(&OpaqueRecord { message_type: message_type.to_owned(), record }),
        turn: None,
        state: None,
    }
}

/// Turns a message into a record. What has no kind of its own here is kept whole, to the byte.
///
/// # Errors
/// [`Damage::NotJson`] where the message is not JSON.
pub(super) fn convert(message_type: &str, json: &str) -> Result<Converted, Damage> {
    let message: Value =
        serde_json::from_str(&replace_unpaired_surrogates(json)).unwrap_or_default();
    let word = |member: &str| message.get(member).and_then(Value::as_str);
    let turn = word("turnId").and_then(|turn| TurnId::parse(turn).ok());
    let text = word("text").map(|text| encode(&TextRecord { text: text.to_owned() }));
    let status = word("status").and_then(turn_state);
    let of_known_kind = match (message_type, text, status) {
        ("user", Some(text), _) => Some((RecordKind::UserText, text)),
        ("assistant", Some(text), _) => Some((RecordKind::ModelText, text)),
        ("system_note" | "note", Some(text), _) => Some((RecordKind::Note, text)),
        ("turn_state", _, Some(state)) if turn.is_some() => {
            Some((RecordKind::TurnState, encode(&TurnStateRecord { state })))
        }
        _ => None,
    };
    let (kind, record_json) = match of_known_kind {
        Some(known) => known,
        None => (RecordKind::Opaque, opaque(message_type, json)?),
    };
    // No Turn runs any more, and what an unknown status means nobody can tell.
    let state = match status {
        None | Some(TurnState::Running) => TurnState::Interrupted,
        Some(settled) => settled,
    };
    let state = (message_type == "turn_state").then_some(state);
    Ok(Converted { kind, record_json, turn, state })
}

fn opaque(message_type: &str, json: &str) -> Result<String, Damage> {
    let record = RawValue::from_string(json.to_owned()).map_err(|_| Damage::NotJson)?;
    Ok(encode(&OpaqueRecord { message_type: message_type.to_owned(), record }))
}

fn turn_state(status: &str) -> Option<TurnState> {
    match status {
        "running" => Some(TurnState::Running),
        "completed" => Some(TurnState::Committed),
        "failed" => Some(TurnState::Failed),
        "aborted" => Some(TurnState::Cancelled),
        _ => None,
    }
}

fn encode(record: &impl Serialize) -> String {
    // Strings and valid JSON always encode.
    serde_json::to_string(record).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use maka_core::TurnState;
    use maka_core::transcript::RecordKind;

    use super::{Damage, convert, damaged};

    #[test]
    fn texts_and_states_get_kinds_of_their_own() {
        let user = convert("user", r#"{"turnId":"t","text":"a \ud800\n","more":1}"#).expect("JSON");
        assert_eq!(user.kind, RecordKind::UserText);
        assert_eq!(user.record_json, "{\"text\":\"a \u{fffd}\\n\"}");
        assert_eq!(user.turn.expect("a Turn").as_str(), "t");
        let kinds = [
            ("assistant", r#"{"text":"x"}"#, RecordKind::ModelText),
            ("system_note", r#"{"text":"x"}"#, RecordKind::Note),
            ("system_note", r#"{"kind":"session_resume"}"#, RecordKind::Opaque),
            ("tool_call", r#"{"text":"x"}"#, RecordKind::Opaque),
            ("assistant", r#"{"text":["x"]}"#, RecordKind::Opaque),
            ("turn_state", r#"{"status":"running"}"#, RecordKind::Opaque),
        ];
        for (message_type, json, kind) in kinds {
            assert_eq!(convert(message_type, json).expect("JSON").kind, kind, "{json}");
        }
    }

    #[test]
    fn a_status_becomes_a_state_and_an_unsettled_turn_was_interrupted() {
        let states = [
            ("completed", TurnState::Committed, r#"{"state":"committed"}"#),
            ("failed", TurnState::Failed, r#"{"state":"failed"}"#),
            ("aborted", TurnState::Cancelled, r#"{"state":"cancelled"}"#),
            ("running", TurnState::Interrupted, r#"{"state":"running"}"#),
        ];
        for (status, state, record) in states {
            let json = format!(r#"{{"turnId":"t","status":"{status}"}}"#);
            let converted = convert("turn_state", &json).expect("JSON");
            assert_eq!((converted.state, converted.record_json.as_str()), (Some(state), record));
        }
        let unknown = convert("turn_state", r#"{"turnId":"t","status":"waiting"}"#).expect("JSON");
        assert_eq!(unknown.kind, RecordKind::Opaque);
        assert_eq!(unknown.state, Some(TurnState::Interrupted));
    }

    #[test]
    fn an_unknown_message_is_kept_to_the_byte_and_a_damaged_one_says_so() {
        let json = r#"{"b": 1e2, "a":"\ud800", "b": 2}"#;
        let kept = convert("tool_call", json).expect("JSON").record_json;
        assert_eq!(kept, format!(r#"{{"messageType":"tool_call","record":{json}}}"#));
        assert_eq!(convert("tool_call", "{"), Err(Damage::NotJson));
        let said = damaged("assistant", Damage::Digest);
        assert_eq!(
            said.record_json,
            r#"{"messageType":"assistant","record":{"damaged":"wrong_digest"}}"#
        );
    }
}
