//! What people and programs read: standard output and standard error.

mod report;
mod stdout;

pub(crate) use report::report;
pub(crate) use stdout::Out;
