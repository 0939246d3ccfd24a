//! `maka mcp`: serves one Session to an agent over MCP on standard input and output.

mod binding;
mod call_order;
mod client_name;
#[cfg(test)]
mod conversation;
mod door;
mod handler;
mod host_door;
mod incoming;
mod line_reader;
mod resource;
mod serve;
mod tools;
mod transport;
mod updates;

pub(crate) use serve::run;
