//! The cross-crate suites, as one test binary.
#![cfg(test)]

mod arrows;
mod damage;
mod demo;
mod hostile_frames;
mod largest;
mod promises;
mod refusing_machine;
mod restart;
mod spawn_race;
mod state_machine;
mod upgrades;
mod vanishing_clients;
