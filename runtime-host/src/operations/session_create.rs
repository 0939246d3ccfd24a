//! `session.create`: a new Session, under an id that the client or the Host chooses.

use maka_core::ports::CreateOutcome;
use maka_core::{NewSession, SessionName};
use maka_host_protocol::{ErrorBody, ErrorCode, SessionCreateInput, SessionResult};

use crate::errors::{Failure, invalid_request};
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SessionCreateInput,
) -> Result<SessionResult, Failure> {
    let services = &caller.services;
    let new = NewSession {
        name: name(&input.name)?,
        session_id: input.session_id.unwrap_or_else(|| services.ids.session_id()),
        created_at: services.clock.now(),
    };
    match services.session_changes.create(new).await? {
        CreateOutcome::Created(session) => Ok(SessionResult { session }),
        CreateOutcome::IdTaken => Err(id_taken().into()),
    }
}

/// Checks the name that a client gave.
pub(super) fn name(text: &str) -> Result<SessionName, ErrorBody> {
    SessionName::parse(text).map_err(|fault| invalid_request(fault.to_string()))
}

/// The error for an id that was used before, now or in the past.
pub(super) fn id_taken() -> ErrorBody {
    ErrorBody::new(ErrorCode::OperationConflict, "a Session has or had this id")
        .with_hint("choose another sessionId, or leave it out and the Host chooses one")
}
