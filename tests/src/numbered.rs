//! Lists that say who wrote them and in which place of a sequence, so that a list found later can
//! be told from every other one, and a torn list from a whole one.

use maka_core::session_todo::{SessionTodo, TodoStatus};
use serde_json::json;

/// The list with this number of this writer, as arguments of `todo_write`. Its length, texts and
/// statuses all follow from the two numbers.
#[must_use]
pub fn arguments(writer: u32, number: u64) -> String {
    let todos: Vec<_> = items(writer, number)
        .into_iter()
        .map(|(content, status)| json!({"content": content, "status": status.as_str()}))
        .collect();
    json!({ "todos": todos }).to_string()
}

/// Tells the number of the writer's list that `todo` is; `None` where it is not exactly one of
/// them.
#[must_use]
pub fn identify(writer: u32, todo: &SessionTodo) -> Option<u64> {
    let first = todo.items().first()?;
    let number = first.content().split(' ').nth(3)?.parse().ok()?;
    let found = todo.items().iter().map(|item| (item.content().to_owned(), item.status()));
    found.eq(items(writer, number)).then_some(number)
}

fn items(writer: u32, number: u64) -> Vec<(String, TodoStatus)> {
    let length = number % 23 + 1;
    (0..length)
        .map(|index| {
            let status = match (number + index) % 3 {
                0 => TodoStatus::Pending,
                1 => TodoStatus::InProgress,
                _ => TodoStatus::Completed,
            };
            (format!("writer {writer} list {number} item {index}"), status)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{arguments, identify};
    use maka_core::session_todo::SessionTodo;
    use serde_json::Value;

    fn todo(arguments: &str) -> SessionTodo {
        let value: Value = serde_json::from_str(arguments).unwrap();
        SessionTodo::from_value(&value["todos"]).unwrap()
    }

    #[test]
    fn a_whole_list_is_known_again() {
        for number in [0, 1, 22, 23, 1_000_000] {
            assert_eq!(identify(3, &todo(&arguments(3, number))), Some(number));
        }
    }

    #[test]
    fn a_torn_list_or_one_of_another_writer_is_not() {
        let whole = arguments(3, 40);
        let mut value: Value = serde_json::from_str(&whole).unwrap();
        value["todos"].as_array_mut().unwrap().pop();
        assert_eq!(identify(3, &todo(&value.to_string())), None);
        assert_eq!(identify(4, &todo(&whole)), None);
        assert_eq!(identify(3, &SessionTodo::default()), None);
    }
}
