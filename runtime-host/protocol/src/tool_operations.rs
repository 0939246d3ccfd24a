//! Inputs and results of the model door.

use maka_core::session_todo::TodoView;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

/// One tool, as a model is told of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolDescription {
    /// Its name.
    pub name: String,
    /// What it does and when not to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: Value,
    /// JSON Schema of its structured result.
    pub output_schema: Value,
    /// Whether it only reads.
    pub read_only: bool,
    /// Whether it may destroy what was stored before.
    pub destructive: bool,
    /// Whether calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
}

/// `tool.list`'s answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolListResult {
    /// The tools.
    pub tools: Vec<ToolDescription>,
}

/// `tool.call`. The connection knows the Session; nothing here names one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolCallInput {
    /// The tool.
    pub name: String,
    /// Its arguments, raw until the tool reads them; absent reads as `{}`.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub arguments: Option<Box<RawValue>>,
}

/// A settled call. A call that the model can mend is settled with `ok: false`; one that it cannot
/// is an error reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ToolCallResult {
    /// Whether the tool did what it was asked.
    pub ok: bool,
    /// What the model reads.
    pub text: String,
    /// The list that is stored now, projected; absent where `ok` is false.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub structured: Option<TodoView>,
}
