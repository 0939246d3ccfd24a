//! `host.status`: the Host's own facts. Answered in every phase.

use maka_host_protocol::HostStatusResult;

use crate::services::{Caller, HOST_VERSION};

pub(super) fn run(caller: &Caller) -> HostStatusResult {
    let services = &caller.services;
    let facts = &services.facts;
    HostStatusResult {
        pid: std::process::id(),
        host_epoch: facts.epoch.to_string(),
        host_version: HOST_VERSION.to_owned(),
        socket: facts.socket.display().to_string(),
        root: facts.root.display().to_string(),
        workflow_schema: maka_storage::WORKFLOW_VERSION,
        state: services.state(),
        connections: services.connections(),
        uptime_ms: u64::try_from(facts.started.elapsed().as_millis()).unwrap_or(u64::MAX),
    }
}
