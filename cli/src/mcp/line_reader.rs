//! Whole lines from a byte stream, in bounded memory.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// The longest line that is read, in bytes without its line end: far above the largest call that
/// the Host takes, so that an oversized call can still be answered by its id.
pub(super) const MAX_LINE_BYTES: usize = 8 * 1024 * 1024;

/// What the stream gave.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line without its line feed; the last one may have come without any.
    Whole(Vec<u8>),
    /// A line over the limit, thrown away.
    TooLong,
    /// The stream has ended.
    End,
}

/// Reads lines. A read that is given up in the middle loses nothing: the next one goes on there.
#[derive(Debug)]
pub(super) struct LineReader<R> {
    reader: BufReader<R>,
    line: Vec<u8>,
    /// The rest of a line over the limit is being thrown away.
    dropping: bool,
    max_bytes: usize,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(super) fn new(reader: R, max_bytes: usize) -> Self {
        Self { reader: BufReader::new(reader), line: Vec::new(), dropping: false, max_bytes }
    }

    /// Waits for the next line.
    ///
    /// # Errors
    /// Where the stream cannot be read.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            // Between this await and `consume` nothing waits, so nothing can be cut in half.
            let available = self.reader.fill_buf().await?;
            if available.is_empty() {
                return Ok(self.end());
            }
            let line_end = available.iter().position(|byte| *byte == b'\n');
            let taken = line_end.unwrap_or(available.len());
            if !self.dropping {
                self.line.extend_from_slice(available.get(..taken).unwrap_or_default());
            }
            self.reader.consume(taken + usize::from(line_end.is_some()));
            if self.line.len() > self.max_bytes {
                self.line = Vec::new();
                self.dropping = true;
            }
            if line_end.is_some() {
                return Ok(if std::mem::take(&mut self.dropping) {
                    Line::TooLong
                } else {
                    Line::Whole(std::mem::take(&mut self.line))
                });
            }
        }
    }

    fn end(&mut self) -> Line {
        if std::mem::take(&mut self.dropping) {
            Line::TooLong
        } else if self.line.is_empty() {
            Line::End
        } else {
            Line::Whole(std::mem::take(&mut self.line))
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::{Line, LineReader};

    #[tokio::test]
    async fn lines_come_whole_and_the_last_needs_no_line_end() {
        let mut lines = LineReader::new(&b"one\r\n\ntwo"[..], 16);
        for expected in ["one\r", "", "two"] {
            assert_eq!(lines.next().await.unwrap(), Line::Whole(expected.into()));
        }
        assert_eq!(lines.next().await.unwrap(), Line::End);
        assert_eq!(lines.next().await.unwrap(), Line::End);
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_dropped_and_the_next_one_is_read() {
        let (mut feed, stream) = tokio::io::duplex(7);
        let mut lines = LineReader::new(stream, 16);
        let writer = tokio::spawn(async move {
            feed.write_all(&[b'x'; 1000]).await.unwrap();
            feed.write_all(b"\n0123456789abcdef\nyyyyyyyyyyyyyyyyyyyyyyyyy").await.unwrap();
        });
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert_eq!(lines.next().await.unwrap(), Line::Whole(b"0123456789abcdef".into()));
        assert_eq!(lines.next().await.unwrap(), Line::TooLong);
        assert_eq!(lines.next().await.unwrap(), Line::End);
        writer.await.unwrap();
    }

    #[tokio::test]
    async fn a_read_that_was_given_up_goes_on_where_it_stopped() {
        let (mut feed, stream) = tokio::io::duplex(64);
        let mut lines = LineReader::new(stream, 64);
        feed.write_all(b"first ha").await.unwrap();
        tokio::select! {
            biased;
            line = lines.next() => panic!("there is no line yet: {line:?}"),
            () = std::future::ready(()) => {}
        }
        feed.write_all(b"lf\n").await.unwrap();
        assert_eq!(lines.next().await.unwrap(), Line::Whole(b"first half".into()));
    }
}
