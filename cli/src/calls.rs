//! The Host's operations where a command needs more than the one call.

use std::path::Path;

use maka_core::session_todo::SessionTodo;
use maka_core::{Session, SessionId};
use maka_host_client::{
    BackupCreateResult, CallError, ErrorCode, HostClient, Operation, SessionListInput,
    SessionListResult, ToolCallResult,
};
use serde_json::value::RawValue;

use crate::failure::Failure;

/// Reads a Session's facts; `None` where there is none of that id.
pub(crate) async fn session(
    client: &HostClient,
    session: &SessionId,
) -> Result<Option<Session>, Failure> {
    match client.session_get(session).await {
        Ok(session) => Ok(Some(session)),
        Err(CallError::Refused(error)) if error.code == ErrorCode::NotFound => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Reads the newest Session that is not archived.
pub(crate) async fn newest(client: &HostClient) -> Result<Option<Session>, Failure> {
    let input = SessionListInput { cursor: None, limit: Some(1), include_archived: false };
    let page: SessionListResult = client.call(Operation::SessionList, &input).await?;
    Ok(page.sessions.into_iter().next())
}

/// Reads a Session's canonical list; the first read initializes it.
pub(crate) async fn todo(client: &HostClient, session: &SessionId) -> Result<SessionTodo, Failure> {
    Ok(client.session_todo_query(session).await?.items.0)
}

/// Lets the Host make a verified backup at an absolute path.
pub(crate) async fn backup(
    client: &HostClient,
    dir: &Path,
    mut progress: impl FnMut(u64, u64),
) -> Result<BackupCreateResult, Failure> {
    let path = dir.to_str().map(str::to_owned).ok_or_else(|| {
        Failure::refused(format!("the path {} is not UTF-8", dir.display()))
            .with_hint("choose a folder whose whole path is UTF-8")
    })?;
    Ok(client.backup_create(path, |now| progress(now.done, now.total)).await?)
}

/// Calls a tool on a model's connection.
pub(crate) async fn tool(
    model: &HostClient,
    name: &str,
    arguments: Option<Box<RawValue>>,
) -> Result<ToolCallResult, Failure> {
    let arguments = arguments.as_deref().map(one_line).transpose()?;
    Ok(model.tool_call(name, arguments).await?)
}

/// JSON over several lines cannot travel in a frame, which is one line. White space between
/// tokens is the only place where a line end may stand in JSON.
fn one_line(value: &RawValue) -> Result<Box<RawValue>, Failure> {
    let text = value.get().replace(['\n', '\r'], " ");
    RawValue::from_string(text)
        .map_err(|error| Failure::refused(format!("failed to pass the arguments on: {error}")))
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::one_line;

    #[test]
    fn arguments_over_several_lines_become_one_line_and_mean_the_same() {
        let text = "{\r\n \"a\": \"x\\ny\"\n}";
        let value = RawValue::from_string(text.to_owned()).unwrap();
        let line = one_line(&value).unwrap();
        assert!(!line.get().contains(['\n', '\r']));
        let (before, after): (serde_json::Value, serde_json::Value) =
            (serde_json::from_str(text).unwrap(), serde_json::from_str(line.get()).unwrap());
        assert_eq!(before, after);
    }
}
