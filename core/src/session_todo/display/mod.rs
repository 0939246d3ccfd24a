//! The display projection: one pure function that makes stored text safe to show to a model, in a
//! terminal and in a window.
//!
//! Three stages act in this order: `clean` settles the Unicode, `tags` swaps the brackets of
//! reserved tags, `secrets` masks credentials. Tags and secrets are found on the `shadow`, an
//! ASCII reading of the text, and changed in the text itself, so the author's characters stay.
//! Repeating the stages until nothing changes makes the projection idempotent by construction.

mod class;
mod clean;
mod marks;
mod project;
mod secrets;
mod shadow;
mod soft;
mod tags;

pub use project::{INVISIBLE, REDACTED, project};
