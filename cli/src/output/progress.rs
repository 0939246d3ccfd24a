//! A progress bar on standard error, where that is a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shows how far a long operation is. Draws nothing where standard error is not a terminal.
#[derive(Debug)]
pub(crate) struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// A bar that says `act` before it.
    pub(crate) fn new(act: &'static str) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        if let Ok(style) = ProgressStyle::with_template("{msg} [{bar:32}] {percent:>3}% {eta}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(act);
        Self { bar }
    }

    /// Says another act.
    pub(crate) fn say(&self, act: &'static str) {
        self.bar.set_message(act);
    }

    /// Shows `done` of `total` units.
    pub(crate) fn show(&self, done: u64, total: u64) {
        self.bar.set_length(total);
        self.bar.set_position(done);
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
