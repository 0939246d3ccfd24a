//! The model-facing tools: todo_read and todo_write.
