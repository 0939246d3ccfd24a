//! Bad input gets a clear error and loses nothing.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::world::World;

const CASES: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/document.json"));

/// Writes out the generators of the case files.
fn expand(value: &Value) -> Value {
    if let Value::Object(members) = value {
        let times = || usize::try_from(members["times"].as_u64().unwrap()).unwrap();
        if let Some(text) = members.get("$repeat") {
            return json!(text.as_str().unwrap().repeat(times()));
        }
        if let Some(item) = members.get("$items") {
            return Value::Array(vec![expand(item); times()]);
        }
        if let Some(Value::Array(parts)) = members.get("$concat") {
            let parts: Vec<_> =
                parts.iter().map(|part| expand(part).as_str().unwrap().to_owned()).collect();
            return json!(parts.concat());
        }
        return members.iter().map(|(name, member)| (name.clone(), expand(member))).collect();
    }
    value.as_array().map_or_else(|| value.clone(), |items| items.iter().map(expand).collect())
}

/// Every list that the document refuses is refused here, and the stored list stays.
#[test]
fn every_invalid_list_is_refused_and_the_stored_one_stays() {
    let world = World::new();
    world.session("s");
    let kept = json!([{"content": "keep me", "status": "in_progress"}]);
    world.write("s", &kept).ok();
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let mut refused = BTreeSet::new();
    for case in cases["cases"].as_array().unwrap() {
        if case["expect"]["error"].is_null() {
            continue;
        }
        let list = case["input_json_text"]
            .as_str()
            .map_or_else(|| expand(&case["input"]).to_string(), str::to_owned);
        let input = format!("{{\"todos\":{list}}}");
        let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-"];
        let ran = world.run_with(&args, input.as_bytes());
        assert_eq!(ran.code, Some(1), "{}: {ran:?}", case["id"]);
        assert!(!ran.stdout.trim().is_empty(), "{}: {ran:?}", case["id"]);
        refused.insert(case["id"].as_str().unwrap().to_owned());
    }
    assert_eq!(refused.len(), 29, "{refused:?}");
    assert_eq!(world.json(&["todo", "show", "s", "--json"])["items"], kept);
}

/// What agents really send, each with the words that let them mend it.
#[test]
fn what_agents_get_wrong_is_told_by_name() {
    let world = World::new();
    world.session("s");
    for (input, says) in [
        (json!({"todos": "[{\"content\":\"a\",\"status\":\"pending\"}]"}), "string"),
        (json!({"todos": {"content": "a", "status": "pending"}}), "object"),
        (json!({"todos": [{"id": "1", "content": "a", "status": "pending"}]}), "id"),
        (json!({"todos": [{"content": "a", "status": "pending", "priority": "x"}]}), "priority"),
        (
            json!({"todos": [{"content": "a", "status": "pending", "activeForm": "x"}]}),
            "activeForm",
        ),
        (json!({"todos": [{"content": "a", "status": "done"}]}), "completed"),
        (json!({"todos": [{"content": "a", "status": "PENDING"}]}), "pending"),
        (json!({"todos": [{"content": "x".repeat(201), "status": "pending"}]}), "200"),
        (json!({"todos": vec![json!({"content": "a", "status": "pending"}); 201]}), "200"),
        (json!({"tasks": []}), "todos"),
        (json!([]), "todos"),
    ] {
        let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-"];
        let ran = world.run_with(&args, input.to_string().as_bytes());
        assert_eq!(ran.code, Some(1), "{input}: {ran:?}");
        assert!(ran.stdout.contains(says), "{input}: {ran:?}");
    }
    let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-"];
    let lone = br#"{"todos":[{"content":"a \ud83d b","status":"pending"}]}"#;
    let ran = world.run_with(&args, lone);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("surrogate"), "{ran:?}");
}

#[test]
fn input_that_is_not_json_is_refused_without_repeating_it() {
    let world = World::new();
    world.session("s");
    let args = ["tool", "call", "todo_write", "--session", "s", "--input", "-"];
    for bad in [&b"{\"todos\": [hush"[..], b"", b"\xff\xfe", b"{} {}"] {
        let ran = world.run_with(&args, bad).fails(1, "standard input");
        assert!(!ran.stderr.contains("hush"), "{ran:?}");
    }
    let huge = format!("{{\"todos\":\"{}\"}}", "x".repeat(1_100_000));
    world.run_with(&args, huge.as_bytes()).fails(1, "more than");
    let over_a_frame = format!("{{\"todos\":\"{}\"}}", "x".repeat(800_000));
    world.run_with(&args, over_a_frame.as_bytes()).fails(1, "");
}

#[test]
fn a_root_that_is_a_file_is_refused_and_stays() {
    let world = World::new();
    std::fs::write(world.root(), "mine").unwrap();
    for args in [
        &["session", "list"][..],
        &["host", "start"],
        &["host", "run"],
        &["todo", "list", "--open"],
        &["upgrade"],
        &["upgrade", "--plan"],
    ] {
        let ran = world.run(args);
        assert!(matches!(ran.code, Some(1 | 4)), "{args:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{args:?}: {ran:?}");
    }
    assert_eq!(std::fs::read_to_string(world.root()).unwrap(), "mine");
}

/// `/proc` takes no new folder from anybody, root included.
#[cfg(target_os = "linux")]
#[test]
fn a_root_that_cannot_be_made_is_refused() {
    let world = World::new().with_root("/proc/maka");
    for args in [&["session", "list"][..], &["host", "run"], &["backup", "create", "/tmp/never"]] {
        let ran = world.run(args);
        assert!(matches!(ran.code, Some(1 | 3 | 4)), "{args:?}: {ran:?}");
        assert!(ran.stderr.contains("/proc/maka"), "{args:?}: {ran:?}");
    }
}

/// A file that is not a database, and one of a newer program, are refused and stay as they are.
#[test]
fn a_foreign_database_is_blocked_and_stays() {
    let world = World::new();
    std::fs::create_dir(world.root()).unwrap();
    let file = world.root().join("runtime.sqlite");
    let foreign = vec![b'x'; 8192];
    std::fs::write(&file, &foreign).unwrap();
    for args in [&["session", "list"][..], &["host", "run"], &["upgrade"], &["upgrade", "--plan"]] {
        let ran = world.run(args);
        assert!(matches!(ran.code, Some(1 | 5)), "{args:?}: {ran:?}");
        assert!(ran.stderr.starts_with("error: "), "{args:?}: {ran:?}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), foreign);
}
