//! Finds the Host of a state root and shakes hands with it.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use maka_host_protocol::{
    Accepted, FrameDecoder, Handshake, LEASE_FILE, LeaseText, Notification, encode_frame,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::time::sleep;

use crate::{ConnectError, HostClient, Identity};

/// How long the Host may take to answer the hello.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Between two knocks at a Host whose queue of new connections is full.
const QUEUE_PAUSE: Duration = Duration::from_millis(5);
/// More than the text of any lease, in bytes.
const MAX_LEASE_TEXT: u64 = 16 * 1024;

impl HostClient {
    /// Connects to the Host that serves `root`. Must be called inside a Tokio runtime.
    ///
    /// # Errors
    /// [`ConnectError::NotRunning`] where no Host serves the root, [`ConnectError::Refused`] where
    /// the Host does not take the connection, and the others as they say.
    pub async fn connect(root: &Path, identity: &Identity) -> Result<Self, ConnectError> {
        let not_running = || ConnectError::NotRunning { root: root.to_owned() };
        let socket = socket_of(root).map_err(ConnectError::Io)?.ok_or_else(not_running)?;
        let handshake = async {
            let mut stream = match knock(&socket).await {
                Ok(stream) => stream,
                Err(fault) if is_nobody(&fault) => return Err(not_running()),
                Err(fault) => return Err(ConnectError::Io(fault)),
            };
            let mut decoder = FrameDecoder::default();
            let accepted = shake_hands(&mut stream, &mut decoder, identity).await?;
            Ok(Self::serve(stream, accepted, decoder))
        };
        tokio::time::timeout(HANDSHAKE_TIMEOUT, handshake)
            .await
            .unwrap_or(Err(ConnectError::Timeout))
    }
}

/// Connects; where more clients knock at once than the Host's queue takes, tries again.
async fn knock(socket: &Path) -> io::Result<UnixStream> {
    loop {
        match UnixStream::connect(socket).await {
            Err(fault) if fault.kind() == io::ErrorKind::WouldBlock => sleep(QUEUE_PAUSE).await,
            done => return done,
        }
    }
}

/// The socket that the lease's text names; `None` where it names none, or that of another state
/// root: the text came along when the folder was copied.
fn socket_of(root: &Path) -> io::Result<Option<PathBuf>> {
    let file = match File::open(root.join(LEASE_FILE)) {
        Ok(file) => file,
        Err(fault) if is_absent(&fault) => return Ok(None),
        Err(fault) => return Err(fault),
    };
    let mut text = Vec::new();
    file.take(MAX_LEASE_TEXT).read_to_end(&mut text)?;
    let lease = str::from_utf8(&text).ok().and_then(LeaseText::parse);
    let socket = lease.map(|lease| PathBuf::from(lease.socket));
    Ok(socket.filter(|socket| !is_of_another_root(socket, root)))
}

/// Whether the socket stands in a state root that is not `root`. (A socket whose path would be too
/// long for the system stands in a folder that is no state root.)
fn is_of_another_root(socket: &Path, root: &Path) -> bool {
    let Some(folder) = socket.parent() else { return true };
    folder.join(LEASE_FILE).exists()
        && !matches!((folder.canonicalize(), root.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

fn is_absent(fault: &io::Error) -> bool {
    matches!(fault.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// Whether the fault says that nobody listens: the socket is gone, or left over from a Host that
/// was killed.
fn is_nobody(fault: &io::Error) -> bool {
    is_absent(fault) || fault.kind() == io::ErrorKind::ConnectionRefused
}

async fn shake_hands(
    stream: &mut UnixStream,
    decoder: &mut FrameDecoder,
    identity: &Identity,
) -> Result<Accepted, ConnectError> {
    let hello = encode_frame(&identity.hello()).map_err(|_| ConnectError::BadHandshake)?;
    // A Host that refuses may have closed already; its word still waits to be read.
    let written = stream.write_all(&hello).await;
    let mut buffer = vec![0; 4096];
    loop {
        if let Some(line) = decoder.next_frame().map_err(|_| ConnectError::BadHandshake)? {
            return answer(&line);
        }
        match stream.read(&mut buffer).await {
            Ok(0) => {
                return Err(written.err().map_or(ConnectError::Closed(None), ConnectError::Io));
            }
            Ok(count) => decoder.push(buffer.get(..count).unwrap_or_default()),
            Err(fault) => return Err(ConnectError::Io(fault)),
        }
    }
}

fn answer(line: &str) -> Result<Accepted, ConnectError> {
    match serde_json::from_str(line) {
        Ok(Handshake::Accepted(accepted)) => Ok(accepted),
        Ok(Handshake::Refused(refused)) => Err(ConnectError::Refused(refused)),
        Err(_) => match serde_json::from_str(line) {
            Ok(Notification::Error(frame)) => Err(ConnectError::Closed(Some(frame))),
            _ => Err(ConnectError::BadHandshake),
        },
    }
}
