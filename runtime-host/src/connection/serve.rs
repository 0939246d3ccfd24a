//! The task of one connection.
//!
//! It is one state machine that is polled, rather than a reader, a writer and a task a request: a
//! request that needs no waiting is read, answered and written in one poll, without a hop to
//! another task. Everything it holds is bounded: one frame being read, 64 requests in flight, the
//! outbox, and a mailbox of coalesced changes.

use std::future::{Future, poll_fn};
use std::mem::MaybeUninit;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use maka_host_protocol::{ErrorCode, ErrorFrame, FrameDecoder, Handshake, Notification};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::net::UnixStream;
use tokio::time::{Sleep, sleep, timeout};

use super::handshake::{self, Rejection};
use super::limits::ConnectionLimits;
use super::linger;
use super::outbox::Outbox;
use super::requests::{Requests, framing_error};
use crate::server::{Mail, Mailbox, Phase, Subscriber};
use crate::services::{Caller, Services};

/// Bytes read at once.
const READ_BYTES: usize = 16_384;
/// A line from which the decoder's memory is given back.
const LARGE_LINE: usize = 65_536;

/// Serves a connection until it ends.
pub(crate) async fn serve(
    mut stream: UnixStream,
    services: Arc<Services>,
    limits: ConnectionLimits,
) {
    let mut decoder = FrameDecoder::default();
    let mut outbox = Outbox::default();
    let hello = async {
        let line = handshake::first_frame(&mut stream, &mut decoder).await?;
        handshake::judge(&line, &services).await
    };
    let judged = match timeout(limits.handshake, hello).await {
        Ok(judged) => judged,
        Err(_) => Err(Rejection::Fault(handshake::too_late())),
    };
    let peer = match judged {
        Ok(peer) => peer,
        Err(rejection) => {
            match rejection {
                Rejection::Gone => return,
                Rejection::Fault(fault) => outbox.frame(&Notification::Error(fault)),
                Rejection::Refused(refused) => outbox.frame(&refused),
            };
            return linger::close(stream, outbox, limits.linger).await;
        }
    };
    outbox.frame(&Handshake::Accepted(services.accepted()));
    let mailbox = Arc::new(Mailbox::new(Arc::clone(&services.facts.epoch)));
    let subscriber = Subscriber::new(Arc::clone(&services.subscriptions), Arc::clone(&mailbox));
    let draining = services.draining.clone();
    let caller = Arc::new(Caller { services, peer, subscriber });
    let mut connection = Connection {
        stream,
        decoder,
        outbox,
        requests: Requests::new(caller),
        mailbox,
        input: Input::Open,
        closing: Box::pin(async move { draining.reached(Phase::Released).await }),
        stall: None,
        write_stall: limits.write_stall,
    };
    let end = poll_fn(|cx| connection.poll(cx)).await;
    let Connection { stream, mut outbox, requests, .. } = connection;
    // What still runs and is no write of its own ends here, and so do the subscriptions.
    drop(requests);
    match end {
        End::Gone => return,
        End::Done => {}
        End::Slow => {
            tracing::warn!("a slow consumer was closed");
            outbox.cut();
            outbox.frame(&Notification::Error(slow_consumer()));
        }
    }
    linger::close(stream, outbox, limits.linger).await;
}

/// How a connection ends.
enum End {
    /// The peer is not there any more.
    Gone,
    /// All was said.
    Done,
    /// The peer does not read.
    Slow,
}

/// What may still come from the peer.
enum Input {
    Open,
    /// The peer has shut its side; it gets its replies.
    Ended,
    /// It broke the framing; it gets the replies to what stood before, then this.
    Faulted(ErrorFrame),
}

struct Connection {
    stream: UnixStream,
    decoder: FrameDecoder,
    outbox: Outbox,
    requests: Requests,
    mailbox: Arc<Mailbox>,
    input: Input,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    stall: Option<Pin<Box<Sleep>>>,
    write_stall: Duration,
}

