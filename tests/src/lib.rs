//! Cross-crate suites, fault injection and benchmarks.
