//! Which Session the server serves, and how that is said.

use std::io::Write;

use maka_core::Session;
use maka_host_client::HostClient;

use crate::args::McpArgs;
use crate::commands::folder_name;
use crate::failure::Failure;
use crate::output::safe;
use crate::select::select;

/// The one Session of this process.
#[derive(Debug)]
pub(super) struct Binding {
    pub(super) session: Session,
    /// Whether it was made just now.
    made: bool,
}

/// Finds the Session, or makes it.
///
/// # Errors
/// Exit code 3 where `--session` names none, 1 where it names several or the name is refused.
pub(super) async fn bind(args: McpArgs, client: &HostClient) -> Result<Binding, Failure> {
    if let Some(given) = &args.session {
        let session = select(client, given).await?;
        return Ok(Binding { session, made: false });
    }
    let name = args.session_name.unwrap_or_else(folder_name);
    if args.new {
        let session = client.session_create(&name, None).await?;
        return Ok(Binding { session, made: true });
    }
    let opened = client.session_open_by_name(&name).await?;
    Ok(Binding { session: opened.session, made: opened.created })
}

impl Binding {
    /// Says on standard error which Session it is. The agent's log is where a person looks for it.
    pub(super) fn announce(&self) {
        let name = safe(self.session.name.as_str());
        let how = if self.made { "made now" } else { "found" };
        let archived = if self.session.archived { ", archived" } else { "" };
        // An agent that closed our standard error wants no word.
        let _ = writeln!(
            anstream::stderr(),
            "maka mcp: serving Session {} \"{name}\" ({how}{archived})",
            self.session.session_id,
        );
    }
}
