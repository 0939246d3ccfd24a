//! Inputs and results of the operations on the Host itself.

use serde::{Deserialize, Serialize};

use crate::HostState;

/// `host.status`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostStatusResult {
    /// The Host's process id.
    pub pid: u32,
    /// Names this run of the Host.
    pub host_epoch: String,
    /// The Host's program version.
    pub host_version: String,
    /// The socket's path.
    pub socket: String,
    /// The state root's path.
    pub root: String,
    /// The workflow schema of the database.
    pub workflow_schema: u32,
    /// What the Host is doing.
    pub state: HostState,
    /// Connections now, this one included.
    pub connections: u32,
    /// Milliseconds since the Host took its lease.
    pub uptime_ms: u64,
}

/// `host.stop`. The reply comes when draining has begun; the connection closes when it is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HostStopResult {
    /// Always true.
    pub draining: bool,
}

/// `backup.create`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct BackupCreateInput {
    /// An absolute path that does not exist yet.
    pub path: String,
}

/// The verified backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BackupCreateResult {
    /// The backup's folder.
    pub path: String,
    /// Bytes of its database.
    pub bytes: u64,
    /// SHA-256 of its database, in hexadecimal.
    pub sha256: String,
}
