//! `maka todo show` and `maka todo list --open`.

use std::process::Stdio;

use serde_json::{Value, json};

use crate::world::{Ran, World};

fn three() -> Value {
    json!([
        {"content": "read *the* log", "status": "completed"},
        {"content": "fix", "status": "in_progress"},
        {"content": "release", "status": "pending"},
    ])
}

#[test]
fn a_list_is_shown_as_text_json_and_markdown() {
    let world = World::new();
    let id = world.session("s");
    world.write("@last", &three()).ok();
    let shown = world.json(&["todo", "show", "s", "--json"]);
    assert_eq!(
        shown,
        json!({
            "schema": "maka.todo.v1",
            "sessionId": id,
            "items": three(),
            "counts": {"pending": 1, "in_progress": 1, "completed": 1},
        })
    );
    assert_eq!(
        world.run(&["todo", "show", "s"]).ok().stdout,
        "3 items: 1 pending, 1 in progress, 1 completed\n\
         1. [x] completed    read *the* log\n\
         2. [>] in progress  fix\n\
         3. [ ] pending      release\n"
    );
    assert_eq!(
        world.run(&["todo", "show", "s", "--markdown"]).ok().stdout,
        "- [x] read \\*the\\* log\n- [ ] *in progress:* fix\n- [ ] release\n"
    );
}

#[test]
fn a_first_show_reads_as_empty() {
    let world = World::new();
    world.session("s");
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"], json!([]));
    assert_eq!(world.run(&["todo", "show", "s"]).ok().stdout, "The list is empty.\n");
}

#[test]
fn secrets_and_escapes_are_harmless_on_every_output() {
    let world = World::new();
    world.session("s");
    // In two pieces, so that no scanner of repositories takes it for a real one.
    let secret = concat!("npm", "_Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7j");
    let content = format!("use {secret} then \u{1b}[2Jclear");
    let ran = world.write("s", &json!([{"content": content, "status": "pending"}])).ok();
    let mut outputs = vec![ran.stdout];
    for args in [
        &["todo", "show", "s"][..],
        &["todo", "show", "s", "--json"],
        &["todo", "show", "s", "--markdown"],
        &["todo", "list", "--open"],
        &["todo", "list", "--open", "--json"],
        &["tool", "call", "todo_read", "--session", "s"],
        &["tool", "call", "todo_read", "--session", "s", "--json"],
    ] {
        outputs.push(world.run(args).ok().stdout);
    }
    for output in outputs {
        assert!(output.contains("redacted"), "{output:?}");
        assert!(!output.contains(secret) && !output.contains('\u{1b}'), "{output:?}");
        assert!(!output.contains("\\u001b"), "{output:?}");
    }
}

#[test]
fn colour_is_only_for_terminals_and_never_the_only_sign() {
    let world = World::new();
    world.session("s");
    world.write("s", &three()).ok();
    let piped = world.run(&["todo", "show", "s"]).ok().stdout;
    assert!(!piped.contains('\u{1b}'), "{piped:?}");
    let run = |no_color: bool| {
        let mut command = world.command(&["todo", "show", "s"]);
        command.env("CLICOLOR_FORCE", "1");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        Ran::of(command.output().unwrap()).ok().stdout
    };
    assert!(run(false).contains('\u{1b}'));
    assert_eq!(run(true), piped);
}

#[test]
fn open_lists_unfinished_items_over_all_sessions_and_initializes_nothing() {
    let world = World::new();
    world.session("untouched");
    let done = world.session("done");
    let open = world.session("open");
    world.write(&done, &json!([{"content": "a", "status": "completed"}])).ok();
    world.write(&open, &three()).ok();
    let listed = world.json(&["todo", "list", "--open", "--json"]);
    assert_eq!(listed["schema"], "maka.todos.v1");
    let sessions = listed["sessions"].as_array().unwrap();
    assert_eq!(sessions.len(), 1, "{listed}");
    assert_eq!(sessions[0]["sessionId"], json!(open));
    assert_eq!(sessions[0]["name"], "open");
    assert_eq!(sessions[0]["counts"], json!({"pending": 1, "in_progress": 1, "completed": 1}));
    assert_eq!(sessions[0]["items"].as_array().unwrap().len(), 2);
    let text = world.run(&["todo", "list", "--open"]).ok().stdout;
    assert!(text.contains("open\n  [>] in progress  fix\n  [ ] pending      release\n"), "{text}");
    assert!(!text.contains("read *the* log") && !text.contains("untouched"), "{text}");
}

#[test]
fn nothing_unfinished_says_so() {
    let world = World::new();
    assert_eq!(world.run(&["todo", "list", "--open"]).ok().stdout, "Nothing is unfinished.\n");
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let world = World::new();
    world.session("s");
    world.write("s", &three()).ok();
    let mut child = world
        .command(&["todo", "show", "s"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    assert!(ended.stderr.is_empty(), "{ended:?}");
}
