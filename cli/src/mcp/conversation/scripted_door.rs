//! A door that answers from memory and writes down what it was asked.

use std::sync::Mutex;

use maka_core::SessionId;
use maka_core::session_todo::{SessionTodo, TodoView};
use maka_host_client::{ToolCallResult, ToolDescription};
use serde_json::json;
use serde_json::value::RawValue;
use tokio::sync::watch;

use crate::mcp::door::{Door, DoorFault};

/// What a call brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Called {
    pub(super) client: Option<String>,
    pub(super) tool: String,
    pub(super) arguments: Option<String>,
}

#[derive(Debug)]
pub(super) struct ScriptedDoor {
    pub(super) changes: watch::Sender<u64>,
    /// The calls in the order in which they arrived.
    pub(super) calls: Mutex<Vec<Called>>,
    /// Where it is set, everything fails with it.
    pub(super) fault: Mutex<Option<DoorFault>>,
}

impl ScriptedDoor {
    pub(super) fn new() -> Self {
        Self { changes: watch::Sender::new(0), calls: Mutex::default(), fault: Mutex::default() }
    }

    pub(super) fn change(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    pub(super) fn fail_with(&self, fault: DoorFault) {
        *self.fault.lock().unwrap() = Some(fault);
    }

    pub(super) fn session() -> SessionId {
        SessionId::parse("session-1").unwrap()
    }

    pub(super) fn view() -> TodoView {
        let items = json!([{ "content": "one", "status": "pending" }]);
        TodoView::of(Self::session(), &SessionTodo::from_value(&items).unwrap())
    }

    fn check(&self) -> Result<(), DoorFault> {
        self.fault.lock().unwrap().clone().map_or(Ok(()), Err)
    }
}

fn described(name: &str, read_only: bool) -> ToolDescription {
    ToolDescription {
        name: name.to_owned(),
        description: format!("about {name}"),
        input_schema: json!({ "type": "object" }),
        output_schema: json!({ "type": "object", "required": ["schema"] }),
        read_only,
        destructive: !read_only,
        idempotent: true,
    }
}

impl Door for ScriptedDoor {
    async fn tools(&self, _client: Option<&str>) -> Result<Vec<ToolDescription>, DoorFault> {
        self.check()?;
        Ok(vec![described("todo_read", true), described("todo_write", false)])
    }

    async fn call(
        &self,
        client: Option<&str>,
        name: String,
        arguments: Option<Box<RawValue>>,
    ) -> Result<ToolCallResult, DoorFault> {
        self.check()?;
        if name == "todo_write" {
            // A slow call: one that came later would overtake it here.
            for _ in 0..50 {
                tokio::task::yield_now().await;
            }
        }
        let ok = name.starts_with("todo_");
        let arguments = arguments.map(|raw| raw.get().to_owned());
        let client = client.map(ToOwned::to_owned);
        self.calls.lock().unwrap().push(Called { client, tool: name, arguments });
        let text = if ok { "The list has 1 item." } else { "There is no such tool." };
        Ok(ToolCallResult { ok, text: text.to_owned(), structured: ok.then(Self::view) })
    }

    async fn todo(&self) -> Result<TodoView, DoorFault> {
        self.check()?;
        Ok(Self::view())
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}
