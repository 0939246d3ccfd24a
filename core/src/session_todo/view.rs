//! The projected shape of a list, `maka.todo.v1`, which every surface shares.

use serde::{Deserialize, Serialize};

use super::display::project;
use super::document::{SessionTodo, TodoCounts, TodoStatus};
use crate::SessionId;

/// One projected item.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TodoViewItem {
    /// Display-safe text: see [`super::display`].
    pub content: String,
    /// The status.
    pub status: TodoStatus,
}

/// A list that is safe to show: `{"schema":"maka.todo.v1","sessionId","items","counts"}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TodoView {
    /// Always [`TodoView::SCHEMA`].
    pub schema: String,
    /// Whose list it is.
    pub session_id: SessionId,
    /// The items in order.
    pub items: Vec<TodoViewItem>,
    /// How many items stand at each status.
    pub counts: TodoCounts,
}

impl TodoView {
    /// The name of this shape.
    pub const SCHEMA: &'static str = "maka.todo.v1";

    /// Projects a list for display.
    #[must_use]
    pub fn of(session_id: SessionId, todo: &SessionTodo) -> Self {
        let items = todo
            .items()
            .iter()
            .map(|item| TodoViewItem {
                content: project(item.content()).into_owned(),
                status: item.status(),
            })
            .collect();
        Self { schema: Self::SCHEMA.to_owned(), session_id, items, counts: todo.counts() }
    }
}
