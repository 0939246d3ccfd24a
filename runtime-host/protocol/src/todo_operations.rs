//! Inputs and results of the operations that read Todos, and of subscriptions.

use maka_core::session_todo::{SessionTodo, TodoCounts};
use maka_core::{PageRequest, Session, SessionId};
use serde::{Deserialize, Deserializer, Serialize};

use crate::SubscriptionId;

/// A list on the wire: `[{"content","status"}]`, canonical and not projected. Reading one
/// validates it, so a frame with a list that breaks the document's rules is refused.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WireTodo(pub SessionTodo);

impl<'de> Deserialize<'de> for WireTodo {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = serde_json::Value::deserialize(deserializer)?;
        SessionTodo::from_value(&value).map(Self).map_err(serde::de::Error::custom)
    }
}

/// `session.todo.query`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SessionTodoQueryInput {
    /// The Session.
    pub session_id: SessionId,
}

/// The whole current list. The surface projects it, once.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTodoQueryResult {
    /// The Session.
    pub session_id: SessionId,
    /// The list.
    pub items: WireTodo,
}

/// `session.todo.overview`: a page.
pub type SessionTodoOverviewInput = PageRequest;

/// One Session with unfinished items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTodoOverviewEntry {
    /// The Session.
    pub session: Session,
    /// How many items stand at each status; absent where the stored list is damaged.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub counts: Option<TodoCounts>,
    /// The unfinished items in list order, not projected.
    pub unfinished: WireTodo,
}

/// A page of Sessions with unfinished items, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionTodoOverviewResult {
    /// The Sessions.
    pub entries: Vec<SessionTodoOverviewEntry>,
    /// Continues after the last one; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub next_cursor: Option<String>,
}

/// `subscription.open`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubscriptionOpenInput {
    /// The one Session to hear of; absent means all.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub session_id: Option<SessionId>,
}

/// The open subscription. Every change after this reply is signalled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubscriptionOpenResult {
    /// Names it in its signals.
    pub subscription_id: SubscriptionId,
}

/// `subscription.close`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SubscriptionCloseInput {
    /// The subscription to end.
    pub subscription_id: SubscriptionId,
}
