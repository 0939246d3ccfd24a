//! A client that writes raw JSON lines to the server's input.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::{Value, json};

use crate::world::World;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(20);

pub(crate) struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// Notifications that came while a reply was waited for.
    pub(crate) notified: Vec<Value>,
    last_id: u64,
}

impl Agent {
    /// Starts the server and says nothing.
    pub(crate) fn silent(world: &World, args: &[&str]) -> Self {
        let mut child = world
            .command(&[&["mcp"], args].concat())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (said, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                if said.send(line.unwrap()).is_err() {
                    return;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, notified: Vec::new(), last_id: 0 }
    }

    /// Starts the server and shakes hands with it.
    pub(crate) fn start(world: &World, args: &[&str]) -> Self {
        let mut agent = Self::silent(world, args);
        let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": { "name": "suite", "version": "1" } });
        let reply = agent.request("initialize", &params);
        assert_eq!(reply["result"]["serverInfo"]["name"], "maka");
        agent.line(br#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        agent
    }

    pub(crate) fn line(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn half_line(&mut self, bytes: &[u8]) {
        self.input.as_mut().unwrap().write_all(bytes).unwrap();
    }

    pub(crate) fn begin(&mut self, method: &str, params: &str) -> u64 {
        self.last_id += 1;
        let id = self.last_id;
        let line =
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"{method}","params":{params}}}"#);
        self.line(line.as_bytes());
        id
    }

    pub(crate) fn request(&mut self, method: &str, params: &Value) -> Value {
        let id = self.begin(method, &params.to_string());
        self.reply(id)
    }

    pub(crate) fn reply(&mut self, id: u64) -> Value {
        loop {
            let message = self.message(PATIENCE).unwrap();
            if message["id"] == id {
                return message;
            }
            assert!(message["method"].is_string(), "no reply was waited for: {message}");
            self.notified.push(message);
        }
    }

    /// The next message; `None` where none comes in time or the stream has ended.
    pub(crate) fn message(&mut self, wait: Duration) -> Option<Value> {
        match self.lines.recv_timeout(wait) {
            // Nothing but JSON may stand on standard output.
            Ok(line) => Some(serde_json::from_str(&line).unwrap()),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Calls a tool with raw arguments; gives the result.
    pub(crate) fn call(&mut self, tool: &str, arguments: &str) -> Value {
        let params = format!(r#"{{"name":"{tool}","arguments":{arguments}}}"#);
        let id = self.begin("tools/call", &params);
        self.reply(id)["result"].clone()
    }

    pub(crate) fn write(&mut self, todos: &Value) -> Value {
        self.call("todo_write", &json!({ "todos": todos }).to_string())
    }

    /// The items that the server reads.
    pub(crate) fn read(&mut self) -> Value {
        let result = self.call("todo_read", "{}");
        assert_eq!(result["isError"], false, "{result}");
        result["structuredContent"]["items"].clone()
    }

    pub(crate) fn uri(&mut self) -> String {
        let reply = self.request("resources/list", &json!({}));
        reply["result"]["resources"][0]["uri"].as_str().unwrap().to_owned()
    }

    /// The id of the Session that is served.
    pub(crate) fn session(&mut self) -> String {
        self.uri().split('/').nth(3).unwrap().to_owned()
    }

    /// Ends the input; gives how the server ended, what was left on standard output and what
    /// standard error said.
    pub(crate) fn end(mut self) -> (ExitStatus, Vec<Value>, String) {
        drop(self.input.take());
        let mut left = Vec::new();
        while let Some(message) = self.message(PATIENCE) {
            left.push(message);
        }
        let mut stderr = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        (self.child.wait().unwrap(), left, stderr)
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
