//! The arrows between the crates: which may use which, and what none of them may ever link.

mod check;
mod graph;
mod rules;

pub use check::{Violation, violations};
pub use graph::{DependencyKind, Graph, read_workspace};
pub use rules::{Rule, rules};
