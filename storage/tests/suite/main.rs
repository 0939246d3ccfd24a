//! The suites of the crate, in one binary.

mod harness;
mod root;
mod store_cases;
