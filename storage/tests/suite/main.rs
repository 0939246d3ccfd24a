//! The suites of the crate, in one binary.

mod root;
