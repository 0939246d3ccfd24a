//! The list as a resource.

use maka_core::SessionId;
use maka_core::session_todo::TodoView;
use rmcp::model::{ErrorData, ReadResourceResult, Resource, ResourceContents};
use serde_json::json;

/// The one resource of the server: its address and how it is listed.
#[derive(Debug, Clone)]
pub(super) struct TodoResource {
    uri: String,
    title: String,
}

const MIME_TYPE: &str = "application/json";

impl TodoResource {
    /// `session_name` is projected already.
    pub(super) fn new(session: &SessionId, session_name: &str) -> Self {
        Self {
            uri: format!("maka://session/{session}/todo"),
            title: format!("Todo of {session_name}"),
        }
    }

    pub(super) fn uri(&self) -> &str {
        &self.uri
    }

    pub(super) fn listed(&self) -> Resource {
        Resource::new(self.uri.clone(), "todo")
            .with_title(self.title.clone())
            .with_description("The Session's current Todo list, ready to show (maka.todo.v1)")
            .with_mime_type(MIME_TYPE)
    }

    /// # Errors
    /// Where `uri` is not this resource.
    pub(super) fn check(&self, uri: &str) -> Result<(), ErrorData> {
        if uri == self.uri {
            return Ok(());
        }
        let message = format!("there is no such resource; this server has only {}", self.uri);
        Err(ErrorData::resource_not_found(message, Some(json!({ "uri": uri }))))
    }

    /// # Errors
    /// Where the list cannot be encoded, which would be a defect.
    pub(super) fn contents(&self, view: &TodoView) -> Result<ReadResourceResult, ErrorData> {
        let text = serde_json::to_string(view)
            .map_err(|_| ErrorData::internal_error("failed to encode the list", None))?;
        let contents = ResourceContents::text(text, self.uri.clone()).with_mime_type(MIME_TYPE);
        Ok(ReadResourceResult::new(vec![contents]))
    }
}
