//! What can be wrong with a list. Every message says what to change and none repeats content.

use std::fmt;

use super::document::{MAX_CODE_POINTS, MAX_DOCUMENT_BYTES, MAX_ITEMS, TodoStatus};

/// The kind of a JSON value, for messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JsonKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// A string.
    String,
    /// An array.
    Array,
    /// An object.
    Object,
}

impl JsonKind {
    pub(super) fn of(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Self::Null,
            serde_json::Value::Bool(_) => Self::Boolean,
            serde_json::Value::Number(_) => Self::Number,
            serde_json::Value::String(_) => Self::String,
            serde_json::Value::Array(_) => Self::Array,
            serde_json::Value::Object(_) => Self::Object,
        }
    }
}

impl fmt::Display for JsonKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "null",
            Self::Boolean => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::Array => "an array",
            Self::Object => "an object",
        })
    }
}

/// The first rule that a list breaks, in the order in which the rules are checked. Items are
/// counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DocumentFault {
    /// The text is not JSON at all.
    InvalidJson {
        /// The 1-based line of the fault.
        line: usize,
        /// The 1-based column of the fault, in bytes.
        column: usize,
    },
    /// A string holds half of a surrogate pair.
    UnpairedSurrogate,
    /// The list is no array.
    NotArray {
        /// What it is.
        found: JsonKind,
    },
    /// Over 200 items.
    TooManyItems {
        /// How many there are.
        found: usize,
    },
    /// An item is no object.
    ItemNotObject {
        /// Which item.
        item: usize,
        /// What it is.
        found: JsonKind,
    },
    /// An item has members other than exactly `content` and `status`.
    ItemFields {
        /// Which item.
        item: usize,
        /// Which of the two it lacks.
        missing: Vec<&'static str>,
        /// Names of the members to remove; at most five, and only plain short ones.
        extra: Vec<String>,
        /// Whether there are more members to remove than `extra` names.
        unnamed_extra: bool,
    },
    /// `content` is no string.
    ContentNotString {
        /// Which item.
        item: usize,
        /// What it is.
        found: JsonKind,
    },
    /// `content` is empty after normalization.
    ContentEmpty {
        /// Which item.
        item: usize,
    },
    /// `content` has over 200 code points after normalization.
    ContentTooLong {
        /// Which item.
        item: usize,
        /// How many there are.
        found: usize,
    },
    /// `status` is not one of the three words.
    StatusInvalid {
        /// Which item.
        item: usize,
        /// The word that was probably meant.
        meant: Option<TodoStatus>,
    },
    /// Over 262,144 bytes of compact JSON.
    DocumentTooLarge {
        /// How many there are.
        found: usize,
    },
}

impl DocumentFault {
    /// The stable name of the rule.
    #[must_use]
    pub const fn rule(&self) -> &'static str {
        match self {
            Self::InvalidJson { .. } => "invalid_json",
            Self::UnpairedSurrogate => "unpaired_surrogate",
            Self::NotArray { .. } => "not_array",
            Self::TooManyItems { .. } => "too_many_items",
            Self::ItemNotObject { .. } => "item_not_object",
            Self::ItemFields { .. } => "item_fields",
            Self::ContentNotString { .. } => "content_not_string",
            Self::ContentEmpty { .. } => "content_empty",
            Self::ContentTooLong { .. } => "content_too_long",
            Self::StatusInvalid { .. } => "status_invalid",
            Self::DocumentTooLarge { .. } => "document_too_large",
        }
    }

    /// The 1-based number of the item at fault, where one is.
    #[must_use]
    pub const fn item(&self) -> Option<usize> {
        match self {
            Self::ItemNotObject { item, .. }
            | Self::ItemFields { item, .. }
            | Self::ContentNotString { item, .. }
            | Self::ContentEmpty { item }
            | Self::ContentTooLong { item, .. }
            | Self::StatusInvalid { item, .. } => Some(*item),
            Self::InvalidJson { .. }
            | Self::UnpairedSurrogate
            | Self::NotArray { .. }
            | Self::TooManyItems { .. }
            | Self::DocumentTooLarge { .. } => None,
        }
    }
}

impl std::error::Error for DocumentFault {}

impl fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InvalidJson { line, column } => {
                write!(f, "the list is not valid JSON (line {line}, column {column}): send one JSON array")
            }
            Self::UnpairedSurrogate => f.write_str(
                "a string holds an unpaired surrogate escape (\\uD800 to \\uDFFF): send whole characters",
            ),
            Self::NotArray { found: JsonKind::String } => f.write_str(
                "the list is a string: send the JSON array itself, not a string that holds JSON",
            ),
            Self::NotArray { found: JsonKind::Object } => f.write_str(
                "the list is a single object: send an array of items, [{\"content\":…,\"status\":…}], even for one item",
            ),
            Self::NotArray { found } => write!(f, "the list is {found}: send an array of items"),
            Self::TooManyItems { found } => write!(
                f,
                "the list has {found} items: send at most {MAX_ITEMS}; merge items or leave completed ones out"
            ),
            Self::ItemNotObject { item, found } => write!(
                f,
                "item {item} is {found}: send an object with exactly \"content\" and \"status\""
            ),
            Self::ItemFields { item, missing, extra, unnamed_extra } => {
                write!(f, "item {item} must have exactly \"content\" and \"status\":")?;
                fields(f, missing, extra, *unnamed_extra)
            }
            Self::ContentNotString { item, found } => {
                write!(f, "the content of item {item} is {found}: send a string")
            }
            Self::ContentEmpty { item } => write!(
                f,
                "the content of item {item} is empty or only white space: say what is to be done"
            ),
            Self::ContentTooLong { item, found } => write!(
                f,
                "the content of item {item} has {found} code points: use at most {MAX_CODE_POINTS}; shorten it or split the item"
            ),
            Self::StatusInvalid { item, meant } => {
                write!(
                    f,
                    "the status of item {item} must be exactly \"pending\", \"in_progress\" or \"completed\""
                )?;
                meant.map_or(Ok(()), |status| write!(f, " (did you mean \"{status}\"?)"))
            }
            Self::DocumentTooLarge { found } => write!(
                f,
                "the list takes {found} bytes as JSON: use at most {MAX_DOCUMENT_BYTES}; shorten items or leave some out"
            ),
        }
    }
}

fn fields(
    f: &mut fmt::Formatter<'_>,
    missing: &[&str],
    extra: &[String],
    unnamed_extra: bool,
) -> fmt::Result {
    let mut separator = " ";
    if !missing.is_empty() {
        write!(f, "{separator}add {}", quoted(missing))?;
        separator = "; ";
    }
    if !extra.is_empty() {
        write!(f, "{separator}remove {}", quoted(extra))?;
        if unnamed_extra {
            f.write_str(" and every other member")?;
        }
    } else if unnamed_extra {
        write!(f, "{separator}remove every other member")?;
    }
    Ok(())
}

fn quoted(names: &[impl AsRef<str>]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    quoted.join(", ")
}
