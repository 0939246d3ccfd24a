//! The suite of the model's tools.
#![expect(clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

mod arguments;
mod cases;
mod descriptors;
mod doubles;
mod failures;
mod largest_list;
mod result_texts;
