//! Validation of a whole list, in the one order of checks that messages and cases rely on.

use serde_json::{Map, Value};

use super::document::{
    MAX_CODE_POINTS, MAX_DOCUMENT_BYTES, MAX_ITEMS, SessionTodo, TodoItem, TodoStatus,
};
use super::fault::{DocumentFault, JsonKind};
use super::{normalize, surrogate};

impl SessionTodo {
    /// Validates a list given as JSON text: at most 200 items, each exactly `content` (1 to 200
    /// code points after normalization) and `status`, at most 262,144 bytes encoded. Nothing is
    /// truncated or repaired. Of a repeated member the last one counts, as in ECMAScript.
    ///
    /// # Errors
    /// The first [`DocumentFault`] in the order of its variants.
    pub fn from_json(json: &str) -> Result<Self, DocumentFault> {
        if surrogate::first_unpaired(json).is_some() {
            return Err(DocumentFault::UnpairedSurrogate);
        }
        let value: Value = serde_json::from_str(json).map_err(|fault| {
            DocumentFault::InvalidJson { line: fault.line(), column: fault.column() }
        })?;
        Self::from_value(&value)
    }

    /// Validates a list given as a parsed JSON value. See [`SessionTodo::from_json`].
    ///
    /// # Errors
    /// The first [`DocumentFault`] in the order of its variants.
    pub fn from_value(value: &Value) -> Result<Self, DocumentFault> {
        let Value::Array(values) = value else {
            return Err(DocumentFault::NotArray { found: JsonKind::of(value) });
        };
        if values.len() > MAX_ITEMS {
            return Err(DocumentFault::TooManyItems { found: values.len() });
        }
        let items = values
            .iter()
            .enumerate()
            .map(|(index, value)| item(index + 1, value))
            .collect::<Result<Vec<_>, _>>()?;
        Self::from_items(items).within(MAX_DOCUMENT_BYTES)
    }

    /// The list, if its record takes at most `bytes`.
    fn within(self, bytes: usize) -> Result<Self, DocumentFault> {
        match self.record_len() {
            found if found > bytes => Err(DocumentFault::DocumentTooLarge { found }),
            _ => Ok(self),
        }
    }
}

fn item(number: usize, value: &Value) -> Result<TodoItem, DocumentFault> {
    let Value::Object(members) = value else {
        return Err(DocumentFault::ItemNotObject { item: number, found: JsonKind::of(value) });
    };
    let (Some(content), Some(status), 2) =
        (members.get("content"), members.get("status"), members.len())
    else {
        return Err(wrong_fields(number, members));
    };
    let Value::String(content) = content else {
        return Err(DocumentFault::ContentNotString { item: number, found: JsonKind::of(content) });
    };
    let content = normalize(content);
    match content.chars().count() {
        0 => return Err(DocumentFault::ContentEmpty { item: number }),
        found if found > MAX_CODE_POINTS => {
            return Err(DocumentFault::ContentTooLong { item: number, found });
        }
        _ => {}
    }
    let Value::String(word) = status else {
        return Err(DocumentFault::StatusInvalid { item: number, meant: None });
    };
    let status = TodoStatus::from_word(word)
        .ok_or_else(|| DocumentFault::StatusInvalid { item: number, meant: probably(word) })?;
    Ok(TodoItem::new(content.into_owned(), status))
}

/// The most extra members that a message names.
const NAMED_EXTRAS: usize = 5;

fn wrong_fields(item: usize, members: &Map<String, Value>) -> DocumentFault {
    let missing =
        ["content", "status"].into_iter().filter(|name| !members.contains_key(*name)).collect();
    let unknown: Vec<&String> =
        members.keys().filter(|name| *name != "content" && *name != "status").collect();
    let extra: Vec<String> = unknown
        .iter()
        .filter(|name| is_plain_name(name))
        .take(NAMED_EXTRAS)
        .map(|name| (*name).clone())
        .collect();
    let unnamed_extra = extra.len() < unknown.len();
    DocumentFault::ItemFields { item, missing, extra, unnamed_extra }
}

/// Whether a member name can stand in a message: content put in a name must not come back.
fn is_plain_name(name: &str) -> bool {
    (1..=24).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// The status that a model probably meant by another word, for the message only.
fn probably(word: &str) -> Option<TodoStatus> {
    let word = word.trim().to_ascii_lowercase().replace(['-', ' '], "_");
    match word.as_str() {
        "todo" | "open" | "not_started" | "pending" => Some(TodoStatus::Pending),
        "inprogress" | "doing" | "active" | "started" | "in_progress" => {
            Some(TodoStatus::InProgress)
        }
        "done" | "complete" | "finished" | "completed" => Some(TodoStatus::Completed),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentFault, SessionTodo};

    fn message(json: &str) -> String {
        SessionTodo::from_json(json).expect_err("the list is invalid").to_string()
    }

    #[test]
    fn messages_name_what_to_change() {
        assert!(message(r#""[]""#).contains("not a string that holds JSON"));
        assert!(message(r#"{"content":"x","status":"pending"}"#).contains("even for one item"));
        let extra = message(r#"[{"content":"x","status":"pending","id":1,"activeForm":"y"}]"#);
        assert!(
            extra.contains("item 1") && extra.contains(r#"remove "activeForm", "id""#),
            "{extra}"
        );
        assert!(message(r#"[{"content":"x"}]"#).contains(r#"add "status""#));
        assert!(
            message(r#"[{"content":"x","status":"done"}]"#)
                .contains(r#"did you mean "completed"?"#)
        );
        assert!(
            message(r#"[{"content":"x","status":"PENDING"}]"#)
                .contains(r#"did you mean "pending"?"#)
        );
        assert!(message("[{]").contains("line 1, column 3"));
    }

    /// No list within the other bounds is too large, so the guard is asked directly.
    #[test]
    fn the_guard_counts_the_bytes_of_the_record() {
        let todo = SessionTodo::from_json(r#"[{"content":"é\u0001","status":"pending"}]"#);
        let todo = todo.expect("valid");
        let bytes = todo.to_record().len();
        assert_eq!(todo.clone().within(bytes), Ok(todo.clone()));
        let fault = todo.within(bytes - 1).expect_err("one byte too many");
        assert_eq!(fault, DocumentFault::DocumentTooLarge { found: bytes });
        assert_eq!((fault.rule(), fault.item()), ("document_too_large", None));
        assert!(fault.to_string().contains("262144"), "{fault}");
    }

    #[test]
    fn messages_never_repeat_content() {
        let long = "s3cr3t".repeat(50);
        for json in [
            format!(r#"[{{"content":"{long}","status":"pending"}}]"#),
            format!(r#"[{{"content":"x","status":"{long}"}}]"#),
            format!(r#"[{{"content":"x","status":"pending","{long}":1}}]"#),
            format!(r#"[{{"content":["{long}"],"status":"pending"}}]"#),
            format!(r#""{long}""#),
        ] {
            let text = message(&json);
            assert!(!text.contains("s3cr3t"), "{text}");
        }
    }
}
