//! What people and programs read: standard output and standard error.

mod instant;
mod list_text;
mod markdown;
mod progress;
mod report;
mod session_shape;
mod stdout;

pub(crate) use instant::rfc3339;
pub(crate) use list_text::{list_text, status_sign, status_word};
pub(crate) use markdown::list_markdown;
pub(crate) use progress::PageBar;
pub(crate) use report::report;
pub(crate) use session_shape::{SessionJson, safe};
pub(crate) use stdout::Out;
