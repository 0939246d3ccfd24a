//! The Runtime Host: the one authority over a state root.
