//! Reads a record in the form in which it is written here, in one pass and without a tree of JSON
//! values in between. Every other record, a damaged one too, is left to the full validation, which
//! alone decides what is wrong.

use std::borrow::Cow;

use serde::Deserialize;

use super::document::{
    MAX_CODE_POINTS, MAX_DOCUMENT_BYTES, MAX_ITEMS, SessionTodo, TodoItem, TodoStatus,
};
use super::normalize;

/// No normalization makes text as much longer as this leaves room for, so a record up to here is
/// within the document's bytes.
const MAX_BYTES: usize = MAX_DOCUMENT_BYTES / 4;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Record<'a> {
    schema_version: u32,
    #[serde(borrow)]
    items: Vec<Item<'a>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item<'a> {
    #[serde(borrow)]
    content: Cow<'a, str>,
    status: TodoStatus,
}

/// The list of a record that is plainly valid; `None` says nothing but that it is not plainly so.
pub(super) fn read(record: &str, schema_version: u32) -> Option<SessionTodo> {
    if record.len() > MAX_BYTES {
        return None;
    }
    let record: Record<'_> = serde_json::from_str(record).ok()?;
    if record.schema_version != schema_version || record.items.len() > MAX_ITEMS {
        return None;
    }
    let items = record.items.into_iter().map(item).collect::<Option<Vec<_>>>()?;
    Some(SessionTodo::from_items(items))
}

fn item(item: Item<'_>) -> Option<TodoItem> {
    let content = match normalize(&item.content) {
        Cow::Borrowed(_) => None,
        Cow::Owned(changed) => Some(changed),
    };
    let content = content.unwrap_or_else(|| item.content.into_owned());
    // Text has at most as many code points as bytes.
    let fits = content.len() <= MAX_CODE_POINTS || content.chars().count() <= MAX_CODE_POINTS;
    (fits && !content.is_empty()).then(|| TodoItem::new(content, item.status))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::session_todo::SessionTodo;

    fn record(items: &str) -> String {
        format!(r#"{{"schemaVersion":1,"items":[{items}]}}"#)
    }

    #[test]
    fn a_record_as_we_write_it_reads_as_the_full_validation_reads_it() {
        for items in [
            "",
            r#"{"content":"a \"b\" \\ é","status":"in_progress"}"#,
            r#"{"status":"completed","content":"  two \n words "}"#,
            r#"{"content":"e\u0301","status":"pending"},{"content":"x","status":"pending"}"#,
        ] {
            let record = record(items);
            let value: serde_json::Value = serde_json::from_str(&record).expect("JSON");
            let full = SessionTodo::from_value(&value["items"]).expect("valid");
            assert_eq!(read(&record, 1), Some(full), "{record}");
        }
    }

    #[test]
    fn whatever_is_not_plainly_valid_is_left_to_the_full_validation() {
        let long = format!(r#"{{"content":"{}","status":"pending"}}"#, "é".repeat(201));
        let many = vec![r#"{"content":"x","status":"pending"}"#; 201].join(",");
        for items in [
            long.as_str(),
            many.as_str(),
            r#"{"content":" ","status":"pending"}"#,
            r#"{"content":"x","status":"blocked"}"#,
            r#"{"content":"x","status":"pending","id":1}"#,
            r#"{"content":"x","content":"y","status":"pending"}"#,
            r#"{"content":"\ud800","status":"pending"}"#,
            r#"{"content":7,"status":"pending"}"#,
        ] {
            assert_eq!(read(&record(items), 1), None, "{items}");
        }
        assert_eq!(read(r#"{"schemaVersion":2,"items":[]}"#, 1), None);
        assert_eq!(read(r#"{"schemaVersion":1.0,"items":[]}"#, 1), None);
        assert!(SessionTodo::from_record(r#"{"schemaVersion":1.0,"items":[]}"#).is_ok());
    }
}
