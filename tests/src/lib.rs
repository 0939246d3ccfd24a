#![doc = include_str!("../README.md")]

pub mod arrows;
pub mod bench;
pub mod drill;
pub mod dump;
pub mod host_process;
pub mod limits;
pub mod numbered;
pub mod program;
pub mod promises;
pub mod random;
pub mod scratch;
pub mod wire;
