//! `session.todo.query`: a Session's whole list, as it is stored. The contract's first read: where
//! there was no list, an empty one is stored and returned.

use maka_core::ports::SessionTodoPort;
use maka_host_protocol::{SessionTodoQueryInput, SessionTodoQueryResult, WireTodo};

use crate::errors::Failure;
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SessionTodoQueryInput,
) -> Result<SessionTodoQueryResult, Failure> {
    let todo = caller.services.todo.read(&input.session_id).await?;
    Ok(SessionTodoQueryResult { session_id: input.session_id, items: WireTodo(todo) })
}
