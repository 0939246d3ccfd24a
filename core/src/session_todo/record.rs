//! The stored record: `{"schemaVersion":1,"items":[{"content":…,"status":…}]}`, written in exactly
//! this member order and read in any.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::document::{SessionTodo, TodoItem};
use super::fault::DocumentFault;
use super::{canonical, surrogate};

const SCHEMA_VERSION: u32 = 1;

/// What is wrong with a stored record. None of it repeats content.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// It is not JSON.
    #[error("the record is not valid JSON")]
    NotJson,
    /// It is not an object with `schemaVersion` and `items`.
    #[error("the record is not an object of \"schemaVersion\" and \"items\"")]
    Shape,
    /// It is of a version that this program does not know.
    #[error("the record has an unsupported schema version")]
    UnsupportedVersion,
    /// Its items break the document's rules.
    #[error("the record breaks the document's rules")]
    Document(#[source] DocumentFault),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RecordOut<'a> {
    schema_version: u32,
    items: &'a [TodoItem],
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct RecordIn {
    schema_version: Value,
    items: Value,
}

/// Counts the bytes that a serializer writes.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl SessionTodo {
    /// Encodes the record that is stored.
    #[must_use]
    pub fn to_record(&self) -> String {
        let mut out = Vec::with_capacity(64 + self.items().len() * 64);
        self.encode(&mut out);
        // serde_json writes UTF-8 only.
        String::from_utf8(out).unwrap_or_default()
    }

    /// The bytes that [`SessionTodo::to_record`] would return.
    #[must_use]
    pub fn record_len(&self) -> usize {
        let mut counter = Counter(0);
        self.encode(&mut counter);
        counter.0
    }

    fn encode(&self, out: impl std::io::Write) {
        let record = RecordOut { schema_version: SCHEMA_VERSION, items: self.items() };
        // Neither writer above fails, and the record has no map with other than string keys.
        let written = serde_json::to_writer(out, &record);
        debug_assert!(written.is_ok());
    }

    /// Decodes a stored record. Content that is not normalized is returned normalized, and an
    /// unpaired surrogate escape reads as U+FFFD; the record itself is not changed by reading.
    ///
    /// # Errors
    /// [`RecordFault`] where the record is damaged or of another version.
    pub fn from_record(record: &str) -> Result<Self, RecordFault> {
        if let Some(todo) = canonical::read(record, SCHEMA_VERSION) {
            return Ok(todo);
        }
        let record = surrogate::replace_unpaired(record);
        let record: RecordIn = serde_json::from_str(&record).map_err(|fault| {
            if fault.is_data() { RecordFault::Shape } else { RecordFault::NotJson }
        })?;
        // JSON numbers compare by value: 1.0 is 1.
        if record.schema_version.as_f64() != Some(f64::from(SCHEMA_VERSION)) {
            return Err(RecordFault::UnsupportedVersion);
        }
        Self::from_value(&record.items).map_err(RecordFault::Document)
    }
}

#[cfg(test)]
mod tests {
    use super::{DocumentFault, RecordFault, SessionTodo};

    #[test]
    fn a_record_round_trips_in_the_one_member_order() {
        let record =
            r#"{"schemaVersion":1,"items":[{"content":"a \"b\"","status":"in_progress"}]}"#;
        let todo = SessionTodo::from_record(record).expect("valid");
        assert_eq!(todo.to_record(), record);
        assert_eq!(todo.record_len(), record.len());
        assert_eq!(SessionTodo::default().to_record(), r#"{"schemaVersion":1,"items":[]}"#);
    }

    #[test]
    fn a_damaged_record_says_what_is_wrong_and_nothing_of_its_content() {
        for (record, fault) in [
            ("", RecordFault::NotJson),
            ("{", RecordFault::NotJson),
            ("[]", RecordFault::Shape),
            ("null", RecordFault::Shape),
            (r#"{"items":[]}"#, RecordFault::Shape),
            (r#"{"schemaVersion":1}"#, RecordFault::Shape),
            (r#"{"schemaVersion":1,"items":[],"s3cr3t":1}"#, RecordFault::Shape),
            (r#"{"schemaVersion":2,"items":[]}"#, RecordFault::UnsupportedVersion),
            (r#"{"schemaVersion":"1","items":[]}"#, RecordFault::UnsupportedVersion),
            (
                r#"{"schemaVersion":1,"items":[{"content":" ","status":"pending"}]}"#,
                RecordFault::Document(DocumentFault::ContentEmpty { item: 1 }),
            ),
        ] {
            let found = SessionTodo::from_record(record).expect_err(record);
            assert_eq!(found, fault, "{record}");
            assert!(!found.to_string().contains("s3cr3t"), "{found}");
        }
    }

    #[test]
    fn a_stored_half_of_a_pair_reads_as_a_replacement() {
        let record = r#"{"items":[{"status":"pending","content":"a\ud800b"}],"schemaVersion":1.0}"#;
        let todo = SessionTodo::from_record(record).expect("valid");
        assert_eq!(todo.items().first().map(|item| item.content()), Some("a\u{fffd}b"));
    }
}
