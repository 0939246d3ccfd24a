//! A client that speaks raw JSON lines.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::{Value, json};
use tokio::io::{
    AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf,
};
use tokio::task::JoinHandle;

use super::scripted_door::ScriptedDoor;
use crate::failure::Failure;
use crate::mcp::resource::TodoResource;
use crate::mcp::serve::serve;

pub(super) const URI: &str = "maka://session/session-1/todo";

pub(super) struct Client {
    pub(super) door: Arc<ScriptedDoor>,
    writer: WriteHalf<DuplexStream>,
    lines: Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// Notifications that came while a reply was waited for.
    pub(super) notified: VecDeque<Value>,
    server: JoinHandle<Result<(), Failure>>,
    last_id: u64,
}

impl Client {
    /// A server and a client that has said nothing yet.
    pub(super) fn silent() -> Self {
        let door = Arc::new(ScriptedDoor::new());
        let (ours, theirs) = tokio::io::duplex(1 << 16);
        let (reader, writer) = tokio::io::split(theirs);
        let resource = TodoResource::new(&ScriptedDoor::session(), "fix login");
        let server = tokio::spawn(serve(Arc::clone(&door), resource, reader, writer));
        let (reader, writer) = tokio::io::split(ours);
        let lines = BufReader::new(reader).lines();
        Self { door, writer, lines, notified: VecDeque::new(), server, last_id: 0 }
    }

    /// A client of the 2025-11-25 revision, past its handshake; and what the server said in it.
    pub(super) async fn initialized() -> (Self, Value) {
        let mut client = Self::silent();
        let params = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": { "name": "probe", "version": "1" },
        });
        let reply = client.request("initialize", params).await;
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        (client, reply)
    }

    pub(super) async fn line(&mut self, line: &[u8]) {
        self.writer.write_all(line).await.unwrap();
        self.writer.write_all(b"\n").await.unwrap();
    }

    /// Writes bytes without a line end.
    pub(super) async fn half_line(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.unwrap();
    }

    pub(super) async fn send(&mut self, message: &Value) {
        self.line(message.to_string().as_bytes()).await;
    }

    /// Sends a request without waiting for its reply; gives its id.
    pub(super) async fn begin(&mut self, method: &str, params: Value) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    pub(super) async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params).await;
        self.reply(id).await
    }

    /// Waits for the reply to a request; keeps notifications for [`Self::notification`].
    pub(super) async fn reply(&mut self, id: u64) -> Value {
        loop {
            let message = self.message().await.expect("the server ended before it replied");
            if message["id"] == json!(id) {
                return message;
            }
            assert!(message.get("method").is_some(), "no reply was waited for: {message}");
            self.notified.push_back(message);
        }
    }

    pub(super) async fn notification(&mut self) -> Value {
        match self.notified.pop_front() {
            Some(message) => message,
            None => self.message().await.expect("the server ended before it notified"),
        }
    }

    /// Asserts that nothing was notified up to now.
    pub(super) async fn hears_nothing(&mut self) {
        self.request("tools/list", json!({})).await;
        assert!(self.notified.is_empty(), "{:?}", self.notified);
    }

    /// The next message, `None` at the end.
    pub(super) async fn message(&mut self) -> Option<Value> {
        let line = self.lines.next_line().await.unwrap()?;
        Some(serde_json::from_str(&line).expect("only JSON may stand on standard output"))
    }

    /// Ends the client's stream and waits for the server's end.
    pub(super) async fn end(mut self) -> Result<(), Failure> {
        self.writer.shutdown().await.unwrap();
        self.server.await.unwrap()
    }
}
