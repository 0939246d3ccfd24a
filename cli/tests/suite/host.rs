//! `maka host`, and the Host that commands start by themselves.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::world::{Ran, World, kill};

#[test]
fn status_says_whether_one_runs() {
    let world = World::new();
    let status = world.json(&["host", "status", "--json"]);
    assert_eq!((&status["schema"], &status["running"]), (&json!("maka.host.v1"), &json!(false)));
    assert!(world.run(&["host", "status"]).ok().stdout.contains("no Host runs"));
    assert!(!world.root().exists(), "looking made a state root");

    let started = world.json(&["host", "start", "--json"]);
    let status = world.json(&["host", "status", "--json"]);
    for member in ["running", "pid", "hostEpoch", "socket", "workflowSchema", "root", "state"] {
        assert!(!status[member].is_null(), "{member}: {status}");
        assert_eq!(status[member], started[member], "{member}");
    }
    assert_eq!(status["running"], true);
    assert_eq!(status["workflowSchema"], 12);
    assert_eq!(world.json(&["host", "start", "--json"])["pid"], started["pid"]);
}

#[test]
fn stop_waits_until_the_process_is_gone() {
    let world = World::new();
    world.run(&["host", "stop"]).ok();
    world.run(&["host", "start"]).ok();
    let pid = world.host_pid().unwrap();
    let stopped = world.run(&["host", "stop"]).ok().stdout;
    assert!(stopped.contains(&pid.to_string()), "{stopped}");
    assert!(!lives(pid), "process {pid} still runs");
    assert_eq!(world.json(&["host", "status", "--json"])["running"], false);
    assert_eq!(world.json(&["host", "stop", "--json"])["running"], false);
}

