//! Change signals that go on over a lost connection.

use std::time::Duration;

use maka_core::SessionId;
use maka_host_protocol::{ErrorCode, Invalidated};
use tokio::time::sleep;

use crate::{CallError, ConnectError, ReconnectingClient, Subscription};

/// Between two tries to reach a Host that does not serve.
const FIRST_PAUSE: Duration = Duration::from_millis(20);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// What a watcher is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signal {
    /// Something changed: re-read it.
    Changed(Invalidated),
    /// The Host is not reached; what was read may be old.
    Lost,
    /// The Host is reached again: re-read everything, for signals may have been missed.
    Recovered,
}

/// A subscription that is renewed whenever its connection is lost.
#[derive(Debug)]
pub struct Watch {
    client: ReconnectingClient,
    session: Option<SessionId>,
    subscription: Option<Subscription>,
    pause: Duration,
}

impl Watch {
    pub(crate) fn new(
        client: ReconnectingClient,
        session: Option<SessionId>,
        subscription: Subscription,
    ) -> Self {
        Self { client, session, subscription: Some(subscription), pause: FIRST_PAUSE }
    }

    /// Waits for the next signal. Dropping the future loses nothing.
    ///
    /// # Errors
    /// [`CallError`] where trying again would not help: the Session is gone, the workspace waits
    /// for an upgrade, the protocol is another. The next call tries again all the same.
    pub async fn next(&mut self) -> Result<Signal, CallError> {
        if let Some(subscription) = &mut self.subscription {
            let Some(signal) = subscription.next().await else {
                self.subscription = None;
                return Ok(Signal::Lost);
            };
            return Ok(Signal::Changed(signal));
        }
        loop {
            let fault = match self.renew().await {
                Ok(subscription) => {
                    self.subscription = Some(subscription);
                    self.pause = FIRST_PAUSE;
                    return Ok(Signal::Recovered);
                }
                Err(fault) => fault,
            };
            if !may_pass(&fault) {
                return Err(fault);
            }
            let pause = self.pause;
            self.pause = LONGEST_PAUSE.min(pause * 2);
            sleep(pause).await;
        }
    }

    async fn renew(&self) -> Result<Subscription, CallError> {
        self.client.client().await?.subscribe(self.session.clone()).await
    }
}

/// Whether a later try may succeed by itself.
fn may_pass(fault: &CallError) -> bool {
    match fault {
        CallError::Closed { .. } | CallError::Timeout => true,
        CallError::Refused(body) => body.code == ErrorCode::HostDraining,
        CallError::BadReply(_) | CallError::BadRequest(_) => false,
        CallError::Unreachable(fault) => match &**fault {
            ConnectError::NotRunning { .. }
            | ConnectError::Closed(_)
            | ConnectError::Timeout
            | ConnectError::Io(_)
            | ConnectError::StartTimeout
            | ConnectError::StartFailed => true,
            ConnectError::Refused(refused) => refused.code == ErrorCode::HostDraining,
            ConnectError::BadHandshake
            | ConnectError::Spawn { .. }
            | ConnectError::StartRefused(_) => false,
        },
    }
}
