//! `session.rename`: another name for a Session that is not archived.

use maka_core::ports::RenameOutcome;
use maka_host_protocol::{ErrorBody, ErrorCode, SessionRenameInput, SessionResult};

use super::session_create::name;
use crate::errors::{Failure, not_found};
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SessionRenameInput,
) -> Result<SessionResult, Failure> {
    let id = input.session_id;
    let name = name(&input.name)?;
    match caller.services.session_changes.rename(id.clone(), name).await? {
        RenameOutcome::Renamed(session) => Ok(SessionResult { session }),
        RenameOutcome::NotPresent => Err(not_found(&id).into()),
        RenameOutcome::Archived => {
            let message =
                format!("Session {id} is archived, and an archived Session keeps its name");
            // No hint: nothing that a caller can send makes it open again.
            Err(ErrorBody::new(ErrorCode::OperationConflict, message).into())
        }
    }
}
