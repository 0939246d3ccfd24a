//! The suite of the Runtime Host: `host.json` over a real socket and a real database, and the
//! coordinators over doubles with faults.

#![cfg(test)]

mod cases;
mod coordinator;
mod doubles;
mod frames;
mod in_flight;
mod lanes;
mod lifecycle;
mod live_host;
mod operations;
mod queries;
mod signals;
mod upgrades;
mod wire;
