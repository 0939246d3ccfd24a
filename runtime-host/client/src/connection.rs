//! One connection: callers write to the socket themselves where it takes their bytes, and one task
//! reads, settles, and writes what the socket would not take.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use maka_host_protocol::{ErrorCode, ErrorFrame, FrameDecoder, Notification, ServerFrame};
use rustix::net::{Shutdown, shutdown};
use tokio::io::Interest;
use tokio::net::UnixStream;
use tokio::sync::Notify;

use crate::pending::{Pending, Table};

/// Bytes read from the socket at once.
const READ_BYTES: usize = 64 * 1024;

/// What stands under one lock, so that requests are written in the order in which they are entered.
#[derive(Debug, Default)]
struct State {
    table: Table,
    /// Bytes that the socket has not taken yet, bounded by the limit of requests in flight.
    backlog: VecDeque<u8>,
}

/// One connection, shared by its task and the handles of its callers.
#[derive(Debug)]
pub(crate) struct Connection {
    stream: UnixStream,
    state: Mutex<State>,
    /// Wakes the task: there is a backlog, or the last handle has gone.
    wake: Notify,
    abandoned: AtomicBool,
    /// Set once, when nothing more will come; holds the Host's last word.
    closed: OnceLock<Option<ErrorFrame>>,
    closing: Notify,
}

impl Connection {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self {
            stream,
            state: Mutex::default(),
            wake: Notify::new(),
            abandoned: AtomicBool::new(false),
            closed: OnceLock::new(),
            closing: Notify::new(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Why nothing more will come; `None` while the connection is open.
    pub(crate) fn closed(&self) -> Option<&Option<ErrorFrame>> {
        self.closed.get()
    }

    /// Waits until nothing more will come.
    pub(crate) async fn wait_closed(&self) -> Option<ErrorFrame> {
        loop {
            let closing = self.closing.notified();
            tokio::pin!(closing);
            closing.as_mut().enable();
            if let Some(frame) = self.closed.get() {
                return frame.clone();
            }
            closing.await;
        }
    }

    /// Enters a call and sends the line that `encode` makes for its id. `Ok(None)` where the
    /// connection is closed.
    pub(crate) fn send<E>(
        &self,
        pending: Pending,
        encode: impl FnOnce(u64) -> Result<Vec<u8>, E>,
    ) -> Result<Option<u64>, E> {
        let mut state = self.state();
        if self.closed.get().is_some() {
            return Ok(None);
        }
        let id = state.table.enter(pending);
        let line = match encode(id) {
            Ok(line) => line,
            Err(fault) => {
                state.table.leave(id);
                return Err(fault);
            }
        };
        let taken = if state.backlog.is_empty() { self.try_write(&line) } else { 0 };
        let rest = line.get(taken..).unwrap_or_default();
        if !rest.is_empty() {
            state.backlog.extend(rest);
            self.wake.notify_one();
        }
        Ok(Some(id))
    }

    /// Writes what the socket takes now. An error is left to the task, which meets it again.
    fn try_write(&self, bytes: &[u8]) -> usize {
        self.stream.try_write(bytes).unwrap_or(0)
    }

    /// Forgets a subscription.
    pub(crate) fn forget_subscription(&self, subscription: &str) {
        self.state().table.unsubscribe(subscription);
    }

    /// No handle is left: the task closes the socket.
    pub(crate) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Release);
        self.wake.notify_one();
    }

    /// Serves the connection until it closes. `decoder` holds what came behind the handshake.
    pub(crate) async fn serve(self: Arc<Self>, mut decoder: FrameDecoder) {
        let mut last_word = None;
        // Either way nothing more comes; a fault of the socket says no more than its end does.
        let _ = self.exchange(&mut decoder, &mut last_word).await;
        let mut state = self.state();
        let _ = self.closed.set(last_word);
        state.table.close();
        state.backlog = VecDeque::new();
        drop(state);
        // Handles may stay for long: a Host that stops waits until its peers have closed too.
        let _ = shutdown(&self.stream, Shutdown::Both);
        self.closing.notify_waiters();
    }

    async fn exchange(
        &self,
        decoder: &mut FrameDecoder,
        last_word: &mut Option<ErrorFrame>,
    ) -> io::Result<()> {
        let mut buffer = vec![0; READ_BYTES];
        self.settle(decoder, last_word)?;
        while !self.abandoned.load(Ordering::Acquire) {
            let interest = if self.state().backlog.is_empty() {
                Interest::READABLE
            } else {
                Interest::READABLE | Interest::WRITABLE
            };
            let ready = tokio::select! {
                ready = self.stream.ready(interest) => ready?,
                () = self.wake.notified() => continue,
            };
            if ready.is_writable() {
                self.flush();
            }
            if (ready.is_readable() || ready.is_read_closed()) && self.read(&mut buffer, decoder)? {
                self.settle(decoder, last_word)?;
            }
        }
        Ok(())
    }

    /// Reads what has come, at most a buffer of it. False where there is nothing now.
    fn read(&self, buffer: &mut [u8], decoder: &mut FrameDecoder) -> io::Result<bool> {
        match self.stream.try_read(buffer) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                decoder.push(buffer.get(..count).unwrap_or_default());
                Ok(true)
            }
            Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => Ok(false),
            Err(fault) => Err(fault),
        }
    }

    /// Writes what waits, as far as the socket takes it. Where it takes no more at all the end is
    /// left to the reading side: a Host that closes says why before, and that is still to be read.
    fn flush(&self) {
        let mut state = self.state();
        while !state.backlog.is_empty() {
            let (front, _) = state.backlog.as_slices();
            match self.stream.try_write(front) {
                Ok(count) => drop(state.backlog.drain(..count)),
                Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => state.backlog.clear(),
            }
        }
    }

    /// Settles every whole frame that has come. What is no frame, or no answer to any request,
    /// ends the connection.
    fn settle(
        &self,
        decoder: &mut FrameDecoder,
        last_word: &mut Option<ErrorFrame>,
    ) -> io::Result<()> {
        let mut broken = |message: &str| {
            let message = format!("the Runtime Host broke the protocol: {message}");
            *last_word = Some(ErrorFrame { code: ErrorCode::InvalidFrame, message });
            io::Error::from(io::ErrorKind::InvalidData)
        };
        while let Some(line) = decoder.next_frame().map_err(|fault| broken(&fault.to_string()))? {
            match ServerFrame::parse(&line).map_err(|_| broken("a line is no frame"))? {
                ServerFrame::Reply(mut reply) => {
                    let request_id = std::mem::take(&mut reply.request_id.0);
                    let answer =
                        reply.into_outcome().map_err(|fault| broken(&fault.to_string()))?;
                    if !self.state().table.settle(&request_id, answer) {
                        return Err(broken("a reply answers no request"));
                    }
                }
                ServerFrame::Notification(Notification::Invalidated(signal)) => {
                    if let Some(queue) = self.state().table.signals(&signal.subscription_id.0) {
                        queue.push(signal);
                    }
                }
                ServerFrame::Notification(Notification::Progress(progress)) => {
                    self.state().table.progress(progress);
                }
                ServerFrame::Notification(Notification::Error(frame)) => {
                    *last_word = Some(frame);
                    return Err(io::ErrorKind::ConnectionAborted.into());
                }
            }
        }
        Ok(())
    }
}
