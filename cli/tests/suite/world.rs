//! A state root of a test's own, and the real command on it. The Host that a command started is
//! stopped when the test ends.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// A throwaway folder with a state root in it.
pub(crate) struct World {
    folder: tempfile::TempDir,
    root: PathBuf,
}

impl World {
    /// A root that is not there yet.
    pub(crate) fn new() -> Self {
        // Short, so that the socket's path fits wherever the tests run.
        let folder = tempfile::Builder::new().prefix("mk").tempdir_in("/tmp").unwrap();
        let root = folder.path().join("r");
        Self { folder, root }
    }

    /// A root that holds a copy of one of `tests/workspaces`.
    pub(crate) fn of_workspace(name: &str) -> Self {
        let world = Self::new();
        std::fs::create_dir(&world.root).unwrap();
        let from = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/workspaces"));
        std::fs::copy(from.join(name), world.root.join("runtime.sqlite")).unwrap();
        world
    }

    /// The state root.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Moves the root to another place below the folder.
    pub(crate) fn with_root(mut self, below: impl AsRef<Path>) -> Self {
        self.root = self.folder.path().join(below);
        self
    }

    /// A path below the folder.
    pub(crate) fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join(below)
    }

    /// The command on this root.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = maka();
        command.arg("--root").arg(&self.root).args(args).current_dir(self.folder.path());
        command
    }

    /// Runs the command.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the command with `input` on its standard input.
    pub(crate) fn run_with(&self, args: &[&str], input: &[u8]) -> Ran {
        use std::io::Write;
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that refuses early closes its input: what it says is the test's business.
        let _ = child.stdin.take().unwrap().write_all(input);
        Ran::of(child.wait_with_output().unwrap())
    }

    /// Runs the command, which must succeed, and reads its JSON.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        self.run(args).ok().json()
    }

    /// Makes a Session and gives its id.
    pub(crate) fn session(&self, name: &str) -> String {
        let made = self.json(&["session", "new", "--name", name, "--json"]);
        made["sessionId"].as_str().unwrap().to_owned()
    }

    /// Writes a list as a model would.
    pub(crate) fn write(&self, session: &str, todos: &Value) -> Ran {
        let input = json!({ "todos": todos }).to_string();
        let args = ["tool", "call", "todo_write", "--session", session, "--input", "-"];
        self.run_with(&args, input.as_bytes())
    }

    /// The process id of the Host, where one runs.
    pub(crate) fn host_pid(&self) -> Option<u64> {
        let status = self.run(&["host", "status", "--json"]);
        serde_json::from_str::<Value>(status.stdout.trim()).ok()?["pid"].as_u64()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        self.run(&["host", "stop"]);
        if let Some(pid) = self.host_pid() {
            kill(pid);
        }
    }
}

/// Sends SIGKILL to a process that the test started.
pub(crate) fn kill(pid: u64) {
    let status = Command::new("kill").args(["-KILL", &pid.to_string()]).status().unwrap();
    assert!(status.success());
}

/// The command without anything of the tester's own environment.
pub(crate) fn maka() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maka"));
    for name in ["MAKA_ROOT", "MAKA_TEST_FAULT", "MAKA_DEMO_SABOTAGE", "COLUMNS", "CLICOLOR_FORCE"]
    {
        command.env_remove(name);
    }
    command
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Asserts success.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, Some(0), "{self:?}");
        self
    }

    /// Asserts a failure: its exit code, and that it says `error: ` with this text.
    #[track_caller]
    pub(crate) fn fails(self, code: i32, says: &str) -> Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        assert!(self.stderr.contains("error: "), "{self:?}");
        assert!(self.stderr.contains(says), "{says:?} is missing: {self:?}");
        assert!(!self.stderr.contains("panicked"), "{self:?}");
        self
    }

    /// Asserts what the hint says.
    #[track_caller]
    pub(crate) fn hints(self, says: &str) -> Self {
        let hint = self.stderr.lines().find(|line| line.starts_with("hint: "));
        assert!(hint.is_some_and(|hint| hint.contains(says)), "{says:?} is missing: {self:?}");
        self
    }

    /// Reads standard output as one JSON value.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }
}
