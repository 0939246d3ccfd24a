//! MCP's stdio transport: one JSON-RPC message a line, each way.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::value::RawValue;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::call_order::{CallQueue, Place};
use super::incoming::{self, Incoming};
use super::line_reader::{Line, LineReader, MAX_LINE_BYTES};

/// What a tool call brought beside the message: rides with the request, and the one handler of the
/// request takes it.
#[derive(Debug, Clone)]
pub(super) struct RawCall(Arc<Mutex<Option<LiftedCall>>>);

/// A tool call's raw arguments and its place in the order of calls.
#[derive(Debug)]
pub(super) struct LiftedCall {
    pub(super) arguments: Option<Box<RawValue>>,
    pub(super) place: Place,
}

impl RawCall {
    /// `None` the second time.
    pub(super) fn take(&self) -> Option<LiftedCall> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// The transport over any pair of streams.
#[derive(Debug)]
pub(super) struct StdioTransport<R, W> {
    lines: LineReader<R>,
    writer: Arc<tokio::sync::Mutex<W>>,
    /// An answer of the transport's own on its way out. The next line waits for it, so a client
    /// that sends nonsense and reads nothing costs one answer of memory.
    answering: Option<JoinHandle<io::Result<()>>>,
    calls: CallQueue,
    /// Whether a request has begun the conversation. Before it, only requests make sense.
    begun: bool,
    input_ended: watch::Sender<bool>,
}

impl<R, W> StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    /// The transport, and a flag that turns true when the client's stream has ended.
    pub(super) fn new(reader: R, writer: W) -> (Self, watch::Receiver<bool>) {
        let (input_ended, ended) = watch::channel(false);
        let transport = Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            writer: Arc::new(tokio::sync::Mutex::new(writer)),
            answering: None,
            calls: CallQueue::default(),
            begun: false,
            input_ended,
        };
        (transport, ended)
    }

    fn answer(&mut self, message: ServerJsonRpcMessage) {
        self.answering = Some(tokio::spawn(write(Arc::clone(&self.writer), message)));
    }

    /// Puts a lifted call together again, its raw arguments beside it.
    fn attach(
        &mut self,
        mut message: ClientJsonRpcMessage,
        arguments: Option<Box<RawValue>>,
    ) -> ClientJsonRpcMessage {
        if let ClientJsonRpcMessage::Request(request) = &mut message
            && let ClientRequest::CallToolRequest(call) = &mut request.request
        {
            let lifted = LiftedCall { arguments, place: self.calls.enter() };
            call.extensions.insert(RawCall(Arc::new(Mutex::new(Some(lifted)))));
        }
        message
    }

    /// Whether the message may be given to the server, which ends at a conversation that begins
    /// with anything but a request.
    fn admits(&mut self, message: &ClientJsonRpcMessage) -> bool {
        self.begun |= matches!(message, ClientJsonRpcMessage::Request(_));
        self.begun
    }
}

impl<R, W> Transport<RoleServer> for StdioTransport<R, W>
where
    R: AsyncRead + Send + Unpin,
    W: AsyncWrite + Send + Unpin + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: ServerJsonRpcMessage,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        write(Arc::clone(&self.writer), message)
    }

    async fn receive(&mut self) -> Option<ClientJsonRpcMessage> {
        loop {
            if let Some(answering) = &mut self.answering {
                // A client that no longer reads ends the conversation by closing its stream.
                let _ = answering.await;
                self.answering = None;
            }
            let Ok(line) = self.lines.next().await else {
                self.input_ended.send_replace(true);
                return None;
            };
            let message = match line {
                Line::End => {
                    self.input_ended.send_replace(true);
                    return None;
                }
                Line::TooLong => {
                    self.answer(incoming::too_long(MAX_LINE_BYTES));
                    continue;
                }
                Line::Whole(line) => match incoming::read(&line) {
                    Incoming::Message(message) => *message,
                    Incoming::Call(message, arguments) => self.attach(*message, arguments),
                    Incoming::Answer(message) => {
                        self.answer(*message);
                        continue;
                    }
                    Incoming::Nothing => continue,
                },
            };
            if self.admits(&message) {
                return Some(message);
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.writer.lock().await.flush().await
    }
}

/// Writes one message as one line. Runs to its end once it holds the stream: whoever calls it
/// spawns it or awaits it, so that no line is cut.
async fn write<W: AsyncWrite + Unpin>(
    writer: Arc<tokio::sync::Mutex<W>>,
    message: ServerJsonRpcMessage,
) -> io::Result<()> {
    let mut line = serde_json::to_vec(&message)?;
    line.push(b'\n');
    let mut writer = writer.lock().await;
    writer.write_all(&line).await?;
    writer.flush().await
}
