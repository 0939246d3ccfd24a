#![doc = include_str!("../README.md")]

mod arguments;
mod fault;
mod outcome;
mod registry;
pub mod result_text;
mod schemas;
mod session_todo_tools;

pub use fault::{ToolAct, ToolFault};
pub use outcome::ToolOutcome;
pub use registry::{ToolDescriptor, ToolRegistry, descriptors};
pub use session_todo_tools::{SessionTodoTools, TODO_READ, TODO_WRITE};
