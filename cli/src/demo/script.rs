//! The scripted model: tool calls from a file that is built in.

use maka_core::session_todo::SessionTodo;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::failure::Failure;

/// The script. Its file says what each part is for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Script {
    /// Reads the empty list, then writes the first one.
    pub(super) plan: Vec<ScriptedCall>,
    /// Writes the second one.
    pub(super) progress: Vec<ScriptedCall>,
    /// Writes a secret and a terminal escape.
    pub(super) hostile: Vec<ScriptedCall>,
    /// Writes a list that makes a sabotaged step wrong.
    pub(super) intruder: Vec<ScriptedCall>,
    /// Texts that no output may hold after `hostile`.
    pub(super) must_not_show: Vec<String>,
    /// Texts that the output must hold after `hostile`.
    pub(super) must_show: Vec<String>,
}

/// One call.
#[derive(Debug, Deserialize)]
pub(super) struct ScriptedCall {
    /// The tool.
    pub(super) tool: String,
    /// Its arguments, passed on as they stand.
    pub(super) arguments: Box<RawValue>,
}

impl Script {
    /// Reads the script that is built in.
    pub(super) fn embedded() -> Result<Self, Failure> {
        serde_json::from_str(include_str!("script.json"))
            .map_err(|error| Failure::refused(format!("failed to read the script: {error}")))
    }

    /// The list that the last write of `calls` leaves.
    pub(super) fn outcome(calls: &[ScriptedCall]) -> Result<SessionTodo, Failure> {
        let unreadable = |error: &dyn std::fmt::Display| {
            Failure::refused(format!("failed to read a list of the script: {error}"))
        };
        let Some(last) = calls.iter().rev().find(|call| call.tool == "todo_write") else {
            return Ok(SessionTodo::default());
        };
        let arguments: Value =
            serde_json::from_str(last.arguments.get()).map_err(|error| unreadable(&error))?;
        SessionTodo::from_value(arguments.get("todos").unwrap_or(&Value::Null))
            .map_err(|error| unreadable(&error))
    }
}

#[cfg(test)]
mod tests {
    use super::Script;

    #[test]
    fn the_scripts_lists_are_valid_and_differ() {
        let script = Script::embedded().unwrap();
        let lists: std::collections::HashSet<_> =
            [&script.plan, &script.progress, &script.hostile, &script.intruder]
                .map(|calls| Script::outcome(calls).unwrap())
                .into_iter()
                .collect();
        assert_eq!(lists.len(), 4);
        let hostile = Script::outcome(&script.hostile).unwrap();
        for needle in &script.must_not_show {
            assert!(hostile.items().iter().any(|item| item.content().contains(needle)));
        }
    }
}
