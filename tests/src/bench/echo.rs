//! The floor of every answer: a process that answers each line on a socket with the same bytes
//! that the Host would send, and does nothing else.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use anyhow::{Context, Result, ensure};

/// Serves until the process is killed. Says `ready` on `out` once it listens.
///
/// # Errors
/// Where the socket cannot be made or the file cannot be read.
pub fn serve_echo(socket: &Path, reply: &Path, out: &mut dyn Write) -> Result<()> {
    let reply = std::fs::read(reply).context("read the answer")?;
    let listener = UnixListener::bind(socket).context("listen")?;
    writeln!(out, "ready")?;
    out.flush()?;
    for stream in listener.incoming() {
        let stream = stream.context("accept")?;
        let reply = reply.clone();
        // A client that leaves ends its thread.
        thread::spawn(move || answer_lines(stream, &reply));
    }
    Ok(())
}

fn answer_lines(mut stream: UnixStream, reply: &[u8]) -> std::io::Result<()> {
    let mut chunk = vec![0; 64 * 1024];
    loop {
        let count = stream.read(&mut chunk)?;
        if count == 0 {
            return Ok(());
        }
        for byte in chunk.get(..count).unwrap_or_default() {
            if *byte == b'\n' {
                stream.write_all(reply)?;
            }
        }
    }
}

/// A running echo. Dropping it kills it.
#[derive(Debug)]
pub(super) struct EchoProcess {
    child: Child,
    pub(super) socket: PathBuf,
}

impl EchoProcess {
    /// Starts this program again as an echo that answers with `reply`.
    pub(super) fn start(folder: &Path, reply: &[u8]) -> Result<Self> {
        let (socket, file) = (folder.join("echo.sock"), folder.join("echo.reply"));
        std::fs::write(&file, reply).context("write the answer")?;
        let mut child = Command::new(std::env::current_exe().context("find this program")?)
            .arg("echo-server")
            .args([&socket, &file])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .context("start an echo")?;
        let stdout = child.stdout.take().context("take the echo's output")?;
        let echo = Self { child, socket };
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line).context("wait for the echo")?;
        ensure!(line == "ready\n", "the echo did not start");
        Ok(echo)
    }
}

impl Drop for EchoProcess {
    fn drop(&mut self) {
        // It may be gone, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
