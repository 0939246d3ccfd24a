//! The end of a connection: the last frames are written, then the Host's side is shut, then what
//! the peer still sends is read away until it closes too. Closing with unread bytes would reset
//! the connection under the peer before it has read why.

use std::time::Duration;

use maka_host_protocol::FrameDecoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;

use super::outbox::Outbox;

/// Closes within `patience`, whatever the peer does.
pub(super) async fn close(mut stream: UnixStream, mut outbox: Outbox, patience: Duration) {
    let closing = async {
        let mut progress = false;
        let flushed =
            std::future::poll_fn(|cx| outbox.poll_flush(&mut stream, cx, &mut progress)).await;
        if flushed.is_err() || stream.shutdown().await.is_err() {
            return;
        }
        let mut unread = [0; 1_024];
        while matches!(stream.read(&mut unread).await, Ok(read) if read > 0) {}
    };
    // A peer that does not take its last frame in time loses it.
    let _ = tokio::time::timeout(patience, closing).await;
}

/// Drops the decoder's memory where it holds nothing, after a large frame.
pub(super) fn relax(decoder: &mut FrameDecoder) {
    if decoder.finish().is_ok() {
        *decoder = FrameDecoder::default();
    }
}
