//! `subscription.open`: change signals of one Session, or of all.

use maka_core::Presence;
use maka_host_protocol::{SubscriptionOpenInput, SubscriptionOpenResult};

use crate::errors::{Failure, invalid_request, not_found};
use crate::server::MAX_SUBSCRIPTIONS;
use crate::services::Caller;

pub(super) async fn run(
    caller: &Caller,
    input: SubscriptionOpenInput,
) -> Result<SubscriptionOpenResult, Failure> {
    if let Some(session) = &input.session_id {
        match caller.services.sessions.presence(session).await? {
            Presence::Present => {}
            Presence::Removed | Presence::Absent => return Err(not_found(session).into()),
        }
    }
    let subscription_id = caller.subscriber.open(input.session_id).map_err(|_| {
        invalid_request(format!("this connection holds {MAX_SUBSCRIPTIONS} subscriptions already"))
            .with_hint("close one, or open one without sessionId: it hears of all Sessions")
    })?;
    Ok(SubscriptionOpenResult { subscription_id })
}
