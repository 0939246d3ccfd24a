//! Frames: one JSON text a line, UTF-8, at most 786,432 bytes without the line end.

use serde::Serialize;

/// The largest line, in bytes, its line end not counted.
pub const MAX_FRAME_BYTES: usize = 786_432;

/// What is wrong with a line. Each ends the connection after the complete lines before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
pub enum FrameFault {
    /// Over the limit.
    #[error("a line is longer than {MAX_FRAME_BYTES} bytes")]
    TooLarge,
    /// Not UTF-8.
    #[error("a line is not UTF-8")]
    InvalidUtf8,
    /// Empty.
    #[error("a line is empty")]
    Empty,
    /// The stream ended inside a line.
    #[error("the stream ended inside a line")]
    Partial,
}

/// Takes bytes as they come and gives whole lines. Holds at most one line and the bytes pushed
/// after it.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    bytes: Vec<u8>,
    /// Bytes before this index were given out already.
    start: usize,
    /// No line end stands before this index.
    searched: usize,
}

impl FrameDecoder {
    /// Takes bytes from the stream.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 && self.start == self.bytes.len() {
            self.bytes.clear();
            self.start = 0;
            self.searched = 0;
        }
        self.bytes.extend_from_slice(bytes);
    }

    /// Gives the next whole line without its line end (LF or CR LF), or `None` when more bytes
    /// are needed.
    ///
    /// # Errors
    /// [`FrameFault`]; the decoder is of no use afterwards.
    pub fn next_frame(&mut self) -> Result<Option<String>, FrameFault> {
        let unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        let Some(offset) = unsearched.iter().position(|byte| *byte == b'\n') else {
            self.searched = self.bytes.len();
            // One byte of grace: the CR of a CR LF still to come.
            if self.bytes.len() - self.start > MAX_FRAME_BYTES + 1 {
                return Err(FrameFault::TooLarge);
            }
            self.compact();
            return Ok(None);
        };
        let end = self.searched + offset;
        let line = self.bytes.get(self.start..end).unwrap_or_default();
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let frame = match line.len() {
            0 => Err(FrameFault::Empty),
            length if length > MAX_FRAME_BYTES => Err(FrameFault::TooLarge),
            _ => match std::str::from_utf8(line) {
                Ok(text) => Ok(Some(text.to_owned())),
                Err(_) => Err(FrameFault::InvalidUtf8),
            },
        };
        self.start = end + 1;
        self.searched = self.start;
        frame
    }

    /// Tells whether the stream may end here.
    ///
    /// # Errors
    /// [`FrameFault::Partial`] inside a line.
    pub fn finish(&self) -> Result<(), FrameFault> {
        if self.start == self.bytes.len() { Ok(()) } else { Err(FrameFault::Partial) }
    }

    /// Moves the unfinished line to the front, so that the buffer does not grow with the stream.
    fn compact(&mut self) {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
    }
}

/// Encodes a message as one line, its line end included.
///
/// # Errors
/// [`FrameFault::TooLarge`] over the limit. Our own messages have no other way to fail.
pub fn encode_frame(message: &impl Serialize) -> Result<Vec<u8>, FrameFault> {
    let mut line = serde_json::to_vec(message).map_err(|_| FrameFault::TooLarge)?;
    if line.len() > MAX_FRAME_BYTES {
        return Err(FrameFault::TooLarge);
    }
    line.push(b'\n');
    Ok(line)
}
