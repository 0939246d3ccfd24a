//! What a settled call hands to the model.

use maka_core::session_todo::TodoView;

/// A settled call: done, or refused in a way that the model can mend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolOutcome {
    /// Whether the tool did what it was asked.
    pub ok: bool,
    /// What the model reads.
    pub text: String,
    /// The list that is stored now, projected; `None` where `ok` is false.
    pub structured: Option<TodoView>,
}

impl ToolOutcome {
    /// The tool did it.
    pub(crate) fn done(text: String, view: TodoView) -> Self {
        Self { ok: true, text, structured: Some(view) }
    }

    /// The call was wrong; `text` says what to change.
    pub(crate) fn refused(text: String) -> Self {
        Self { ok: false, text, structured: None }
    }
}
