//! The cross-crate suites, as one test binary.
#![cfg(test)]

mod arrows;
