//! The tools in MCP's terms.

use std::sync::Arc;

use maka_host_client::{ToolCallResult, ToolDescription};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool, ToolAnnotations};
use serde_json::Value;

use super::door::DoorFault;

/// Describes a tool to a client. No tool knows anything but the Session's list: a closed world.
pub(super) fn describe(tool: ToolDescription) -> Tool {
    let title = match tool.name.as_str() {
        "todo_read" => Some("Read the Todo list"),
        "todo_write" => Some("Replace the Todo list"),
        _ => None,
    };
    let mut annotations = ToolAnnotations::new()
        .read_only(tool.read_only)
        .destructive(tool.destructive)
        .idempotent(tool.idempotent)
        .open_world(false);
    annotations.title = title.map(ToOwned::to_owned);
    let described = Tool::new(tool.name, tool.description, schema(tool.input_schema))
        .with_raw_output_schema(schema(tool.output_schema))
        .with_annotations(annotations);
    match title {
        Some(title) => described.with_title(title),
        None => described,
    }
}

/// A schema is an object; what is none says nothing.
fn schema(value: Value) -> Arc<JsonObject> {
    Arc::new(if let Value::Object(object) = value { object } else { JsonObject::new() })
}

/// A settled call. What the model can mend is an error it reads, not one of the protocol.
pub(super) fn result(settled: ToolCallResult) -> CallToolResult {
    let text = vec![ContentBlock::text(settled.text)];
    let mut result =
        if settled.ok { CallToolResult::success(text) } else { CallToolResult::error(text) };
    result.structured_content = settled.structured.and_then(|view| serde_json::to_value(view).ok());
    result
}

/// A call that the Host did not settle. Clients show protocol errors to nobody, so the model is
/// told, and can tell its user.
pub(super) fn fault(fault: &DoorFault) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(fault.text())])
}
