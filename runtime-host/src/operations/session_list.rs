//! `session.list`: the present Sessions in pages, newest first.

use maka_host_protocol::{SessionListInput, SessionListResult};
use serde_json::value::RawValue;

use super::page;
use crate::errors::Failure;
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SessionListInput,
) -> Result<Box<RawValue>, Failure> {
    let sessions = &caller.services.sessions;
    page::fitting(input.page(), u32::MAX, |page| async move {
        let page = sessions.list(&page, input.include_archived).await?;
        Ok(SessionListResult { sessions: page.entries, next_cursor: page.next_cursor })
    })
    .await
}
