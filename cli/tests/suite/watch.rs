//! `maka todo watch`.

use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::world::{World, kill};

struct Watcher {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watcher {
    fn of(world: &World, args: &[&str]) -> Self {
        let mut command = world.command(&["todo", "watch"]);
        let mut child = command
            .args(args)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next line, which comes by itself; the harness's own limit ends a test that hangs.
    fn line(&mut self) -> String {
        let mut line = String::new();
        self.lines.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    fn json(&mut self) -> Value {
        let line = self.line();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn interrupt(mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn list(content: &str) -> Value {
    json!([{"content": content, "status": "pending"}])
}

#[test]
fn the_list_now_then_a_line_a_change_through_a_restart_until_ctrl_c() {
    let world = World::new();
    let id = world.session("s");
    world.session("other");
    world.write("s", &list("one")).ok();
    let mut watcher = Watcher::of(&world, &["s", "--json"]);
    let first = watcher.json();
    assert_eq!(first["schema"], "maka.todo.v1");
    assert_eq!((&first["sessionId"], &first["items"]), (&json!(id), &list("one")));

    world.write("other", &list("not mine")).ok();
    world.write("s", &list("two")).ok();
    assert_eq!(watcher.json()["items"], list("two"));

    kill(world.host_pid().unwrap());
    world.write("s", &list("three")).ok();
    assert_eq!(watcher.json()["items"], list("three"));

    world.run(&["host", "stop"]).ok();
    assert_eq!(world.json(&["host", "status", "--json"])["running"], false);
    world.write("s", &list("four")).ok();
    assert_eq!(watcher.json()["items"], list("four"));
    assert_eq!(watcher.interrupt(), Some(0));
}

#[test]
fn text_is_shown_anew_at_each_change() {
    let world = World::new();
    world.session("s");
    let mut watcher = Watcher::of(&world, &["s"]);
    assert_eq!(watcher.line(), "The list is empty.");
    world.write("s", &list("one")).ok();
    assert_eq!(watcher.line(), "");
    assert_eq!(watcher.line(), "1 item: 1 pending, 0 in progress, 0 completed");
    assert_eq!(watcher.line(), "1. [ ] pending      one");
    assert_eq!(watcher.interrupt(), Some(0));
}
