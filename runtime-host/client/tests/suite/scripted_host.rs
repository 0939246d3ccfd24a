//! A Host that says what a test tells it to.

use std::path::{Path, PathBuf};

use maka_core::{ClientName, SessionId};
use maka_host_client::{HostClient, Identity, LeaseText};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{UnixListener, UnixStream};

/// A state root with a socket, and the lease's text that names it.
pub(crate) struct ScriptedHost {
    folder: TempDir,
    listener: UnixListener,
}

impl ScriptedHost {
    pub(crate) fn start() -> Self {
        let folder = TempDir::new().expect("a folder");
        Self::start_in(folder)
    }

    fn start_in(folder: TempDir) -> Self {
        let socket = folder.path().join("host.sock");
        let listener = UnixListener::bind(&socket).expect("a socket");
        write_lease(folder.path(), &socket);
        Self { folder, listener }
    }

    /// Stops to listen and starts anew on the same root.
    pub(crate) fn restart(self) -> Self {
        let folder = self.stop();
        Self::start_in(folder)
    }

    /// Stops to listen; the socket's file and the lease's text stay behind for `restart`.
    pub(crate) fn stop(self) -> TempDir {
        let Self { folder, listener } = self;
        drop(listener);
        std::fs::remove_file(folder.path().join("host.sock")).expect("a socket file");
        folder
    }

    pub(crate) fn root(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn socket(&self) -> PathBuf {
        self.folder.path().join("host.sock")
    }

    /// Takes a connection and reads its hello.
    pub(crate) async fn greet(&self) -> (Peer, Value) {
        let (stream, _) = self.listener.accept().await.expect("a connection");
        let mut peer = Peer::over(stream);
        let hello = peer.receive().await.expect("a hello");
        (peer, hello)
    }

    /// Takes a connection and accepts it.
    pub(crate) async fn accept(&self) -> Peer {
        let (mut peer, _) = self.greet().await;
        peer.send(&accepted("ready")).await;
        peer
    }

    /// A connected pair.
    pub(crate) async fn pair(&self) -> (HostClient, Peer) {
        let identity = viewer();
        let (client, peer) =
            tokio::join!(HostClient::connect(self.root(), &identity), self.accept());
        (client.expect("a connection"), peer)
    }
}

/// Writes the lease's text of a Host that listens on `socket`.
pub(crate) fn write_lease(root: &Path, socket: &Path) {
    let socket = socket.to_str().expect("UTF-8").to_owned();
    let text = LeaseText { pid: 1, host_epoch: "e-1".to_owned(), socket };
    std::fs::write(root.join("host.lock"), text.to_line()).expect("a lease text");
}

pub(crate) fn accepted(state: &str) -> Value {
    json!({ "kind": "accepted", "protocol": 1, "hostEpoch": "e-1", "hostVersion": "0", "state": state })
}

pub(crate) fn viewer() -> Identity {
    Identity::viewer(ClientName::parse("suite").expect("a name"))
}

pub(crate) fn session(id: &str) -> SessionId {
    SessionId::parse(id).expect("an id")
}

/// The Host's end of one connection.
pub(crate) struct Peer {
    reader: BufReader<OwnedReadHalf>,
    writer: OwnedWriteHalf,
    /// The start of the next line, where `take_now` has taken it.
    taken: Vec<u8>,
}

impl Peer {
    fn over(stream: UnixStream) -> Self {
        let (reader, writer) = stream.into_split();
        Self { reader: BufReader::new(reader), writer, taken: Vec::new() }
    }

    /// The next frame of the client; `None` when it has closed.
    pub(crate) async fn receive(&mut self) -> Option<Value> {
        let mut line = std::mem::take(&mut self.taken);
        match self.reader.read_until(b'\n', &mut line).await {
            Ok(0) | Err(_) => None,
            Ok(_) => Some(serde_json::from_slice(&line).expect("JSON")),
        }
    }

    /// Waits for bytes and takes what the socket holds, all of one line, without letting the client's task run in
    /// between.
    pub(crate) async fn take_now(&mut self) {
        let socket = self.reader.get_ref();
        socket.readable().await.expect("the client writes");
        let mut bytes = vec![0; 64 * 1024];
        while let Ok(count) = socket.try_read(&mut bytes) {
            self.taken.extend(bytes.iter().take(count));
        }
    }

    /// The next request, which must be of `operation`.
    pub(crate) async fn request(&mut self, operation: &str) -> Value {
        let request = self.receive().await.expect("a request");
        assert_eq!(request.get("operation"), Some(&json!(operation)), "{request}");
        request
    }

    pub(crate) async fn send(&mut self, frame: &Value) {
        self.send_raw(format!("{frame}\n").as_bytes()).await;
    }

    pub(crate) async fn send_raw(&mut self, bytes: &[u8]) {
        self.writer.write_all(bytes).await.expect("the client reads");
    }

    pub(crate) async fn reply(&mut self, request: &Value, result: Value) {
        self.send(&ok(request, result)).await;
    }

    pub(crate) async fn refuse(&mut self, request: &Value, code: &str) {
        let error = json!({ "code": code, "message": "no", "hint": "do" });
        self.send(&json!({
            "requestId": request.get("requestId"), "operation": request.get("operation"),
            "ok": false, "error": error,
        }))
        .await;
    }
}

/// The reply with `result` to `request`.
pub(crate) fn ok(request: &Value, result: Value) -> Value {
    json!({
        "requestId": request.get("requestId"), "operation": request.get("operation"),
        "ok": true, "result": result,
    })
}

/// A change signal.
pub(crate) fn signal(subscription: &str, session: &str, sequence: u64, domain: &str) -> Value {
    json!({
        "kind": "invalidated", "subscriptionId": subscription, "hostEpoch": "e-1",
        "sequence": sequence, "sessionId": session, "domain": domain,
    })
}
