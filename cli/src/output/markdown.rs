//! A list as Markdown.

use maka_core::session_todo::{TodoStatus, TodoView};

/// Renders a projected list as a Markdown task list. Every character that Markdown would read as
/// markup is escaped, so that an item's text stays text.
pub(crate) fn list_markdown(view: &TodoView) -> String {
    if view.items.is_empty() {
        return "*The list is empty.*\n".to_owned();
    }
    let mut text = String::new();
    for item in &view.items {
        text.push_str(match item.status {
            TodoStatus::Pending => "- [ ] ",
            TodoStatus::InProgress => "- [ ] *in progress:* ",
            TodoStatus::Completed => "- [x] ",
        });
        escape_into(&item.content, &mut text);
        text.push('\n');
    }
    text
}

/// Escapes markup and what a renderer would turn into a link. An item never starts a block: it
/// stands behind its box.
fn escape_into(content: &str, text: &mut String) {
    let mut rest = content.chars();
    while let Some(character) = rest.next() {
        let after = rest.as_str();
        let markup = match character {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '#' | '|' | '~' | '!' | '$' => {
                true
            }
            ':' => after.starts_with("//"),
            '.' => text.to_ascii_lowercase().ends_with("www"),
            _ => false,
        };
        if markup {
            text.push('\\');
        }
        text.push(character);
    }
}

#[cfg(test)]
mod tests {
    use maka_core::SessionId;
    use maka_core::session_todo::{SessionTodo, TodoView};

    use super::list_markdown;

    fn markdown(todos: &serde_json::Value) -> String {
        let todo = SessionTodo::from_value(todos).unwrap();
        list_markdown(&TodoView::of(SessionId::parse("s").unwrap(), &todo))
    }

    #[test]
    fn boxes_say_done_and_not_done_and_a_word_says_in_progress() {
        let text = markdown(&serde_json::json!([
            {"content": "a", "status": "pending"},
            {"content": "b", "status": "in_progress"},
            {"content": "c", "status": "completed"},
        ]));
        assert_eq!(text, "- [ ] a\n- [ ] *in progress:* b\n- [x] c\n");
        assert_eq!(markdown(&serde_json::json!([])), "*The list is empty.*\n");
    }

    #[test]
    fn markup_in_an_item_stays_text() {
        let text = markdown(&serde_json::json!([
            {"content": "*in progress:* [x](http://a.b) <b> `c` www.d.e", "status": "pending"},
        ]));
        assert_eq!(
            text,
            "- [ ] \\*in progress:\\* \\[x\\](http\\://a.b) \\<b\\> \\`c\\` www\\.d.e\n"
        );
    }
}
