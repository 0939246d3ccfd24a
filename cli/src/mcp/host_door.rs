//! The door to a real Host: one connection as the Session's model, one as a viewer, and one that
//! only watches. All of them outlive the Host.

use std::time::Duration;

use maka_core::SessionId;
use maka_core::session_todo::TodoView;
use maka_host_client::{
    CallError, Domain, Identity, Operation, ReconnectingClient, SessionTodoQueryInput,
    SessionTodoQueryResult, Signal, SpawnSpec, ToolCallInput, ToolCallResult, ToolDescription,
    ToolListResult, Watch,
};
use serde::Serialize;
use serde_json::value::RawValue;
use tokio::sync::{OnceCell, watch};
use tokio::task::AbortHandle;

use super::client_name;
use super::door::{Door, DoorFault};
use crate::context::Context;
use crate::failure::Failure;

/// Between two tries to watch after a fault that a person must mend, such as a workspace that
/// waits for its upgrade.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// One Session of the Host of one state root.
#[derive(Debug)]
pub(super) struct HostDoor {
    context: Context,
    session: SessionId,
    spawn: SpawnSpec,
    /// Made at the first request, when the client has said what it is called.
    model: OnceCell<ReconnectingClient>,
    viewer: ReconnectingClient,
    changes: watch::Sender<u64>,
    watching: AbortHandle,
}

impl HostDoor {
    /// Opens the door and watches the Session from now on. Calls and reads start a Host where none
    /// runs; the watch only waits for one, so that an idle agent does not undo `maka host stop`.
    ///
    /// # Errors
    /// Where the Session cannot be watched.
    pub(super) async fn open(context: &Context, session: SessionId) -> Result<Self, Failure> {
        let spawn = context.spawn_spec()?;
        let name =
            client_name::of_client(None).map_err(|fault| Failure::refused(fault.to_string()))?;
        let viewer =
            |spawn| ReconnectingClient::new(context.root(), Identity::viewer(name.clone()), spawn);
        let watched = viewer(None).watch(Some(session.clone())).await?;
        let changes = watch::Sender::new(0);
        let watching = tokio::spawn(count_changes(watched, changes.clone())).abort_handle();
        Ok(Self {
            viewer: viewer(Some(spawn.clone())),
            context: context.clone(),
            session,
            spawn,
            model: OnceCell::new(),
            changes,
            watching,
        })
    }

    async fn model(&self, client: Option<&str>) -> Result<&ReconnectingClient, DoorFault> {
        let connect = async || {
            let name = client_name::of_client(client)
                .map_err(|fault| DoorFault::new(fault.to_string()))?;
            let identity = Identity::model(name, self.session.clone());
            let spawn = Some(self.spawn.clone());
            Ok(ReconnectingClient::new(self.context.root(), identity, spawn))
        };
        self.model.get_or_try_init(connect).await
    }
}

impl Drop for HostDoor {
    fn drop(&mut self) {
        self.watching.abort();
    }
}

impl Door for HostDoor {
    async fn tools(&self, client: Option<&str>) -> Result<Vec<ToolDescription>, DoorFault> {
        let listed: Result<ToolListResult, _> =
            self.model(client).await?.call(Operation::ToolList, &NoInput {}).await;
        Ok(listed.map_err(fault)?.tools)
    }

    async fn call(
        &self,
        client: Option<&str>,
        name: String,
        arguments: Option<Box<RawValue>>,
    ) -> Result<ToolCallResult, DoorFault> {
        let input = ToolCallInput { name, arguments };
        self.model(client).await?.call(Operation::ToolCall, &input).await.map_err(fault)
    }

    async fn todo(&self) -> Result<TodoView, DoorFault> {
        let input = SessionTodoQueryInput { session_id: self.session.clone() };
        let read: Result<SessionTodoQueryResult, _> =
            self.viewer.call(Operation::SessionTodoQuery, &input).await;
        Ok(TodoView::of(self.session.clone(), &read.map_err(fault)?.items.0))
    }

    fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }
}

#[derive(Serialize)]
struct NoInput {}

/// Says a failed call in the words of the commands.
fn fault(error: CallError) -> DoorFault {
    if let CallError::BadRequest(_) = &error {
        return DoorFault::new("the arguments are too large to be sent; nothing was saved")
            .with_hint("send at most 200 items of at most 200 code points each");
    }
    let failure = Failure::from(error);
    let message = failure.message().unwrap_or("the Runtime Host did not answer");
    let fault = DoorFault::new(message);
    match failure.hint() {
        Some(hint) => fault.with_hint(hint),
        None => fault,
    }
}

/// Counts what a subscriber must hear of: changes of the list, and a Host that is reached again.
async fn count_changes(mut watched: Watch, changes: watch::Sender<u64>) {
    loop {
        match watched.next().await {
            Ok(Signal::Changed(signal)) if signal.domain != Domain::Todo => {}
            Ok(Signal::Lost) => {}
            Ok(Signal::Changed(_) | Signal::Recovered) => changes.send_modify(|count| *count += 1),
            Err(_) => tokio::time::sleep(LONG_PAUSE).await,
        }
    }
}
