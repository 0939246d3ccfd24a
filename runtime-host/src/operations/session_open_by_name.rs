//! `session.open_by_name`: the newest unarchived Session of a name, made if there is none.

use maka_core::NewSession;
use maka_core::ports::OpenOutcome;
use maka_host_protocol::{SessionOpenByNameInput, SessionOpenByNameResult};

use super::session_create::{id_taken, name};
use crate::errors::Failure;
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SessionOpenByNameInput,
) -> Result<SessionOpenByNameResult, Failure> {
    let services = &caller.services;
    let new = NewSession {
        name: name(&input.name)?,
        session_id: services.ids.session_id(),
        created_at: services.clock.now(),
    };
    match services.session_changes.open_by_name(new).await? {
        OpenOutcome::Found(session) => Ok(SessionOpenByNameResult { session, created: false }),
        OpenOutcome::Created(session) => Ok(SessionOpenByNameResult { session, created: true }),
        OpenOutcome::IdTaken => Err(id_taken().into()),
    }
}
