//! A list as text for a terminal.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use maka_core::session_todo::{TodoCounts, TodoStatus, TodoView};

/// The sign of a status; its word always stands beside it.
pub(crate) const fn status_sign(status: TodoStatus) -> &'static str {
    match status {
        TodoStatus::Pending => "[ ]",
        TodoStatus::InProgress => "[>]",
        TodoStatus::Completed => "[x]",
    }
}

/// The word of a status, for people.
pub(crate) const fn status_word(status: TodoStatus) -> &'static str {
    match status {
        TodoStatus::Pending => "pending",
        TodoStatus::InProgress => "in progress",
        TodoStatus::Completed => "completed",
    }
}

const fn status_style(status: TodoStatus) -> Style {
    match status {
        TodoStatus::Pending => Style::new(),
        TodoStatus::InProgress => AnsiColor::Yellow.on_default(),
        TodoStatus::Completed => AnsiColor::Green.on_default(),
    }
}

/// Says how many items a list has at each status.
pub(crate) fn counts_text(items: usize, counts: TodoCounts) -> String {
    let noun = if items == 1 { "item" } else { "items" };
    format!(
        "{items} {noun}: {} pending, {} in progress, {} completed",
        counts.pending, counts.in_progress, counts.completed
    )
}

/// Renders a projected list: a line of counts, then numbered lines with a sign and a word. An
/// empty list is one line that says so. Colour only repeats what the sign and the word say.
pub(crate) fn list_text(view: &TodoView) -> String {
    if view.items.is_empty() {
        return "The list is empty.\n".to_owned();
    }
    let mut text = counts_text(view.items.len(), view.counts);
    text.push('\n');
    let digits = view.items.len().to_string().len();
    for (number, item) in (1..).zip(&view.items) {
        let number: usize = number;
        let style = status_style(item.status);
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "{number:>digits$}. {style}{} {:<11}{style:#}  {}",
            status_sign(item.status),
            status_word(item.status),
            item.content
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use maka_core::SessionId;
    use maka_core::session_todo::{SessionTodo, TodoView};

    use super::list_text;

    fn view(todos: &serde_json::Value) -> TodoView {
        TodoView::of(SessionId::parse("s").unwrap(), &SessionTodo::from_value(todos).unwrap())
    }

    #[test]
    fn every_status_is_a_sign_and_a_word_without_colour_too() {
        let view = view(&serde_json::json!([
            {"content": "a", "status": "pending"},
            {"content": "b", "status": "in_progress"},
            {"content": "c", "status": "completed"},
        ]));
        let plain = anstream::adapter::strip_str(&list_text(&view)).to_string();
        assert_eq!(
            plain,
            "3 items: 1 pending, 1 in progress, 1 completed\n\
             1. [ ] pending      a\n\
             2. [>] in progress  b\n\
             3. [x] completed    c\n"
        );
    }

    #[test]
    fn an_empty_list_says_so() {
        assert_eq!(list_text(&view(&serde_json::json!([]))), "The list is empty.\n");
    }

    #[test]
    fn numbers_line_up_in_a_long_list() {
        let items: Vec<_> =
            (0..10).map(|_| serde_json::json!({"content": "a", "status": "pending"})).collect();
        let text = list_text(&view(&serde_json::Value::Array(items)));
        assert!(text.contains("\n 9. ") && text.contains("\n10. "), "{text}");
    }
}
