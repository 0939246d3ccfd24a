//! Why a command did not do what it was asked: what a person reads, and the exit code.

use std::io;

use crate::exit::Exit;

/// A command's end other than success. Never carries the content of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    exit: Exit,
    /// `None` ends the process without a word: the reader of our output has gone away.
    message: Option<String>,
    hint: Option<String>,
}

impl Failure {
    /// A failure with what went wrong, for a person.
    #[must_use]
    pub fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, message: Some(message.into()), hint: None }
    }

    /// A refusal, exit code 1.
    #[must_use]
    pub fn refused(message: impl Into<String>) -> Self {
        Self::new(Exit::Refused, message)
    }

    /// Nothing of that name, exit code 3.
    #[must_use]
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Exit::NotFound, message)
    }

    /// Adds what to do about it.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what to do about it, where anything helps.
    #[must_use]
    pub fn with_hint_if(mut self, hint: Option<String>) -> Self {
        self.hint = hint.or(self.hint);
        self
    }

    /// Ends the process with `exit` and prints nothing more.
    #[must_use]
    pub const fn silent(exit: Exit) -> Self {
        Self { exit, message: None, hint: None }
    }

    /// The exit code.
    #[must_use]
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// What went wrong; `None` where nothing is to be said.
    #[must_use]
    pub fn message(&self) -> Option<&str> {
        self.message.as_deref()
    }

    /// What to do about it.
    #[must_use]
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The machine refused `act`; exit code 3 where something is not there.
    #[must_use]
    pub fn io(act: &str, error: &io::Error) -> Self {
        let absent = error.kind() == io::ErrorKind::NotFound;
        let exit = if absent { Exit::NotFound } else { Exit::Refused };
        Self::new(exit, format!("failed to {act}: {error}"))
    }
}

/// Standard output refused a write. A reader that has gone (`maka … | head`) wanted no more: that
/// is success without a word.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Self::silent(Exit::Done)
        } else {
            Self::io("write the output", &error)
        }
    }
}

/// Says an error with its causes, each once, as `failed to A: B: C`.
#[must_use]
pub(crate) fn explain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        cause = inner.source();
    }
    text
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::{Exit, Failure};

    #[test]
    fn a_reader_that_went_away_is_a_quiet_success() {
        let failure = Failure::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!(failure.exit(), Exit::Done);
        assert_eq!(failure.message(), None);
        let failure = Failure::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(failure.exit(), Exit::Refused);
        assert!(failure.message().is_some());
    }
}
