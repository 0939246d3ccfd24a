//! Frames: one JSON text a line, UTF-8, at most 786,432 bytes without the line end.

use std::io::BufRead;

use serde::Serialize;

/// The largest line, in bytes, its line end not counted.
pub const MAX_FRAME_BYTES: usize = 786_432;

/// Lines from this size on are handed out together with the buffer they stand in, so that one
/// large line costs no copy and leaves no large buffer behind.
const LARGE_BYTES: usize = 32_768;

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

/// Takes bytes as they come and gives whole lines. Holds at most one line and what was pushed
/// since the last `None`; the work is linear in the bytes pushed, however they are cut.
#[derive(Debug, Default)]
pub struct FrameDecoder {
    bytes: Vec<u8>,
    /// Bytes before this index were given out already.
    start: usize,
    /// No line end stands before this index.
    searched: usize,
    /// The first fault; nothing is given out after it.
    fault: Option<FrameFault>,
}

impl FrameDecoder {
    /// Takes bytes from the stream. A caller asks for frames until there is none before it pushes
    /// more.
    pub fn push(&mut self, bytes: &[u8]) {
        if self.fault.is_none() {
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Gives the next whole line without its line end (LF or CR LF), or `None` when more bytes
    /// are needed.
    ///
    /// # Errors
    /// The first [`FrameFault`], once the lines before it have been given out; from then on always
    /// the same.
    pub fn next_frame(&mut self) -> Result<Option<String>, FrameFault> {
        if let Some(fault) = self.fault {
            return Err(fault);
        }
        let frame = self.take_line();
        if let Err(fault) = frame {
            *self = Self { fault: Some(fault), ..Self::default() };
        }
        frame
    }

    /// Tells whether the stream may end here.
    ///
    /// # Errors
    /// [`FrameFault::Partial`] inside a line, or the fault that was met before.
    pub fn finish(&self) -> Result<(), FrameFault> {
        match self.fault {
            Some(fault) => Err(fault),
            None if self.start == self.bytes.len() => Ok(()),
            None => Err(FrameFault::Partial),
        }
    }

    fn take_line(&mut self) -> Result<Option<String>, FrameFault> {
        let Some(end) = self.find_line_end() else {
            self.compact();
            // The limit and one more may still be a line of the limit, whose LF is to come.
            let whole = self.bytes.strip_suffix(b"\r").unwrap_or(&self.bytes);
            return if whole.len() > MAX_FRAME_BYTES {
                Err(FrameFault::TooLarge)
            } else {
                Ok(None)
            };
        };
        let line = self.bytes.get(self.start..end).unwrap_or_default();
        let length = line.strip_suffix(b"\r").unwrap_or(line).len();
        let line = match length {
            0 => return Err(FrameFault::Empty),
            length if length > MAX_FRAME_BYTES => return Err(FrameFault::TooLarge),
            length if length >= LARGE_BYTES => self.split_off_line(length, end),
            length => self.copy_line(length, end),
        };
        String::from_utf8(line).map(Some).map_err(|_| FrameFault::InvalidUtf8)
    }

    /// The index of the next LF.
    fn find_line_end(&mut self) -> Option<usize> {
        let mut unsearched = self.bytes.get(self.searched..).unwrap_or_default();
        // The standard library's own fast search; reading from a slice cannot fail.
        let passed = unsearched.skip_until(b'\n').unwrap_or(0);
        self.searched += passed;
        let last = self.searched.checked_sub(1).filter(|_| passed > 0)?;
        (self.bytes.get(last) == Some(&b'\n')).then_some(last)
    }

    fn copy_line(&mut self, length: usize, end: usize) -> Vec<u8> {
        let line = self.bytes.get(self.start..self.start + length).unwrap_or_default().to_vec();
        self.start = end + 1;
        line
    }

    fn split_off_line(&mut self, length: usize, end: usize) -> Vec<u8> {
        let rest = self.bytes.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.bytes, rest);
        line.drain(..self.start);
        line.truncate(length);
        self.start = 0;
        self.searched = 0;
        line
    }

    /// Moves the unfinished line to the front, so that the buffer does not grow with the stream.
    /// Every byte is moved at most once: what is moved was pushed since the last `None`.
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

#[cfg(test)]
mod tests {
    use super::FrameDecoder;

    /// The bytes that the decoder keeps after `pushes` were decoded.
    fn kept(pushes: impl IntoIterator<Item = Vec<u8>>) -> usize {
        let mut decoder = FrameDecoder::default();
        for push in pushes {
            decoder.push(&push);
            while decoder.next_frame().expect("valid lines").is_some() {}
        }
        decoder.bytes.capacity()
    }

    #[test]
    fn the_buffer_does_not_grow_with_the_stream() {
        assert!(kept((0..10_000).map(|_| b"[1]\n".to_vec())) < 1_024);
        assert!(kept((0..10_000).map(|_| b"]\n[1".to_vec())) < 1_024);
    }

    #[test]
    fn a_large_line_leaves_no_large_buffer_behind() {
        let mut line = vec![b'x'; 700_000];
        line.push(b'\n');
        let pieces: Vec<Vec<u8>> = line.chunks(65_536).map(<[u8]>::to_vec).collect();
        assert!(kept(pieces) < 1_024);
    }
}
