//! What people and programs read: standard output and standard error.

mod instant;
mod list_text;
mod markdown;
mod progress;
mod report;
mod session_shape;
mod stdout;
mod upgrade_text;

pub(crate) use instant::rfc3339;
pub(crate) use list_text::{list_text, status_sign, status_word};
pub(crate) use markdown::list_markdown;
pub(crate) use progress::ProgressLine;
pub(crate) use report::report;
pub(crate) use session_shape::{SessionJson, safe};
pub(crate) use stdout::Out;
pub(crate) use upgrade_text::{plan_text, report_text};
