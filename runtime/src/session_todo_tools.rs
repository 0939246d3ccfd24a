//! The two tools over the Host's tool port. What they return is what the port returned, never what
//! the model sent.

use std::fmt;
use std::sync::Arc;

use maka_core::ports::SessionTodoPort;
use maka_core::session_todo::TodoView;
use maka_core::{ClientName, SessionId};

use crate::{ToolAct, ToolFault, ToolOutcome, arguments, result_text};

/// The name of the tool that reads the list.
pub const TODO_READ: &str = "todo_read";
/// The name of the tool that replaces the list.
pub const TODO_WRITE: &str = "todo_write";

/// `todo_read` and `todo_write`.
#[derive(Clone)]
pub struct SessionTodoTools {
    port: Arc<dyn SessionTodoPort>,
}

impl fmt::Debug for SessionTodoTools {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionTodoTools").finish_non_exhaustive()
    }
}

impl SessionTodoTools {
    /// Stands the tools on the Host's port.
    #[must_use]
    pub const fn new(port: Arc<dyn SessionTodoPort>) -> Self {
        Self { port }
    }

    /// `todo_read`: the whole list, in order.
    ///
    /// # Errors
    /// [`ToolFault`] where the port failed; never an empty list in place of one.
    pub async fn read(
        &self,
        session: &SessionId,
        arguments: &str,
    ) -> Result<ToolOutcome, ToolFault> {
        if let Err(fault) = arguments::none(arguments) {
            return Ok(ToolOutcome::refused(format!("Nothing was read: {fault}.")));
        }
        let todo = self
            .port
            .read(session)
            .await
            .map_err(|cause| ToolFault { act: ToolAct::Read, cause })?;
        let view = TodoView::of(session.clone(), &todo);
        Ok(ToolOutcome::done(result_text::read(&view), view))
    }

    /// `todo_write`: replaces the whole list.
    ///
    /// # Errors
    /// [`ToolFault`] where the port failed; then nothing was saved, except as the fault says.
    pub async fn write(
        &self,
        session: &SessionId,
        client: &ClientName,
        arguments: &str,
    ) -> Result<ToolOutcome, ToolFault> {
        let todo = match arguments::todos(arguments) {
            Ok(todo) => todo,
            Err(fault) => {
                let text = format!("Nothing was saved, the old list stands: {fault}.");
                return Ok(ToolOutcome::refused(text));
            }
        };
        let replaced = self
            .port
            .write(session, todo, client)
            .await
            .map_err(|cause| ToolFault { act: ToolAct::Write, cause })?;
        let view = TodoView::of(session.clone(), &replaced.todo);
        Ok(ToolOutcome::done(result_text::written(&view, replaced.dropped_unfinished), view))
    }
}
