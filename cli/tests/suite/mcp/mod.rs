//! `maka mcp` against a real Host, spoken to line by line.

mod agent;
mod binding;
mod edges;
mod restart;
mod subscription;
