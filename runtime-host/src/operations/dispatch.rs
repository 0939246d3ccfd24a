//! The door of all requests: name, role, draining, then the operation's own file.

use std::sync::Arc;

use maka_host_protocol::{
    ErrorBody, ErrorCode, Operation, Reply, ReplyOutcome, Request, RequestId,
};
use serde_json::value::RawValue;

use super::input::NoInput;
use super::{
    backup_create, host_status, host_stop, input, session_create, session_get, session_list,
    session_open_by_name, session_rename, session_todo_overview, session_todo_query,
    subscription_close, subscription_open, tool_call, tool_list,
};
use crate::errors::{Failure, draining};
use crate::services::Caller;

/// Answers a request. Never fails the connection: what is wrong becomes an error reply.
pub(crate) async fn answer(caller: Arc<Caller>, request: Request) -> Reply {
    let Request { request_id, operation, input } = request;
    let outcome = match admitted(&caller, &operation) {
        Ok(known) => run(&caller, known, &request_id, input.as_deref()).await,
        Err(refused) => Err(Failure::Refused(refused)),
    };
    Reply::new(request_id, operation, settled(&caller, outcome))
}

fn settled(caller: &Caller, outcome: Result<Box<RawValue>, Failure>) -> ReplyOutcome {
    outcome.map_err(|failure| {
        let (body, stop) = failure.into_body();
        if let Some(reason) = stop {
            caller.services.draining.begin(reason);
        }
        body
    })
}

fn admitted(caller: &Caller, name: &str) -> Result<Operation, ErrorBody> {
    let Some(operation) = Operation::from_wire(name) else {
        return Err(unknown(name));
    };
    if operation.is_for(caller.peer.role) {
        return Ok(operation);
    }
    let role = caller.peer.role.as_str();
    let message = format!("{} is not an operation of the role {role}", operation.as_str());
    Err(ErrorBody::new(ErrorCode::Unauthorized, message)
        .with_hint("the role is chosen in the hello; docs/protocol.md lists what each may do"))
}

fn unknown(name: &str) -> ErrorBody {
    if let Some(replacement) = Operation::replacement_of_removed(name) {
        let message = format!("{name} was removed, use {}", replacement.as_str());
        return ErrorBody::new(ErrorCode::UnknownOperation, message);
    }
    // A name comes from anyone and is not repeated unless it is as plain as a name can be.
    let plain = name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte));
    let message = if plain {
        format!("there is no operation {name}")
    } else {
        "no such operation".to_owned()
    };
    let body = ErrorBody::new(ErrorCode::UnknownOperation, message);
    if name.starts_with("session.todo.") {
        body.with_hint("a list is written by its model alone, with the tool todo_write")
    } else {
        body
    }
}

async fn run(
    caller: &Arc<Caller>,
    operation: Operation,
    request: &RequestId,
    raw: Option<&RawValue>,
) -> Result<Box<RawValue>, Failure> {
    // These two answer in every phase.
    if operation == Operation::HostStatus {
        input::read::<NoInput>(raw)?;
        return input::written(&host_status::run(caller));
    }
    if operation == Operation::HostStop {
        input::read::<NoInput>(raw)?;
        return input::written(&host_stop::run(caller));
    }
    let guard = caller.services.draining.admit().ok_or_else(draining)?;
    let result = match operation {
        Operation::SessionTodoQuery => {
            input::written(&session_todo_query::run(caller, input::read(raw)?).await?)
        }
        Operation::ToolCall => input::written(&tool_call::run(caller, input::read(raw)?).await?),
        Operation::ToolList => {
            input::read::<NoInput>(raw)?;
            input::written(&tool_list::run(caller))
        }
        Operation::SessionList => session_list::run(caller, input::read(raw)?).await,
        Operation::SessionGet => {
            input::written(&session_get::run(caller, input::read(raw)?).await?)
        }
        Operation::SessionCreate => {
            input::written(&session_create::run(caller, input::read(raw)?).await?)
        }
        Operation::SessionOpenByName => {
            input::written(&session_open_by_name::run(caller, input::read(raw)?).await?)
        }
        Operation::SessionRename => {
            input::written(&session_rename::run(caller, input::read(raw)?).await?)
        }
        Operation::SessionTodoOverview => {
            session_todo_overview::run(caller, input::read(raw)?).await
        }
        Operation::SubscriptionOpen => {
            input::written(&subscription_open::run(caller, input::read(raw)?).await?)
        }
        Operation::SubscriptionClose => {
            input::written(&subscription_close::run(caller, &input::read(raw)?)?)
        }
        Operation::BackupCreate => {
            input::written(&backup_create::run(caller, request, input::read(raw)?).await?)
        }
        // Answered above.
        Operation::HostStatus | Operation::HostStop => input::written(&()),
    };
    drop(guard);
    result
}
