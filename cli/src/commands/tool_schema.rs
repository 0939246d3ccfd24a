//! `maka tool list` and `maka tool schema`: what a model is told, without a Host.

use maka_runtime::{ToolDescriptor, descriptors};
use serde::Serialize;
use serde_json::{Value, json};

use crate::args::{SchemaFormat, ToolListArgs, ToolSchemaArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;

/// `maka.tools.v1`
#[derive(Debug, Serialize)]
struct ToolsJson {
    schema: &'static str,
    tools: Vec<ToolJson>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolJson {
    name: &'static str,
    description: &'static str,
    read_only: bool,
}

/// Lists the tools.
pub(super) fn list(args: &ToolListArgs) -> Result<Exit, Failure> {
    let tools = descriptors();
    let mut out = Out::default();
    if args.json {
        let tools = tools
            .iter()
            .map(|tool| ToolJson {
                name: tool.name,
                description: tool.description,
                read_only: tool.read_only,
            })
            .collect();
        out.json(&ToolsJson { schema: "maka.tools.v1", tools })?;
    } else {
        for tool in &tools {
            out.line(&format!("{}\n  {}", tool.name, tool.description))?;
        }
    }
    Ok(Exit::Done)
}

/// Prints the tools as an array in the form that was asked for.
pub(super) fn schema(args: &ToolSchemaArgs) -> Result<Exit, Failure> {
    let form = match args.format {
        SchemaFormat::Mcp => mcp,
        SchemaFormat::Openai => openai,
        SchemaFormat::Anthropic => anthropic,
    };
    let tools: Vec<Value> = descriptors().iter().map(form).collect();
    Out::default().line(&format!("{:#}", Value::Array(tools)))?;
    Ok(Exit::Done)
}

fn mcp(tool: &ToolDescriptor) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
        "outputSchema": tool.output_schema,
        "annotations": {
            "readOnlyHint": tool.read_only,
            "destructiveHint": tool.destructive,
            "idempotentHint": tool.idempotent,
            "openWorldHint": false,
        },
    })
}

fn openai(tool: &ToolDescriptor) -> Value {
    json!({
        "type": "function",
        "function": {
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
        },
    })
}

fn anthropic(tool: &ToolDescriptor) -> Value {
    json!({
        "name": tool.name,
        "description": tool.description,
        "input_schema": tool.input_schema,
    })
}
