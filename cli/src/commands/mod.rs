//! The commands, one file a group.

mod backup;
mod completions;
mod dispatch;
mod folder_name;
mod host;
mod host_run;
mod session;
mod todo;
mod tool;
mod tool_schema;
mod upgrade;
mod watch;

pub(crate) use backup::verify_backup;
pub(crate) use dispatch::dispatch;
pub(crate) use folder_name::folder_name;
