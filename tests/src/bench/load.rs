//! Load on a socket. The same client drives the Host and its floor: it sends prepared bytes and
//! looks for the end of a line.

use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use maka_core::{ClientName, SessionId};
use maka_host_protocol::{Hello, PROTOCOL_VERSION, Role, encode_frame};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::sample::{arguments, median};

const CHUNK: usize = 64 * 1024;

/// One connection's prepared bytes.
#[derive(Debug, Clone)]
pub(super) struct Script {
    /// What is sent first and answered by one line; none for a floor without a handshake.
    pub(super) hello: Option<Vec<u8>>,
    /// Requests, sent in turn, each after the answer to the one before.
    pub(super) requests: Vec<Vec<u8>>,
}

impl Script {
    /// Reads one list over and over.
    pub(super) fn query(session: &SessionId) -> Result<Self> {
        let request = format!(
            "{{\"requestId\":\"q\",\"operation\":\"session.todo.query\",\"input\":{{\"sessionId\":\"{session}\"}}}}\n"
        );
        Ok(Self { hello: Some(hello(Role::Viewer, None)?), requests: vec![request.into_bytes()] })
    }

    /// Writes two lists by turns.
    pub(super) fn write(session: &SessionId) -> Result<Self> {
        let requests = [0, 1].map(|version| {
            format!(
                "{{\"requestId\":\"w\",\"operation\":\"tool.call\",\"input\":{{\"name\":\"todo_write\",\"arguments\":{}}}}}\n",
                arguments(version)
            )
            .into_bytes()
        });
        Ok(Self { hello: Some(hello(Role::Model, Some(session))?), requests: requests.into() })
    }

    /// The same requests without a handshake.
    pub(super) fn without_hello(mut self) -> Self {
        self.hello = None;
        self
    }
}

fn hello(role: Role, session: Option<&SessionId>) -> Result<Vec<u8>> {
    let client_name = ClientName::parse("maka-bench").context("name the client")?;
    let session_id = session.cloned();
    Ok(encode_frame(&Hello { protocol: PROTOCOL_VERSION, role, client_name, session_id })?)
}

/// The median time from sending a request to having its whole answer, in microseconds, over one
/// blocking connection. Gives the last answer as well.
pub(super) fn latency(socket: &Path, script: &Script, count: usize) -> Result<(f64, Vec<u8>)> {
    let mut stream = UnixStream::connect(socket).context("connect")?;
    let mut line = Vec::new();
    if let Some(hello) = &script.hello {
        exchange(&mut stream, hello, &mut line)?;
        ensure!(is_accepted(&line), "refused: {}", String::from_utf8_lossy(&line));
    }
    let mut times = Vec::with_capacity(count);
    for request in script.requests.iter().cycle().take(count) {
        let begun = Instant::now();
        exchange(&mut stream, request, &mut line)?;
        times.push(begun.elapsed().as_secs_f64() * 1e6);
    }
    ensure!(is_ok(&line), "refused: {}", String::from_utf8_lossy(&line));
    Ok((median(times), line))
}

fn exchange(stream: &mut UnixStream, request: &[u8], line: &mut Vec<u8>) -> Result<()> {
    stream.write_all(request).context("send")?;
    line.clear();
    let mut chunk = [0; CHUNK];
    while line.last() != Some(&b'\n') {
        let count = stream.read(&mut chunk).context("receive")?;
        ensure!(count > 0, "the peer closed");
        line.extend_from_slice(chunk.get(..count).unwrap_or_default());
    }
    Ok(())
}

/// Answers a second, summed over all scripts, each on a connection of its own with one request in
/// flight.
pub(super) fn rate(socket: &Path, scripts: &[Script], window: Duration) -> Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut peers = Vec::new();
        for script in scripts {
            peers.push(Peer::connect(socket, script.clone()).await?);
        }
        let begun = Instant::now();
        let running: Vec<_> =
            peers.into_iter().map(|peer| tokio::spawn(peer.run_until(begun + window))).collect();
        let mut answers = 0;
        for peer in running {
            answers += peer.await.context("join a client")??;
        }
        Ok(f64::from(answers) / begun.elapsed().as_secs_f64())
    })
}

struct Peer {
    stream: tokio::net::UnixStream,
    script: Script,
    line: Vec<u8>,
}

impl Peer {
    async fn connect(socket: &Path, script: Script) -> Result<Self> {
        let stream = tokio::net::UnixStream::connect(socket).await.context("connect")?;
        let mut peer = Self { stream, script, line: Vec::with_capacity(CHUNK) };
        if let Some(hello) = peer.script.hello.clone() {
            peer.exchange(&hello).await?;
            ensure!(is_accepted(&peer.line), "refused: {}", String::from_utf8_lossy(&peer.line));
        }
        Ok(peer)
    }

    async fn run_until(mut self, end: Instant) -> Result<u32> {
        let requests = std::mem::take(&mut self.script.requests);
        let mut answers = 0;
        for request in requests.iter().cycle() {
            if Instant::now() >= end {
                break;
            }
            self.exchange(request).await?;
            ensure!(is_ok(&self.line), "refused: {}", String::from_utf8_lossy(&self.line));
            answers += 1;
        }
        Ok(answers)
    }

    async fn exchange(&mut self, request: &[u8]) -> Result<()> {
        self.stream.write_all(request).await.context("send")?;
        self.line.clear();
        while self.line.last() != Some(&b'\n') {
            let count = self.stream.read_buf(&mut self.line).await.context("receive")?;
            ensure!(count > 0, "the peer closed");
        }
        Ok(())
    }
}

fn is_accepted(line: &[u8]) -> bool {
    line.starts_with(b"{\"kind\":\"accepted\"")
}

/// Replies say early whether they are good.
fn is_ok(line: &[u8]) -> bool {
    let head = line.get(..line.len().min(128)).unwrap_or_default();
    head.windows(9).any(|window| window == b"\"ok\":true")
}
