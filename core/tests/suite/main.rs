//! The suites of `maka-core` over its public interface.

#![cfg(test)]

mod document_cases;
mod projection_invariants;
mod projection_keys;
mod projection_kinds;
mod projection_survivors;
mod projection_tags;
mod projection_tokens;
mod projection_vectors;
