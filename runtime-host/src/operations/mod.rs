//! The operations: one file each, and the door that all requests pass.

mod backup_create;
mod dispatch;
mod host_status;
mod host_stop;
mod input;
mod page;
mod session_create;
mod session_get;
mod session_list;
mod session_open_by_name;
mod session_rename;
mod session_todo_overview;
mod session_todo_query;
mod subscription_close;
mod subscription_open;
mod tool_call;
mod tool_list;

pub(crate) use dispatch::answer;
