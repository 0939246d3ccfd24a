//! Ports that stand in for a Host.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use maka_core::ports::{Replaced, SessionTodoPort, TodoPortError};
use maka_core::session_todo::SessionTodo;
use maka_core::{ClientName, SessionId};
use maka_runtime::{SessionTodoTools, ToolOutcome, ToolRegistry};

/// Keeps each Session's list in memory, and who wrote last.
#[derive(Debug, Default)]
pub(crate) struct MemoryPort {
    lists: Mutex<HashMap<SessionId, SessionTodo>>,
    pub(crate) writers: Mutex<Vec<String>>,
}

#[async_trait]
impl SessionTodoPort for MemoryPort {
    async fn read(&self, session: &SessionId) -> Result<SessionTodo, TodoPortError> {
        let mut lists = self.lists.lock().expect("no test has panicked");
        Ok(lists.entry(session.clone()).or_default().clone())
    }

    async fn write(
        &self,
        session: &SessionId,
        todo: SessionTodo,
        client: &ClientName,
    ) -> Result<Replaced, TodoPortError> {
        self.writers.lock().expect("no test has panicked").push(client.to_string());
        let mut lists = self.lists.lock().expect("no test has panicked");
        let old = lists.insert(session.clone(), todo.clone());
        let dropped_unfinished = old.map(|old| old.unfinished_dropped_by(&todo));
        Ok(Replaced { todo, dropped_unfinished })
    }
}

/// Stores something else than it was given.
#[derive(Debug)]
pub(crate) struct OtherPort(pub(crate) Replaced);

#[async_trait]
impl SessionTodoPort for OtherPort {
    async fn read(&self, _: &SessionId) -> Result<SessionTodo, TodoPortError> {
        Ok(self.0.todo.clone())
    }

    async fn write(
        &self,
        _: &SessionId,
        _: SessionTodo,
        _: &ClientName,
    ) -> Result<Replaced, TodoPortError> {
        Ok(self.0.clone())
    }
}

/// Fails as it is told to.
pub(crate) struct FailingPort(pub(crate) Box<dyn Fn() -> TodoPortError + Send + Sync>);

#[async_trait]
impl SessionTodoPort for FailingPort {
    async fn read(&self, _: &SessionId) -> Result<SessionTodo, TodoPortError> {
        Err((self.0)())
    }

    async fn write(
        &self,
        _: &SessionId,
        _: SessionTodo,
        _: &ClientName,
    ) -> Result<Replaced, TodoPortError> {
        Err((self.0)())
    }
}

pub(crate) fn session() -> SessionId {
    SessionId::parse("s-1").expect("an id")
}

pub(crate) fn client() -> ClientName {
    ClientName::parse("agent").expect("a name")
}

pub(crate) fn tools(port: impl SessionTodoPort + 'static) -> ToolRegistry {
    ToolRegistry::new(SessionTodoTools::new(Arc::new(port)))
}

/// Calls a tool whose port does not fail.
pub(crate) async fn settled(tools: &ToolRegistry, name: &str, arguments: &str) -> ToolOutcome {
    tools.call(&session(), &client(), name, arguments).await.expect("the port does not fail")
}

pub(crate) fn list(json: &str) -> SessionTodo {
    SessionTodo::from_json(json).expect("a valid list")
}
