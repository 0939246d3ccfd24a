//! `session.todo.overview`: Sessions with unfinished items, in pages. Initializes nothing.

use maka_host_protocol::{
    SessionTodoOverviewEntry, SessionTodoOverviewInput, SessionTodoOverviewResult, WireTodo,
};
use serde_json::value::RawValue;

use super::page;
use crate::errors::Failure;
use crate::services::Caller;

/// Lists read at once: each may take 247,611 bytes, and the page is cut to one frame anyway.
const MOST_LISTS: u32 = 64;

pub(super) async fn run(
    caller: &Caller,
    input: SessionTodoOverviewInput,
) -> Result<Box<RawValue>, Failure> {
    let todos = &caller.services.todos;
    page::fitting(input, MOST_LISTS, |page| async move {
        let page = todos.overview(&page).await?;
        let entries = page.entries.into_iter().map(|entry| SessionTodoOverviewEntry {
            session: entry.session,
            counts: entry.counts,
            unfinished: WireTodo(entry.unfinished),
        });
        Ok(SessionTodoOverviewResult { entries: entries.collect(), next_cursor: page.next_cursor })
    })
    .await
}
