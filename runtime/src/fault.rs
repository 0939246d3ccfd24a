//! Failures that a model cannot mend by calling differently.

use maka_core::StoreError;
use maka_core::ports::TodoPortError;

/// What the tool was doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ToolAct {
    /// Reading the list.
    Read,
    /// Replacing the list.
    Write,
}

/// A call that was not done. A fault of [`ToolAct::Write`] means that nothing was saved, except
/// where the store cannot know it. The Host maps [`ToolFault::cause`] to an error code.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.act_text())]
pub struct ToolFault {
    /// What was being done.
    pub act: ToolAct,
    /// Why it was not.
    #[source]
    pub cause: TodoPortError,
}

impl ToolFault {
    fn act_text(&self) -> &'static str {
        match (self.act, self.outcome_is_unknown()) {
            (ToolAct::Read, _) => "read the Todo list",
            (ToolAct::Write, false) => "save the Todo list: nothing was saved",
            (ToolAct::Write, true) => {
                "learn whether the Todo list was saved: it holds either the old list or the new one"
            }
        }
    }

    /// Whether the list may have been saved all the same.
    #[must_use]
    pub const fn outcome_is_unknown(&self) -> bool {
        matches!(self.cause, TodoPortError::Store(StoreError::CommitOutcomeUnknown { .. }))
    }

    /// What to do next, where anything helps.
    #[must_use]
    pub const fn hint(&self) -> Option<&'static str> {
        match &self.cause {
            TodoPortError::NotFound(_) => Some("the Session was removed; its list is gone with it"),
            TodoPortError::Draining => Some("call again when the Runtime Host has restarted"),
            TodoPortError::Store(store) => match store {
                StoreError::CorruptDocument { .. } => {
                    Some("the next todo_write replaces the damaged list with the list it is given")
                }
                StoreError::CommitOutcomeUnknown { .. } => {
                    Some("call todo_read before writing again")
                }
                StoreError::Environment { .. } => {
                    Some("call again when the machine's fault is mended")
                }
                StoreError::CorruptDatabase { .. }
                | StoreError::InvalidLease
                | StoreError::InvalidCursor
                | StoreError::Internal { .. } => None,
            },
        }
    }
}
