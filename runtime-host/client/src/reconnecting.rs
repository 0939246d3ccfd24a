//! A client that outlives the Host: it replaces a lost connection and calls again what may be
//! called again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use maka_core::SessionId;
use maka_host_protocol::{ErrorCode, Operation};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::Mutex;

use crate::{CallError, ConnectError, HostClient, Identity, SpawnSpec, Watch};

/// Holds what it takes to connect again. Clones share one connection.
#[derive(Debug, Clone)]
pub struct ReconnectingClient {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    root: PathBuf,
    identity: Identity,
    spawn: Option<SpawnSpec>,
    /// The connection of now. The lock is held while connecting, so that callers who find it lost
    /// replace it once.
    current: Mutex<Option<HostClient>>,
}

impl ReconnectingClient {
    /// Connects when it is first needed. With `spawn` it also starts a Host where none serves.
    #[must_use]
    pub fn new(root: &Path, identity: Identity, spawn: Option<SpawnSpec>) -> Self {
        let shared = Shared { root: root.to_owned(), identity, spawn, current: Mutex::new(None) };
        Self { shared: Arc::new(shared) }
    }

    /// The connection of now, or a new one where there is none.
    ///
    /// # Errors
    /// [`ConnectError`]
    pub async fn connected(&self) -> Result<HostClient, ConnectError> {
        let mut current = self.shared.current.lock().await;
        if let Some(client) = current.as_ref().filter(|client| !client.is_closed()) {
            return Ok(client.clone());
        }
        *current = None;
        let Shared { root, identity, spawn, .. } = &*self.shared;
        let client = match spawn {
            Some(spec) => HostClient::connect_or_spawn(root, identity, spec).await?,
            None => HostClient::connect(root, identity).await?,
        };
        Ok(current.insert(client).clone())
    }

    /// Calls an operation. Where the connection is lost before the answer, a call that did not go
    /// out or that changes nothing more when it is done twice is made once more over a new
    /// connection; the others fail with [`CallError::Closed`], and a caller reads before it tries
    /// again. A Host that is stopping has done nothing, so the next one is asked.
    ///
    /// # Errors
    /// [`CallError`]
    pub async fn call<I: Serialize, O: DeserializeOwned>(
        &self,
        operation: Operation,
        input: &I,
    ) -> Result<O, CallError> {
        let client = self.client().await?;
        let fault = match client.call(operation, input).await {
            Ok(result) => return Ok(result),
            Err(fault) => fault,
        };
        let again = match &fault {
            CallError::Closed { sent, .. } => !sent || may_be_done_twice(operation),
            CallError::Refused(body) => body.code == ErrorCode::HostDraining,
            CallError::BadReply(_)
            | CallError::Timeout
            | CallError::BadRequest(_)
            | CallError::Unreachable(_) => false,
        };
        if !again {
            return Err(fault);
        }
        self.discard(&client).await;
        self.client().await?.call(operation, input).await
    }

    /// Watches one Session, or all: change signals that go on over a lost connection.
    ///
    /// # Errors
    /// [`CallError`] where the first subscription fails.
    pub async fn watch(&self, session: Option<SessionId>) -> Result<Watch, CallError> {
        let subscription = self.client().await?.subscribe(session.clone()).await?;
        Ok(Watch::new(self.clone(), session, subscription))
    }

    pub(crate) async fn client(&self) -> Result<HostClient, CallError> {
        self.connected().await.map_err(|fault| CallError::Unreachable(Box::new(fault)))
    }

    /// Lets go of a connection that is of no more use, unless another has taken its place.
    async fn discard(&self, client: &HostClient) {
        let mut current = self.shared.current.lock().await;
        if current.as_ref().is_some_and(|current| current.is_same_connection(client)) {
            *current = None;
        }
    }
}

/// Whether an operation that may have been done already is simply done again: it reads, or its
/// second run finds what the first left. `session.rename` could undo a rename between the two.
const fn may_be_done_twice(operation: Operation) -> bool {
    match operation {
        Operation::HostStatus
        | Operation::SessionList
        | Operation::SessionGet
        | Operation::SessionOpenByName
        | Operation::SessionTodoQuery
        | Operation::SessionTodoOverview
        | Operation::ToolList
        | Operation::ToolCall => true,
        Operation::HostStop
        | Operation::SessionCreate
        | Operation::SessionRename
        | Operation::SubscriptionOpen
        | Operation::SubscriptionClose
        | Operation::BackupCreate => false,
    }
}
