//! The command line: one file per group of commands, each with the examples its `-h` shows.

mod backup;
mod host;
mod mcp;
mod session;
mod todo;
mod tool;
mod top;
mod upgrade;
mod whole_number;

pub use backup::{
    BackupArgs, BackupCommand, BackupCreateArgs, BackupListArgs, BackupPruneArgs,
    BackupRestoreArgs, BackupVerifyArgs,
};
pub use host::{HostArgs, HostCommand, HostRunArgs, HostStartArgs, HostStatusArgs, HostStopArgs};
pub use mcp::McpArgs;
pub use session::{
    SessionArgs, SessionCommand, SessionListArgs, SessionNewArgs, SessionRenameArgs,
    SessionShowArgs,
};
pub use todo::{TodoArgs, TodoCommand, TodoListArgs, TodoShowArgs, TodoWatchArgs};
pub use tool::{SchemaFormat, ToolArgs, ToolCallArgs, ToolCommand, ToolListArgs, ToolSchemaArgs};
pub use top::{Cli, Command, CompletionsArgs, DemoArgs, ManArgs};
pub use upgrade::UpgradeArgs;
