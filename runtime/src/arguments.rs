//! Reads a call's raw arguments. Each fault says what to change, so that a model mends its call at
//! the first retry, and none repeats what was sent.

use maka_core::session_todo::{DocumentFault, SessionTodo};
use serde_json::{Map, Value};

/// Names under which other programs' tools take their list.
const OTHER_NAMES: [&str; 8] =
    ["items", "tasks", "todo", "list", "todoList", "todo_list", "entries", "plan"];

/// What is wrong with a call's arguments.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentFault {
    /// They are not JSON.
    #[error(
        "the arguments are not valid JSON (line {line}, column {column}): send one JSON object"
    )]
    NotJson {
        /// The 1-based line of the fault.
        line: usize,
        /// The 1-based column of the fault, in bytes.
        column: usize,
    },
    /// They are a string, most often JSON encoded twice.
    #[error("the arguments are a string: send a JSON object, not a string that holds JSON")]
    Encoded,
    /// They are the list itself.
    #[error("the arguments are the list itself: put it into an object, {{\"todos\":[…]}}")]
    BareList,
    /// They are a number or a boolean.
    #[error("the arguments are no object: send a JSON object")]
    NotObject,
    /// The tool takes none.
    #[error("todo_read takes no arguments: send {{}}")]
    NotEmpty,
    /// `todos` is missing, and this looks like the list.
    #[error("the list is called \"todos\", not \"{0}\": send {{\"todos\":[…]}}")]
    OtherName(&'static str),
    /// `todos` is missing, and one item stands in its place.
    #[error("the arguments are a single item: send {{\"todos\":[…]}} with the whole list")]
    BareItem,
    /// `todos` is missing.
    #[error("\"todos\" is missing: send {{\"todos\":[…]}}; {{\"todos\":[]}} clears the list")]
    Missing,
    /// There are others beside `todos`.
    #[error("\"todos\" is the only argument: remove every other one")]
    Others,
    /// The list breaks a rule of the document.
    #[error(transparent)]
    Document(#[from] DocumentFault),
}

/// Checks that a call has no arguments.
pub(crate) fn none(raw: &str) -> Result<(), ArgumentFault> {
    object(raw).ok().filter(Map::is_empty).map(drop).ok_or(ArgumentFault::NotEmpty)
}

/// Reads exactly `{"todos":[…]}`.
pub(crate) fn todos(raw: &str) -> Result<SessionTodo, ArgumentFault> {
    let members = object(raw)?;
    let Some(list) = members.get("todos") else {
        return Err(without_todos(&members));
    };
    if members.len() > 1 {
        return Err(ArgumentFault::Others);
    }
    Ok(SessionTodo::from_value(list)?)
}

/// The arguments as an object. Absent ones are `{}`, and so is `null`, which the wire cannot tell
/// from absent ones.
fn object(raw: &str) -> Result<Map<String, Value>, ArgumentFault> {
    if raw.trim().is_empty() {
        return Ok(Map::new());
    }
    match serde_json::from_str(raw).map_err(|fault| not_json(raw, &fault))? {
        Value::Object(members) => Ok(members),
        Value::Null => Ok(Map::new()),
        Value::String(_) => Err(ArgumentFault::Encoded),
        Value::Array(_) => Err(ArgumentFault::BareList),
        Value::Bool(_) | Value::Number(_) => Err(ArgumentFault::NotObject),
    }
}

/// Tells an unpaired surrogate, which the parser calls a syntax error, from other syntax errors.
fn not_json(raw: &str, fault: &serde_json::Error) -> ArgumentFault {
    match SessionTodo::from_json(raw) {
        Err(surrogate @ DocumentFault::UnpairedSurrogate) => surrogate.into(),
        _ => ArgumentFault::NotJson { line: fault.line(), column: fault.column() },
    }
}

fn without_todos(members: &Map<String, Value>) -> ArgumentFault {
    if members.contains_key("content") || members.contains_key("status") {
        return ArgumentFault::BareItem;
    }
    OTHER_NAMES
        .into_iter()
        .find(|name| members.contains_key(*name))
        .map_or(ArgumentFault::Missing, ArgumentFault::OtherName)
}
