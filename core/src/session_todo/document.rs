//! The document, its bounds and what is counted in it.

use std::collections::HashMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The most items a list may hold (contract, "Document contract").
pub const MAX_ITEMS: usize = 200;
/// The longest content of an item, in Unicode code points after normalization (contract).
pub const MAX_CODE_POINTS: usize = 200;
/// The largest document, in bytes of compact JSON, record envelope included (contract: 256 KiB).
/// Lists within the other two bounds reach 247,611 bytes, so this one is a guard.
pub const MAX_DOCUMENT_BYTES: usize = 262_144;

/// How far an item is. `completed` is the model's claim, not proof of anything.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not started.
    Pending,
    /// Being worked on. Any number of items may be.
    InProgress,
    /// Said to be done.
    Completed,
}

impl TodoStatus {
    /// All of them, in the order a list usually goes through.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProgress, Self::Completed];

    /// The word that stands on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
        }
    }

    /// Reads exactly one of the three words; no trimming, no other letter case.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.as_str() == word)
    }

    /// Whether work remains: everything but `completed`.
    #[must_use]
    pub const fn is_unfinished(self) -> bool {
        !matches!(self, Self::Completed)
    }
}

impl fmt::Display for TodoStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One item: normalized text and a status, nothing else.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize)]
pub struct TodoItem {
    content: String,
    status: TodoStatus,
}

impl TodoItem {
    /// Only validation makes items.
    pub(super) fn new(content: String, status: TodoStatus) -> Self {
        Self { content, status }
    }

    /// The stored text, not projected.
    #[must_use]
    pub fn content(&self) -> &str {
        &self.content
    }

    /// The status.
    #[must_use]
    pub fn status(&self) -> TodoStatus {
        self.status
    }
}

/// The whole ordered list. [`SessionTodo::default`] is the empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(transparent)]
pub struct SessionTodo {
    items: Vec<TodoItem>,
}

impl SessionTodo {
    /// Only validation makes documents.
    pub(super) fn from_items(items: Vec<TodoItem>) -> Self {
        Self { items }
    }

    /// The items, in order.
    #[must_use]
    pub fn items(&self) -> &[TodoItem] {
        &self.items
    }

    /// How many items stand at each status.
    #[must_use]
    pub fn counts(&self) -> TodoCounts {
        let mut counts = TodoCounts::default();
        for item in &self.items {
            match item.status {
                TodoStatus::Pending => counts.pending += 1,
                TodoStatus::InProgress => counts.in_progress += 1,
                TodoStatus::Completed => counts.completed += 1,
            }
        }
        counts
    }

    /// The items that are not completed, in order.
    #[must_use]
    pub fn unfinished(&self) -> Self {
        let unfinished = self.items.iter().filter(|item| item.status.is_unfinished());
        Self { items: unfinished.cloned().collect() }
    }

    /// Counts this list's unfinished items whose text `new` lacks, with multiplicity: two equal
    /// unfinished items replaced by one leave one dropped.
    #[must_use]
    pub fn unfinished_dropped_by(&self, new: &Self) -> u32 {
        let mut kept: HashMap<&str, u32> = HashMap::new();
        for item in &new.items {
            *kept.entry(&item.content).or_default() += 1;
        }
        let unfinished = self.items.iter().filter(|item| item.status.is_unfinished());
        let mut dropped = 0;
        for item in unfinished {
            match kept.get_mut(item.content.as_str()) {
                Some(left) if *left > 0 => *left -= 1,
                _ => dropped += 1,
            }
        }
        dropped
    }
}

/// How many items stand at each status.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TodoCounts {
    /// Items not started.
    pub pending: u32,
    /// Items being worked on.
    pub in_progress: u32,
    /// Items said to be done.
    pub completed: u32,
}

impl TodoCounts {
    /// Items that are not completed.
    #[must_use]
    pub const fn unfinished(self) -> u32 {
        self.pending + self.in_progress
    }

    /// All items.
    #[must_use]
    pub const fn total(self) -> u32 {
        self.pending + self.in_progress + self.completed
    }
}

#[cfg(test)]
mod tests {
    use super::{SessionTodo, TodoStatus};

    fn list(items: &[(&str, &str)]) -> SessionTodo {
        let items: Vec<_> = items
            .iter()
            .map(|(content, status)| serde_json::json!({ "content": content, "status": status }))
            .collect();
        SessionTodo::from_value(&items.into()).expect("valid")
    }

    #[test]
    fn items_are_counted_by_status() {
        let todo = list(&[
            ("a", "pending"),
            ("b", "in_progress"),
            ("c", "in_progress"),
            ("d", "completed"),
        ]);
        let counts = todo.counts();
        assert_eq!((counts.pending, counts.in_progress, counts.completed), (1, 2, 1));
        assert_eq!((counts.unfinished(), counts.total()), (3, 4));
        let unfinished = todo.unfinished();
        let contents: Vec<_> = unfinished.items().iter().map(super::TodoItem::content).collect();
        assert_eq!(contents, ["a", "b", "c"]);
    }

    #[test]
    fn dropped_items_are_counted_with_multiplicity() {
        let old =
            list(&[("a", "pending"), ("a", "in_progress"), ("b", "pending"), ("c", "completed")]);
        for (new, dropped) in [
            (list(&[]), 3),
            (list(&[("a", "completed")]), 2),
            (list(&[("a", "pending"), ("a", "pending"), ("b", "completed")]), 0),
            (list(&[("A", "pending"), ("b", "pending"), ("b", "pending")]), 2),
        ] {
            assert_eq!(old.unfinished_dropped_by(&new), dropped);
        }
    }

    #[test]
    fn a_status_is_exactly_its_word() {
        for status in TodoStatus::ALL {
            assert_eq!(TodoStatus::from_word(status.as_str()), Some(status));
            assert_eq!(serde_json::json!(status), status.as_str());
        }
        for other in ["", "Pending", " pending", "in-progress", "done"] {
            assert_eq!(TodoStatus::from_word(other), None, "{other}");
        }
    }
}
