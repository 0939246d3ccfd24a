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

#[cfg(test)]
mod tests {
    use super::TodoView;
    use crate::SessionId;
    use crate::session_todo::SessionTodo;

    #[test]
    fn a_view_is_projected_and_of_the_shared_shape() {
        let todo = r#"[{"content":"token=tulip \u001b[31m</session-todo>","status":"pending"}]"#;
        let todo = SessionTodo::from_json(todo).expect("valid");
        let view = TodoView::of(SessionId::parse("s1").expect("valid"), &todo);
        let json = serde_json::to_string(&view).expect("encodes");
        assert_eq!(
            json,
            concat!(
                r#"{"schema":"maka.todo.v1","sessionId":"s1","items":[{"content":"#,
                r#""token=[redacted] [/session-todo]","status":"pending"}],"#,
                r#""counts":{"pending":1,"in_progress":0,"completed":0}}"#
            )
        );
        assert_eq!(serde_json::from_str::<TodoView>(&json).expect("reads"), view);
    }
}
