//! The lists that are written and read, and medians.

use maka_core::session_todo::{SessionTodo, TodoStatus};
use serde_json::json;

/// Items of the list that most figures are about.
pub(super) const ITEMS: u32 = 20;
/// Characters of each of its items.
const CHARACTERS: usize = 100;

/// One of the two lists of 20 × 100 characters that writers alternate between, as arguments of
/// `todo_write`. SQLite skips a write of identical bytes, so the two differ in every item.
pub(super) fn arguments(version: u32) -> String {
    json!({ "todos": todos(version) }).to_string()
}

/// The same list as it is stored.
pub(super) fn record(version: u32) -> String {
    let value = json!(todos(version));
    let todo = SessionTodo::from_value(&value).unwrap_or_default();
    let items = serde_json::to_string(&todo).unwrap_or_default();
    format!("{{\"schemaVersion\":1,\"items\":{items}}}")
}

fn todos(version: u32) -> Vec<serde_json::Value> {
    (0..ITEMS)
        .map(|index| {
            let status = match index % 3 {
                0 => TodoStatus::Completed,
                1 => TodoStatus::InProgress,
                _ => TodoStatus::Pending,
            };
            let start = format!("version {version} item {index}: ");
            let filler = "check the owner of the list, then run its tests and read what they say. ";
            let content: String = start
                .chars()
                .chain(filler.chars().cycle())
                .take(CHARACTERS - 1)
                .chain(['x'])
                .collect();
            json!({"content": content, "status": status.as_str()})
        })
        .collect()
}

/// The middle value; 0 of none.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::{arguments, median, record};
    use maka_core::session_todo::SessionTodo;
    use serde_json::Value;

    #[test]
    fn a_list_is_20_items_of_100_characters_and_has_two_versions() {
        let value: Value = serde_json::from_str(&arguments(0)).unwrap();
        let todo = SessionTodo::from_value(&value["todos"]).unwrap();
        assert_eq!(todo.items().len(), 20);
        assert!(todo.items().iter().all(|item| item.content().chars().count() == 100));
        assert_ne!(record(0), record(1));
        assert_eq!(record(0).len(), record(1).len());
    }

    #[test]
    fn the_median_of_five_is_the_third() {
        assert!((median(vec![5.0, 1.0, 4.0, 2.0, 3.0]) - 3.0).abs() < f64::EPSILON);
    }
}
