//! `session.get`: one Session's facts.

use maka_host_protocol::{SessionGetInput, SessionResult};

use crate::errors::{Failure, not_found};
use crate::services::Caller;

pub(super) async fn run(caller: &Caller, input: SessionGetInput) -> Result<SessionResult, Failure> {
    let id = input.session_id;
    let session = caller.services.sessions.get(&id).await?.ok_or_else(|| not_found(&id))?;
    Ok(SessionResult { session })
}
