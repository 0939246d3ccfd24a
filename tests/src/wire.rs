//! A blocking client of the Host that can also misbehave: it sends bytes as they are given.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use maka_core::{ClientName, SessionId};
use maka_host_protocol::{
    Accepted, ErrorBody, FrameDecoder, Handshake, Hello, Notification, PROTOCOL_VERSION, Request,
    RequestId, Role, ServerFrame, SessionCreateInput, SessionResult, SessionTodoQueryInput,
    SessionTodoQueryResult, ToolCallInput, ToolCallResult, encode_frame,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// How long a Host may stay silent before a test gives up.
const SILENCE_LIMIT: Duration = Duration::from_secs(30);
/// How much is read at once.
const CHUNK: usize = 64 * 1024;

/// One connection.
#[derive(Debug)]
pub struct Wire {
    stream: UnixStream,
    decoder: FrameDecoder,
    chunk: Vec<u8>,
    requests: u64,
    notifications: Vec<Notification>,
}

impl Wire {
    /// Connects without a handshake.
    ///
    /// # Errors
    /// Where nobody listens.
    pub fn raw(socket: &Path) -> Result<Self> {
        let stream = UnixStream::connect(socket).with_context(|| format!("connect {socket:?}"))?;
        stream.set_read_timeout(Some(SILENCE_LIMIT)).context("limit reads")?;
        stream.set_write_timeout(Some(SILENCE_LIMIT)).context("limit writes")?;
        Ok(Self {
            stream,
            decoder: FrameDecoder::default(),
            chunk: vec![0; CHUNK],
            requests: 0,
            notifications: Vec::new(),
        })
    }

    /// Connects and shakes hands.
    ///
    /// # Errors
    /// Where nobody listens, or the Host refuses: the cause is then its
    /// [`maka_host_protocol::Refused`].
    pub fn connect(
        socket: &Path,
        role: Role,
        name: &ClientName,
        session: Option<&SessionId>,
    ) -> Result<Self> {
        let mut wire = Self::raw(socket)?;
        let hello = Hello {
            protocol: PROTOCOL_VERSION,
            role,
            client_name: name.clone(),
            session_id: session.cloned(),
        };
        wire.send_frame(&hello)?;
        wire.shake()?;
        Ok(wire)
    }

    /// Reads the Host's answer to a hello.
    ///
    /// # Errors
    /// Where the Host refuses or closes.
    pub fn shake(&mut self) -> Result<Accepted> {
        let line = self.next_line()?.context("the Host closed instead of shaking hands")?;
        match serde_json::from_str(&line).with_context(|| format!("read {line}"))? {
            Handshake::Accepted(accepted) => Ok(accepted),
            Handshake::Refused(refused) => Err(refused.into()),
        }
    }

    /// Sends bytes as they are.
    ///
    /// # Errors
    /// Where the Host does not take them.
    pub fn send(&mut self, bytes: &[u8]) -> Result<()> {
        self.stream.write_all(bytes).context("send")
    }

    /// Sends a message as a frame.
    ///
    /// # Errors
    /// Where it is too large, or the Host does not take it.
    pub fn send_frame(&mut self, message: &impl Serialize) -> Result<()> {
        let frame = encode_frame(message)?;
        self.send(&frame)
    }

    /// Ends the sending half; the Host can still answer.
    ///
    /// # Errors
    /// Where the socket is gone.
    pub fn finish_sending(&self) -> Result<()> {
        self.stream.shutdown(std::net::Shutdown::Write).context("close the sending half")
    }

    /// The next line of the Host; `None` when it has closed.
    ///
    /// # Errors
    /// Where it is silent for too long or sends no line.
    pub fn next_line(&mut self) -> Result<Option<String>> {
        loop {
            if let Some(line) = self.decoder.next_frame()? {
                return Ok(Some(line));
            }
            let count = match self.stream.read(&mut self.chunk) {
                Ok(count) => count,
                // A peer that is killed with data unread resets the connection.
                Err(error) if error.kind() == ErrorKind::ConnectionReset => 0,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error).context("read from the Host"),
            };
            if count == 0 {
                return Ok(None);
            }
            self.decoder.push(self.chunk.get(..count).unwrap_or_default());
        }
    }

    /// The next reply or notification; `None` when the Host has closed.
    ///
    /// # Errors
    /// Where the line is neither.
    pub fn next_frame(&mut self) -> Result<Option<ServerFrame>> {
        let Some(line) = self.next_line()? else { return Ok(None) };
        Ok(Some(ServerFrame::parse(&line).with_context(|| format!("read {line}"))?))
    }

    /// Sends a request with raw input and gives its id.
    ///
    /// # Errors
    /// Where the input is no JSON, or the Host does not take the frame.
    pub fn request(&mut self, operation: &str, input: &str) -> Result<RequestId> {
        self.requests += 1;
        let request_id = RequestId(format!("r{}", self.requests));
        let input = RawValue::from_string(input.to_owned()).context("read the input as JSON")?;
        self.send_frame(&Request {
            request_id: request_id.clone(),
            operation: operation.to_owned(),
            input: Some(input),
        })?;
        Ok(request_id)
    }

    /// Asks and waits for the answer. Notifications on the way are kept.
    ///
    /// # Errors
    /// Where the connection ends first.
    pub fn ask(
        &mut self,
        operation: &str,
        input: &str,
    ) -> Result<Result<Box<RawValue>, ErrorBody>> {
        let asked = self.request(operation, input)?;
        loop {
            match self.next_frame()?.context("the Host closed before it answered")? {
                ServerFrame::Notification(Notification::Error(error)) => return Err(error.into()),
                ServerFrame::Notification(notification) => self.notifications.push(notification),
                ServerFrame::Reply(reply) => {
                    ensure!(reply.request_id == asked, "an answer to {:?}", reply.request_id);
                    return match (reply.result, reply.error) {
                        (Some(result), None) => Ok(Ok(result)),
                        (None, Some(error)) => Ok(Err(error)),
                        (None, None) | (Some(_), Some(_)) => bail!("a reply that is neither"),
                    };
                }
            }
        }
    }

    /// Asks with a typed input and reads a typed result.
    ///
    /// # Errors
    /// Where the connection ends first, or the result has another shape.
    pub fn call<O: DeserializeOwned>(
        &mut self,
        operation: &str,
        input: &impl Serialize,
    ) -> Result<Result<O, ErrorBody>> {
        let input = serde_json::to_string(input).context("write the input")?;
        match self.ask(operation, &input)? {
            Ok(result) => {
                let read = serde_json::from_str(result.get());
                Ok(Ok(read.with_context(|| format!("read the result of {operation}"))?))
            }
            Err(error) => Ok(Err(error)),
        }
    }

    /// Calls one of the model's tools.
    ///
    /// # Errors
    /// Where the connection ends first.
    pub fn tool(
        &mut self,
        name: &str,
        arguments: &str,
    ) -> Result<Result<ToolCallResult, ErrorBody>> {
        let arguments =
            RawValue::from_string(arguments.to_owned()).context("read the arguments")?;
        let input = ToolCallInput { name: name.to_owned(), arguments: Some(arguments) };
        self.call("tool.call", &input)
    }

    /// Replaces a list and asserts that the Host took it.
    ///
    /// # Errors
    /// Where it did not, or the connection ends first.
    pub fn write_list(&mut self, arguments: &str) -> Result<ToolCallResult> {
        let settled = self.tool("todo_write", arguments)?.context("write a list")?;
        ensure!(settled.ok, "the list was refused: {}", settled.text);
        Ok(settled)
    }

    /// Reads a list as a viewer does.
    ///
    /// # Errors
    /// Where the Host refuses or the connection ends first.
    pub fn query_list(&mut self, session: &SessionId) -> Result<SessionTodoQueryResult> {
        let input = SessionTodoQueryInput { session_id: session.clone() };
        self.call("session.todo.query", &input)?.context("read a list")
    }

    /// Creates a Session.
    ///
    /// # Errors
    /// Where the Host refuses or the connection ends first.
    pub fn new_session(&mut self, name: &str) -> Result<SessionId> {
        let input = SessionCreateInput { name: name.to_owned(), session_id: None };
        let created: SessionResult =
            self.call("session.create", &input)?.context("create a Session")?;
        Ok(created.session.session_id)
    }

    /// Takes the notifications that came while waiting for answers.
    pub fn take_notifications(&mut self) -> Vec<Notification> {
        std::mem::take(&mut self.notifications)
    }
}