impl Connection {
    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<End> {
        loop {
            let mut moved = self.begin_requests(cx);
            moved |= self.take_answers(cx);
            match self.take_mail(cx) {
                Ok(taken) => moved |= taken,
                Err(end) => return Poll::Ready(end),
            }
            if let Input::Faulted(fault) = &self.input
                && self.requests.is_empty()
                && !self.outbox.is_full()
            {
                self.outbox.frame(&Notification::Error(fault.clone()));
                return Poll::Ready(End::Done);
            }
            let mut written = false;
            let flushed = self.outbox.poll_flush(&mut self.stream, cx, &mut written);
            if let Poll::Ready(Err(_)) = flushed {
                return Poll::Ready(End::Gone);
            }
            // What the Host still has to say when it closes is said while lingering.
            if self.closing.as_mut().poll(cx).is_ready() {
                return Poll::Ready(End::Done);
            }
            let ended = matches!(self.input, Input::Ended) && self.requests.is_empty();
            if ended && flushed.is_ready() {
                return Poll::Ready(End::Done);
            }
            if written {
                self.stall = None;
            }
            match self.fill(cx) {
                Poll::Ready(Ok(())) => moved = true,
                Poll::Ready(Err(_)) => return Poll::Ready(End::Gone),
                Poll::Pending => {}
            }
            if !moved && !written {
                return self.rest(cx);
            }
        }
    }

    /// Begins the requests that were read.
    fn begin_requests(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = false;
        while !matches!(self.input, Input::Faulted(_)) && !self.outbox.is_full() {
            let begun = match self.decoder.next_frame() {
                Ok(None) => {
                    if matches!(self.input, Input::Ended)
                        && let Err(fault) = self.decoder.finish()
                    {
                        self.input = Input::Faulted(framing_error(fault));
                        moved = true;
                    }
                    break;
                }
                Ok(Some(line)) => {
                    let begun = self.requests.begin(&line, cx);
                    if line.len() > LARGE_LINE {
                        linger::relax(&mut self.decoder);
                    }
                    begun
                }
                Err(fault) => Err(framing_error(fault)),
            };
            moved = true;
            match begun {
                Ok(Some(reply)) => self.outbox.reply(reply),
                Ok(None) => {}
                Err(fault) => self.input = Input::Faulted(fault),
            }
        }
        moved
    }

    /// Takes the replies that are ready.
    fn take_answers(&mut self, cx: &mut Context<'_>) -> bool {
        let mut moved = false;
        while !self.outbox.is_full() {
            let Some(reply) = self.requests.poll_answered(cx) else { break };
            self.outbox.reply(reply);
            moved = true;
        }
        moved
    }

    /// Takes what the connection is to be told.
    fn take_mail(&mut self, cx: &mut Context<'_>) -> Result<bool, End> {
        let mut moved = false;
        while !self.outbox.is_full() {
            match self.mailbox.poll_take(cx) {
                None => break,
                Some(Mail::Overflow) => return Err(End::Slow),
                Some(Mail::Tell(notification)) => self.outbox.frame(&notification),
            };
            moved = true;
        }
        Ok(moved)
    }

    /// Reads some bytes, where more may come and there is room to answer them.
    fn fill(&mut self, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        if !matches!(self.input, Input::Open) || self.outbox.is_full() {
            return Poll::Pending;
        }
        let mut bytes = [const { MaybeUninit::<u8>::uninit() }; READ_BYTES];
        let mut buffer = ReadBuf::uninit(&mut bytes);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut buffer))?;
        match buffer.filled() {
            [] => self.input = Input::Ended,
            read => self.decoder.push(read),
        }
        Poll::Ready(Ok(()))
    }

    /// Nothing moved: waits, but not for ever for a peer that takes nothing.
    fn rest(&mut self, cx: &mut Context<'_>) -> Poll<End> {
        if self.outbox.is_empty() {
            self.outbox.relax();
            self.stall = None;
            return Poll::Pending;
        }
        let stall = self.stall.get_or_insert_with(|| Box::pin(sleep(self.write_stall)));
        stall.as_mut().poll(cx).map(|()| End::Slow)
    }
}

fn slow_consumer() -> ErrorFrame {
    ErrorFrame {
        code: ErrorCode::SlowConsumer,
        message: "the peer does not read what it is sent: connect again and read anew".to_owned(),
    }
}
