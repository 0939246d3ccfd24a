//! A client of nothing but lines: what the Host says is judged as text, not through our own client.

use std::path::Path;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::UnixStream;

/// One connection.
pub(crate) struct Wire {
    stream: BufReader<UnixStream>,
    sent: u64,
}

impl Wire {
    /// Connects and says nothing.
    pub(crate) async fn connect(socket: &Path) -> Self {
        let stream = UnixStream::connect(socket).await.expect("connects");
        Self { stream: BufReader::new(stream), sent: 0 }
    }

    /// Connects and says hello as `viewer` or `client`.
    pub(crate) async fn hello(socket: &Path, role: &str) -> Self {
        let hello = json!({"kind":"hello","protocol":1,"role":role,"clientName":"a test"});
        Self::accepted(socket, &hello).await
    }

    /// Connects and says hello as the model of a Session.
    pub(crate) async fn model(socket: &Path, session: &str) -> Self {
        let hello = json!({
            "kind":"hello","protocol":1,"role":"model","clientName":"a model","sessionId":session
        });
        Self::accepted(socket, &hello).await
    }

    async fn accepted(socket: &Path, hello: &Value) -> Self {
        let mut wire = Self::connect(socket).await;
        wire.say(&hello.to_string()).await;
        let answer = wire.hear().await;
        assert_eq!(answer["kind"], "accepted", "{answer}");
        wire
    }

    /// Sends a line.
    pub(crate) async fn say(&mut self, line: &str) {
        self.bytes(format!("{line}\n").as_bytes()).await;
    }

    /// Sends bytes. A Host that has closed may refuse them.
    pub(crate) async fn bytes(&mut self, bytes: &[u8]) {
        let _ = self.stream.get_mut().write_all(bytes).await;
    }

    /// Reads a line.
    pub(crate) async fn hear(&mut self) -> Value {
        let line = self.hear_text().await;
        serde_json::from_str(&line).unwrap_or_else(|fault| panic!("{fault}: {line:?}"))
    }

    /// Reads a line as text, its line end included; empty at the end of the stream.
    pub(crate) async fn hear_text(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).await.expect("reads");
        line
    }

    /// Reads the error frame that ends the connection, and the end.
    pub(crate) async fn hear_the_end(&mut self, code: &str) {
        let frame = self.hear().await;
        assert_eq!((&frame["kind"], &frame["code"]), (&json!("error"), &json!(code)), "{frame}");
        self.hear_silence().await;
    }

    /// Reads the end of the stream, and nothing before it.
    pub(crate) async fn hear_silence(&mut self) {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).await.expect("reads");
        assert!(rest.is_empty(), "{:?}", String::from_utf8_lossy(&rest));
    }

    /// Ends our side; the Host's stays open.
    pub(crate) async fn shut(&mut self) {
        self.stream.get_mut().shutdown().await.expect("shuts");
    }

    /// Sends a request and gives its id.
    pub(crate) async fn ask(&mut self, operation: &str, input: Value) -> String {
        self.sent += 1;
        let id = format!("r{}", self.sent);
        let request = json!({"requestId":id,"operation":operation,"input":input});
        self.say(&request.to_string()).await;
        id
    }

    /// Sends a request and reads its reply, which is the next line.
    pub(crate) async fn call(&mut self, operation: &str, input: Value) -> Value {
        let id = self.ask(operation, input).await;
        let reply = self.hear().await;
        assert_eq!(reply["requestId"], json!(id), "{reply}");
        assert_eq!(reply["operation"], json!(operation), "{reply}");
        reply
    }

    /// A call that succeeds: its result.
    pub(crate) async fn done(&mut self, operation: &str, input: Value) -> Value {
        let mut reply = self.call(operation, input).await;
        assert_eq!(reply["ok"], true, "{reply}");
        reply["result"].take()
    }

    /// A call that is refused with `code`: its error.
    pub(crate) async fn refused(&mut self, code: &str, operation: &str, input: Value) -> Value {
        let mut reply = self.call(operation, input).await;
        assert_eq!(reply["ok"], false, "{reply}");
        assert_eq!(reply["error"]["code"], json!(code), "{reply}");
        reply["error"].take()
    }

    /// Calls `todo_write` on a model connection: the settled result.
    pub(crate) async fn write(&mut self, todos: &Value) -> Value {
        let input = json!({"name":"todo_write","arguments":{"todos":todos}});
        self.done("tool.call", input).await
    }
}