/// Whether a process runs; one that only waits to be reaped does not.
fn lives(pid: u64) -> bool {
    let listed = Command::new("ps").args(["-o", "stat=", "-p", &pid.to_string()]).output().unwrap();
    let state = String::from_utf8(listed.stdout).unwrap();
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

#[test]
fn racing_commands_end_with_one_host() {
    let world = World::new();
    let racers: Vec<_> = (0..6)
        .map(|_| {
            world
                .command(&["host", "start", "--json"])
                .stdin(Stdio::null())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let pids: std::collections::BTreeSet<_> = racers
        .into_iter()
        .map(|racer| Ran::of(racer.wait_with_output().unwrap()).ok().json()["pid"].as_u64())
        .collect();
    assert_eq!(pids.len(), 1, "{pids:?}");
    assert_eq!(pids.first(), Some(&world.host_pid()));
}

#[test]
fn after_a_kill_the_next_command_starts_another_and_the_list_is_there() {
    let world = World::new();
    world.session("s");
    let todos = json!([{"content": "a", "status": "pending"}]);
    world.write("s", &todos).ok();
    let before = world.json(&["host", "status", "--json"]);
    kill(before["pid"].as_u64().unwrap());
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"], todos);
    let after = world.json(&["host", "status", "--json"]);
    assert_ne!(after["pid"], before["pid"]);
    assert_ne!(after["hostEpoch"], before["hostEpoch"]);
}

#[test]
fn a_second_host_is_refused_and_names_the_first() {
    let world = World::new();
    world.run(&["host", "start"]).ok();
    let pid = world.host_pid().unwrap();
    world.run(&["host", "run"]).fails(1, &pid.to_string()).hints("maka host stop");
}

#[test]
fn a_host_in_the_foreground_stops_in_order_on_a_signal() {
    for signal in ["INT", "TERM"] {
        let world = World::new();
        let mut child = world
            .command(&["host", "run"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let line = first_line(child.stdout.as_mut().unwrap());
        assert!(line.contains(&child.id().to_string()), "{line}");
        assert_eq!(world.host_pid(), Some(u64::from(child.id())));
        let pid = child.id().to_string();
        assert!(
            Command::new("kill").args([&format!("-{signal}"), &pid]).status().unwrap().success()
        );
        let ended = Ran::of(child.wait_with_output().unwrap());
        assert_eq!(ended.code, Some(0), "{signal}: {ended:?}");
    }
}

fn first_line(from: impl std::io::Read) -> String {
    use std::io::BufRead;
    let mut line = String::new();
    std::io::BufReader::new(from).read_line(&mut line).unwrap();
    line
}

#[test]
fn a_spawned_host_tells_its_caller_and_holds_none_of_its_streams() {
    let world = World::new();
    let mut child = world
        .command(&["host", "run", "--spawned"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    // Reading to the end comes back although the Host lives: it has let go of its output.
    let mut said = String::new();
    std::io::Read::read_to_string(child.stdout.as_mut().unwrap(), &mut said).unwrap();
    assert_eq!(said, "{\"ready\":true}\n");
    assert!(child.try_wait().unwrap().is_none());
    let second = world.run(&["host", "run", "--spawned"]);
    assert_eq!(second.code, Some(1), "{second:?}");
    let refusal = second.json();
    assert_eq!((&refusal["ready"], &refusal["code"]), (&json!(false), &json!("lease_held")));
    world.run(&["host", "stop"]).ok();
    assert!(child.wait().unwrap().success());
}

#[test]
fn idle_exit_ends_a_host_without_clients() {
    let world = World::new();
    let child = world
        .command(&["host", "run", "--idle-exit", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let ended = Ran::of(child.wait_with_output().unwrap());
    assert_eq!(ended.code, Some(0), "{ended:?}");
}

#[test]
fn a_socket_path_over_the_limit_falls_back_to_a_short_one() {
    let world = World::new().with_root(format!("{0}/{0}/r", "x".repeat(80)));
    world.session("s");
    let status = world.json(&["host", "status", "--json"]);
    let socket = status["socket"].as_str().unwrap();
    assert!(socket.len() < 108 && !socket.starts_with(world.root().to_str().unwrap()), "{socket}");
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"], json!([]));
}

#[test]
fn the_environment_names_the_root_and_the_option_wins() {
    let (world, other) = (World::new(), World::new());
    let home = World::new();
    let run_in = |variable: &Path, extra: &[&str]| {
        let mut command = crate::world::maka();
        command.env("MAKA_ROOT", variable).args(extra);
        command.env("HOME", home.root()).env_remove("XDG_DATA_HOME");
        let ran = Ran::of(command.args(["host", "status", "--json"]).output().unwrap()).ok();
        ran.json()["root"].clone()
    };
    let run = |extra: &[&str]| run_in(world.root(), extra);
    assert_eq!(run(&[]), json!(world.root()));
    assert_eq!(run(&["--root", other.root().to_str().unwrap()]), json!(other.root()));
    let usual = run_in(Path::new(""), &[]);
    assert!(Path::new(usual.as_str().unwrap()).starts_with(home.root()), "{usual}");
}

#[test]
fn a_wrong_fault_specification_is_usage() {
    let world = World::new();
    let mut command = world.command(&["host", "run"]);
    let ran = Ran::of(command.env("MAKA_TEST_FAULT", "nonsense").output().unwrap());
    ran.fails(2, "MAKA_TEST_FAULT");
}

#[test]
fn the_removed_switch_changes_nothing_and_is_said_in_the_log() {
    let world = World::new();
    let tools = |set: bool| {
        let mut command = world.command(&["host", "start"]);
        if set {
            command.env("MAKA_TASK_LEDGER_TOOLS", "1");
        }
        Ran::of(command.output().unwrap()).ok();
        let listed: Value = world.json(&["tool", "list", "--json"]);
        world.run(&["host", "stop"]).ok();
        listed
    };
    assert_eq!(tools(false), tools(true));
    let log = std::fs::read_to_string(world.root().join("host.log")).unwrap();
    assert_eq!(log.matches("MAKA_TASK_LEDGER_TOOLS").count(), 1, "{log}");
}

#[test]
fn a_host_whose_output_nobody_reads_serves_all_the_same() {
    let world = World::new();
    let mut child = world
        .command(&["host", "run"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Each look is a process of its own, and the child's end ends the looking.
    let pid = loop {
        assert!(child.try_wait().unwrap().is_none(), "the Host has ended");
        if let Some(pid) = world.host_pid() {
            break pid;
        }
    };
    assert_eq!(pid, u64::from(child.id()));
    world.run(&["host", "stop"]).ok();
    assert!(child.wait().unwrap().success());
}
