//! The suites of the crate, in one binary.

mod dump;
mod harness;
mod real_workspaces;
mod root;
mod store_cases;
mod upgrade_plan;
mod workspace;
