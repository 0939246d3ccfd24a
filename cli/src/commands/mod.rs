//! The commands, one file a group.

mod completions;
mod dispatch;

pub(crate) use dispatch::dispatch;
