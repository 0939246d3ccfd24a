//! `tool.call`: the remote end of the Host's tool port. The Session is the connection's own.

use maka_host_protocol::{ToolCallInput, ToolCallResult};

use crate::errors::{Failure, invalid_request};
use crate::services::Caller;

pub(super) async fn run(caller: &Caller, input: ToolCallInput) -> Result<ToolCallResult, Failure> {
    let peer = &caller.peer;
    // The handshake gives every model connection its Session.
    let Some(session) = &peer.session else {
        return Err(invalid_request("this connection is bound to no Session").into());
    };
    let arguments = input.arguments.as_ref().map_or("{}", |raw| raw.get());
    let called = caller.services.tools.call(session, &peer.client, &input.name, arguments).await;
    let outcome = called.map_err(|fault| Failure::from(fault.cause))?;
    Ok(ToolCallResult { ok: outcome.ok, text: outcome.text, structured: outcome.structured })
}
