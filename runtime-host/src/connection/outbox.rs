//! What waits to be written to one connection: whole frames, one after the other, so that a wake
//! of the task ends in one write.

use std::pin::Pin;
use std::task::{Context, Poll};

use maka_host_protocol::{ErrorBody, ErrorCode, MAX_FRAME_BYTES, Reply};
use serde::Serialize;
use tokio::io::AsyncWrite;
use tokio::net::UnixStream;

/// Waiting bytes from which nothing more is answered until some are taken. One frame may go over
/// it, so a connection holds at most this and one frame.
const HIGH_WATER: usize = 262_144;

/// Capacity that an idle connection keeps.
const IDLE_CAPACITY: usize = 16_384;

/// Frames that wait, from `sent` on.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    bytes: Vec<u8>,
    sent: usize,
}

impl Outbox {
    pub(super) fn is_empty(&self) -> bool {
        self.sent == self.bytes.len()
    }

    /// Whether no more may be put in now.
    pub(super) fn is_full(&self) -> bool {
        self.bytes.len() - self.sent >= HIGH_WATER
    }

    /// Puts a reply in; one over the frame becomes an error reply.
    pub(super) fn reply(&mut self, reply: Reply) {
        if !self.frame(&reply) {
            tracing::error!(operation = %reply.operation, "a reply is over the frame");
            let message = format!("the reply is over {MAX_FRAME_BYTES} bytes");
            let body = ErrorBody::new(ErrorCode::InternalFailure, message)
                .with_hint("ask for less, for example with a smaller limit");
            self.frame(&Reply::new(reply.request_id, reply.operation, Err(body)));
        }
    }

    /// Puts a frame in. Tells whether it was within the limit; nothing is put in if not.
    pub(super) fn frame(&mut self, frame: &impl Serialize) -> bool {
        let start = self.bytes.len();
        let written = serde_json::to_writer(&mut self.bytes, frame).is_ok();
        let fits = written && self.bytes.len() - start <= MAX_FRAME_BYTES;
        if fits {
            self.bytes.push(b'\n');
        } else {
            self.bytes.truncate(start);
        }
        fits
    }

    /// Drops every frame of which no byte was sent, so that a last one can follow.
    pub(super) fn cut(&mut self) {
        let at_start = self.sent == 0 || self.bytes.get(self.sent - 1) == Some(&b'\n');
        let waiting = self.bytes.get(self.sent..).unwrap_or_default();
        let rest = if at_start {
            0
        } else {
            waiting.iter().position(|byte| *byte == b'\n').map_or(waiting.len(), |end| end + 1)
        };
        self.bytes.truncate(self.sent + rest);
    }

    /// Writes what the peer takes. Ready once nothing waits any more; tells in `progress` whether
    /// any byte was taken.
    pub(super) fn poll_flush(
        &mut self,
        stream: &mut UnixStream,
        cx: &mut Context<'_>,
        progress: &mut bool,
    ) -> Poll<std::io::Result<()>> {
        while !self.is_empty() {
            let waiting = self.bytes.get(self.sent..).unwrap_or_default();
            match Pin::new(&mut *stream).poll_write(cx, waiting) {
                Poll::Ready(Ok(0)) => {
                    return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into()));
                }
                Poll::Ready(Ok(taken)) => {
                    self.sent += taken;
                    *progress = true;
                }
                Poll::Ready(Err(fault)) => return Poll::Ready(Err(fault)),
                Poll::Pending => {
                    self.forget_sent();
                    return Poll::Pending;
                }
            }
        }
        self.bytes.clear();
        self.sent = 0;
        Poll::Ready(Ok(()))
    }

    /// Gives memory back that a large frame took.
    pub(super) fn relax(&mut self) {
        if self.bytes.is_empty() && self.bytes.capacity() > IDLE_CAPACITY {
            self.bytes = Vec::new();
        }
    }

    /// Moves what waits to the front, once that is cheap; the last sent byte stays, for
    /// [`Outbox::cut`].
    fn forget_sent(&mut self) {
        if self.sent > HIGH_WATER {
            self.bytes.drain(..self.sent - 1);
            self.sent = 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use maka_host_protocol::{Reply, RequestId};
    use serde_json::value::to_raw_value;

    use super::Outbox;

    #[test]
    fn a_reply_over_the_frame_becomes_an_error_reply() {
        let mut outbox = Outbox::default();
        let result = to_raw_value(&"x".repeat(800_000)).expect("a string");
        outbox.reply(Reply::new(RequestId("1".into()), "session.list".into(), Ok(result)));
        let line = String::from_utf8(outbox.bytes.clone()).expect("text");
        assert!(line.contains("\"ok\":false") && line.contains("internal_failure"), "{line}");
        assert!(line.ends_with('\n'));
    }

    #[test]
    fn a_cut_keeps_the_frame_that_is_on_its_way_and_no_other() {
        for (sent, kept) in [(0, ""), (1, "[1]\n"), (4, "[1]\n"), (5, "[1]\n[2]\n")] {
            let mut outbox = Outbox::default();
            for number in 1..=3 {
                assert!(outbox.frame(&[number]));
            }
            outbox.sent = sent;
            outbox.cut();
            assert_eq!(outbox.bytes, kept.as_bytes(), "{sent} bytes were sent");
        }
    }
}
