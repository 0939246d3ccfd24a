//! Which tools there are, which there were, and the one door to call them.

use maka_core::{ClientName, SessionId};
use serde_json::Value;

use crate::session_todo_tools::{TODO_READ, TODO_WRITE};
use crate::{SessionTodoTools, ToolFault, ToolOutcome, schemas};

/// One tool, as a model is told of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolDescriptor {
    /// Its name.
    pub name: &'static str,
    /// What it does, when to use it and when not to.
    pub description: &'static str,
    /// JSON Schema of its arguments, flat and closed.
    pub input_schema: Value,
    /// JSON Schema of its structured result, flat and closed.
    pub output_schema: Value,
    /// Whether it only reads.
    pub read_only: bool,
    /// Whether it may destroy what was stored before.
    pub destructive: bool,
    /// Whether calling it again with the same arguments changes nothing more.
    pub idempotent: bool,
}

/// Describes every tool; needs no Host.
#[must_use]
pub fn descriptors() -> Vec<ToolDescriptor> {
    vec![
        ToolDescriptor {
            name: TODO_READ,
            description: schemas::READ_DESCRIPTION,
            input_schema: schemas::read_input(),
            output_schema: schemas::output(),
            read_only: true,
            destructive: false,
            idempotent: true,
        },
        ToolDescriptor {
            name: TODO_WRITE,
            description: schemas::WRITE_DESCRIPTION,
            input_schema: schemas::write_input(),
            output_schema: schemas::output(),
            read_only: false,
            destructive: true,
            idempotent: true,
        },
    ]
}

/// The tools of a Host.
#[derive(Debug, Clone)]
pub struct ToolRegistry {
    todo: SessionTodoTools,
}

impl ToolRegistry {
    /// Registers the Todo tools.
    #[must_use]
    pub const fn new(todo: SessionTodoTools) -> Self {
        Self { todo }
    }

    /// Describes every tool.
    #[must_use]
    pub fn list(&self) -> Vec<ToolDescriptor> {
        descriptors()
    }

    /// Calls a tool for the model of `session`, on behalf of the program `client`. `arguments` is
    /// raw JSON text; blank text reads as `{}`. A call that the model can mend, also one of an
    /// unknown or a removed tool, is an outcome that is not `ok`.
    ///
    /// # Errors
    /// [`ToolFault`] where no other call would help. A write that failed saved nothing, except as
    /// the fault says.
    pub async fn call(
        &self,
        session: &SessionId,
        client: &ClientName,
        name: &str,
        arguments: &str,
    ) -> Result<ToolOutcome, ToolFault> {
        match name {
            TODO_READ => self.todo.read(session, arguments).await,
            TODO_WRITE => self.todo.write(session, client, arguments).await,
            _ => Ok(ToolOutcome::refused(no_such_tool(name))),
        }
    }
}

/// Tells what became of a name that is no tool. An unknown name is not repeated: it may hold
/// anything.
fn no_such_tool(name: &str) -> String {
    let removed = |replacement: &str| {
        format!("The tool {name} was removed with the Task Ledger: use {replacement}.")
    };
    match name {
        "task_create" | "task_update" | "TaskCreate" | "TaskUpdate" => {
            removed("todo_write, which replaces the whole Todo list (read it first with todo_read)")
        }
        "task_list" | "task_get" | "TaskList" | "TaskGet" => {
            removed("todo_read, which returns the whole Todo list (todo_write replaces it)")
        }
        _ => format!("There is no such tool: use {TODO_READ} or {TODO_WRITE}."),
    }
}
