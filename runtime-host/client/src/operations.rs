//! The operations as methods, thin over [`HostClient::call`].

use maka_core::{Session, SessionId};
use maka_host_protocol::{
    BackupCreateInput, BackupCreateResult, HostStatusResult, HostStopResult, Operation, Progress,
    SessionCreateInput, SessionGetInput, SessionListInput, SessionListResult,
    SessionOpenByNameInput, SessionOpenByNameResult, SessionRenameInput, SessionResult,
    SessionTodoOverviewEntry, SessionTodoOverviewInput, SessionTodoOverviewResult,
    SessionTodoQueryInput, SessionTodoQueryResult, ToolCallInput, ToolCallResult, ToolDescription,
    ToolListResult,
};
use serde_json::value::RawValue;

use crate::{CallError, HostClient};

/// The input of the operations that take none.
#[derive(serde::Serialize)]
pub(crate) struct NoInput {}

/// Each method waits for one answer, or for one a page.
///
/// # Errors
/// [`CallError`], all of them.
#[expect(clippy::missing_errors_doc, reason = "said once, for the whole block")]
impl HostClient {
    /// `host.status`.
    pub async fn host_status(&self) -> Result<HostStatusResult, CallError> {
        self.call(Operation::HostStatus, &NoInput {}).await
    }

    /// `host.stop`: returns when draining has begun; [`HostClient::closed`] waits for its end.
    pub async fn host_stop(&self) -> Result<HostStopResult, CallError> {
        self.call(Operation::HostStop, &NoInput {}).await
    }

    /// `session.list`: all pages, newest first.
    pub async fn session_list(&self, include_archived: bool) -> Result<Vec<Session>, CallError> {
        let mut input = SessionListInput { include_archived, ..SessionListInput::default() };
        let mut sessions = Vec::new();
        loop {
            let page: SessionListResult = self.call(Operation::SessionList, &input).await?;
            sessions.extend(page.sessions);
            match page.next_cursor {
                Some(cursor) => input.cursor = Some(cursor),
                None => return Ok(sessions),
            }
        }
    }

    /// `session.get`.
    pub async fn session_get(&self, session: &SessionId) -> Result<Session, CallError> {
        let input = SessionGetInput { session_id: session.clone() };
        let result: SessionResult = self.call(Operation::SessionGet, &input).await?;
        Ok(result.session)
    }

    /// `session.create`; the Host chooses the id where `session` is `None`.
    pub async fn session_create(
        &self,
        name: &str,
        session: Option<SessionId>,
    ) -> Result<Session, CallError> {
        let input = SessionCreateInput { name: name.to_owned(), session_id: session };
        let result: SessionResult = self.call(Operation::SessionCreate, &input).await?;
        Ok(result.session)
    }

    /// `session.open_by_name`.
    pub async fn session_open_by_name(
        &self,
        name: &str,
    ) -> Result<SessionOpenByNameResult, CallError> {
        let input = SessionOpenByNameInput { name: name.to_owned() };
        self.call(Operation::SessionOpenByName, &input).await
    }

    /// `session.rename`.
    pub async fn session_rename(
        &self,
        session: &SessionId,
        name: &str,
    ) -> Result<Session, CallError> {
        let input = SessionRenameInput { session_id: session.clone(), name: name.to_owned() };
        let result: SessionResult = self.call(Operation::SessionRename, &input).await?;
        Ok(result.session)
    }

    /// `session.todo.query`: the whole current list, not projected.
    pub async fn session_todo_query(
        &self,
        session: &SessionId,
    ) -> Result<SessionTodoQueryResult, CallError> {
        let input = SessionTodoQueryInput { session_id: session.clone() };
        self.call(Operation::SessionTodoQuery, &input).await
    }

    /// `session.todo.overview`: all pages, newest Session first.
    pub async fn session_todo_overview(&self) -> Result<Vec<SessionTodoOverviewEntry>, CallError> {
        let mut input = SessionTodoOverviewInput::default();
        let mut entries = Vec::new();
        loop {
            let page: SessionTodoOverviewResult =
                self.call(Operation::SessionTodoOverview, &input).await?;
            entries.extend(page.entries);
            match page.next_cursor {
                Some(cursor) => input.cursor = Some(cursor),
                None => return Ok(entries),
            }
        }
    }

    /// `backup.create` into an absolute path that does not exist yet.
    pub async fn backup_create(
        &self,
        path: String,
        on_progress: impl FnMut(Progress),
    ) -> Result<BackupCreateResult, CallError> {
        let input = BackupCreateInput { path };
        self.call_with_progress(Operation::BackupCreate, &input, on_progress).await
    }

    /// `tool.list`, on a model's connection.
    pub async fn tool_list(&self) -> Result<Vec<ToolDescription>, CallError> {
        let result: ToolListResult = self.call(Operation::ToolList, &NoInput {}).await?;
        Ok(result.tools)
    }

    /// `tool.call`, on a model's connection. The arguments go out as they are.
    pub async fn tool_call(
        &self,
        name: &str,
        arguments: Option<Box<RawValue>>,
    ) -> Result<ToolCallResult, CallError> {
        let input = ToolCallInput { name: name.to_owned(), arguments };
        self.call(Operation::ToolCall, &input).await
    }
}
