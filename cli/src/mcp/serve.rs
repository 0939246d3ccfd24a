//! Binds the Session and serves until the client's stream ends.

use std::sync::Arc;

use rmcp::service::{ServerInitializeError, serve_server};
use tokio::io::{AsyncRead, AsyncWrite};

use super::binding::bind;
use super::door::Door;
use super::handler::Handler;
use super::host_door::HostDoor;
use super::resource::TodoResource;
use super::transport::StdioTransport;
use crate::args::McpArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::safe;

/// Runs the server until its input ends.
///
/// # Errors
/// Where the Session is not found or no Host can be reached.
pub(crate) async fn run(args: McpArgs, context: &Context) -> Result<Exit, Failure> {
    // Held until the door stands, so that the Host does not leave in between.
    let client = context.client().await?;
    let binding = bind(args, &client).await?;
    let session = &binding.session;
    let door = HostDoor::open(context, session.session_id.clone()).await?;
    drop(client);
    let resource = TodoResource::new(&session.session_id, &safe(session.name.as_str()));
    binding.announce();
    let (reader, writer) = rmcp::transport::stdio_pipes();
    serve(Arc::new(door), resource, reader, writer).await?;
    Ok(Exit::Done)
}

/// Serves `door` on a pair of streams until the client's stream ends.
///
/// # Errors
/// Where the client begins with something that no server could answer.
pub(super) async fn serve<D: Door>(
    door: Arc<D>,
    resource: TodoResource,
    reader: impl AsyncRead + Send + Unpin + 'static,
    writer: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), Failure> {
    let (transport, input_ended) = StdioTransport::new(reader, writer);
    let handler = Handler::new(door, resource, input_ended);
    match serve_server(handler, transport).await {
        Ok(service) => {
            // A task that failed has nothing more to serve; the client sees its stream end.
            let _ = service.waiting().await;
            Ok(())
        }
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        // The error's own text may repeat what the client sent.
        Err(_) => Err(Failure::refused("failed to begin MCP: the client's stream is of no use")),
    }
}
