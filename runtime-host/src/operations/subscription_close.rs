//! `subscription.close`: ends a subscription of this connection.

use maka_host_protocol::{ErrorBody, ErrorCode, SubscriptionCloseInput};
use serde::Serialize;

use crate::errors::Failure;
use crate::services::Caller;

/// `{}`: no signal of the subscription follows this reply.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Closed {}

pub(super) fn run(caller: &Caller, input: &SubscriptionCloseInput) -> Result<Closed, Failure> {
    if caller.subscriber.close(&input.subscription_id) {
        return Ok(Closed {});
    }
    let message = "this connection has no such subscription";
    Err(ErrorBody::new(ErrorCode::NotFound, message).into())
}
