//! How a failure is said on standard error.

use std::io::Write;

use anstyle::{AnsiColor, Style};

use crate::failure::Failure;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default();

/// Says a failure as `error: …` and `hint: …` on standard error.
pub(crate) fn report(failure: &Failure) {
    let mut stream = anstream::stderr().lock();
    // Nobody is left to tell where standard error itself refuses.
    if let Some(message) = failure.message() {
        let _ = writeln!(stream, "{ERROR}error:{ERROR:#} {message}");
    }
    if let Some(hint) = failure.hint() {
        let _ = writeln!(stream, "{HINT}hint:{HINT:#} {hint}");
    }
}
