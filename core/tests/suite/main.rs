//! The suites of `maka-core` over its public interface.

#![cfg(test)]

mod document_cases;
mod projection_invariants;
mod projection_kinds;
mod projection_vectors;
