//! `tool.list`: the model's tools.

use maka_host_protocol::{ToolDescription, ToolListResult};

use crate::services::Caller;

pub(super) fn run(caller: &Caller) -> ToolListResult {
    let tools = caller.services.tools.list().into_iter().map(|tool| ToolDescription {
        name: tool.name.to_owned(),
        description: tool.description.to_owned(),
        input_schema: tool.input_schema,
        output_schema: tool.output_schema,
        read_only: tool.read_only,
        destructive: tool.destructive,
        idempotent: tool.idempotent,
    });
    ToolListResult { tools: tools.collect() }
}
