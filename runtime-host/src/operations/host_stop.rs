//! `host.stop`: begins to drain. Asking again is fine.

use maka_host_protocol::HostStopResult;

use crate::server::StopReason;
use crate::services::Caller;

pub(super) fn run(caller: &Caller) -> HostStopResult {
    caller.services.draining.begin(StopReason::Requested);
    HostStopResult { draining: true }
}
