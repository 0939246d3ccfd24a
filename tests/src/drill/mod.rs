//! The drill: a Host is killed again and again under writers of numbered lists, and after each
//! kill every list must be one that its writer sent, no older than the last one acknowledged.

mod run;
mod verdict;
mod writer;

pub use run::{DrillOptions, DrillReport, run_drill};
pub use verdict::Violation;
