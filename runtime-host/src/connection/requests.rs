//! The requests of a connection that are in flight, and what may not be one.

use std::collections::HashSet;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::stream::{FuturesUnordered, Stream};
use maka_host_protocol::{
    ErrorCode, ErrorFrame, FrameFault, MAX_IN_FLIGHT, Operation, Reply, Request, RequestId,
};

use crate::operations;
use crate::services::Caller;

/// The longest request id, in bytes.
const MAX_REQUEST_ID: usize = 128;

type Running = Pin<Box<dyn Future<Output = Reply> + Send>>;

/// The requests that were begun and not answered yet.
pub(super) struct Requests {
    caller: Arc<Caller>,
    running: FuturesUnordered<Running>,
    ids: HashSet<RequestId>,
}

impl Requests {
    pub(super) fn new(caller: Arc<Caller>) -> Self {
        Self { caller, running: FuturesUnordered::new(), ids: HashSet::new() }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.running.is_empty()
    }

    /// Begins the request that stands in `line`. A request that needs no waiting is answered at
    /// once, on the spot; any other is answered by [`Requests::poll_answered`].
    pub(super) fn begin(
        &mut self,
        line: &str,
        cx: &mut Context<'_>,
    ) -> Result<Option<Reply>, ErrorFrame> {
        let request: Request =
            serde_json::from_str(line).map_err(|_| invalid("a line is not a request"))?;
        if !(1..=MAX_REQUEST_ID).contains(&request.request_id.0.len()) {
            return Err(invalid("a requestId is not 1 to 128 bytes long"));
        }
        if self.ids.contains(&request.request_id) {
            return Err(invalid("a requestId is in flight already"));
        }
        let exempt = request.operation == Operation::HostStatus.as_str();
        if self.running.len() >= MAX_IN_FLIGHT && !exempt {
            return Err(invalid("more than 64 requests are in flight"));
        }
        let id = request.request_id.clone();
        let mut running: Running = Box::pin(operations::answer(Arc::clone(&self.caller), request));
        match running.as_mut().poll(cx) {
            Poll::Ready(reply) => Ok(Some(reply)),
            Poll::Pending => {
                self.ids.insert(id);
                self.running.push(running);
                Ok(None)
            }
        }
    }

    /// Gives the next reply that is ready.
    pub(super) fn poll_answered(&mut self, cx: &mut Context<'_>) -> Option<Reply> {
        match Pin::new(&mut self.running).poll_next(cx) {
            Poll::Ready(Some(reply)) => {
                self.ids.remove(&reply.request_id);
                Some(reply)
            }
            Poll::Ready(None) | Poll::Pending => None,
        }
    }
}

/// The error frame for a framing fault.
pub(super) fn framing_error(fault: FrameFault) -> ErrorFrame {
    let code = match fault {
        FrameFault::TooLarge => ErrorCode::FrameTooLarge,
        FrameFault::InvalidUtf8 => ErrorCode::InvalidUtf8,
        FrameFault::Empty | FrameFault::Partial => ErrorCode::InvalidFrame,
    };
    ErrorFrame { code, message: fault.to_string() }
}

fn invalid(message: &str) -> ErrorFrame {
    ErrorFrame { code: ErrorCode::InvalidFrame, message: message.to_owned() }
}
