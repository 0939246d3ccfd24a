//! Standard output, colour stripped where it is not a terminal or `NO_COLOR` is set.

use std::io::{self, Write};

use serde::Serialize;

use crate::failure::Failure;

/// The standard output of this process, flushed after each whole piece.
#[derive(Debug)]
pub(crate) struct Out {
    stream: anstream::AutoStream<io::Stdout>,
}

impl Default for Out {
    fn default() -> Self {
        Self { stream: anstream::stdout() }
    }
}

impl Out {
    /// Writes text and a line end.
    ///
    /// # Errors
    /// Where the stream refuses it; see `Failure::from`.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        writeln!(self.stream, "{text}")?;
        self.stream.flush()?;
        Ok(())
    }

    /// Writes text that ends its own lines.
    ///
    /// # Errors
    /// As [`Self::line`].
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.stream.write_all(text.as_bytes())?;
        self.stream.flush()?;
        Ok(())
    }

    /// Writes a value as one line of JSON.
    ///
    /// # Errors
    /// As [`Self::line`].
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let line = serde_json::to_string(value)
            .map_err(|error| Failure::refused(format!("failed to encode the result: {error}")))?;
        self.line(&line)
    }
}
