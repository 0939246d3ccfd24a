//! `maka demo`, looked at by a connection that is not the product's.

use std::process::Command;

use maka_tests::dump::stored_record;
use maka_tests::program::maka;
use serde_json::{Value, json};

const SCRIPT: &str =
    include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../cli/src/demo/script.json"));

/// The word behind `before` on the line of a step.
fn told<'a>(narration: &'a str, step: &str, before: &str) -> &'a str {
    let line = narration.lines().find(|line| line.starts_with(&format!("ok  {step}"))).unwrap();
    let (_, after) = line.split_once(before).unwrap();
    after.split([',', ' ', ';']).next().unwrap()
}

#[test]
fn the_demo_leaves_the_list_it_tells_of_and_two_hosts_served_it() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(maka().unwrap())
        .args(["demo", "--keep"])
        .env("TMPDIR", folder.path())
        .env_remove("MAKA_DEMO_SABOTAGE")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let narration = String::from_utf8(output.stdout).unwrap();

    for what in ["process ", "epoch "] {
        assert_ne!(told(&narration, "kill", what), told(&narration, "restart", what), "{what}");
    }
    let root = narration.lines().find_map(|line| line.strip_prefix("kept: ")).unwrap();
    let database = std::path::Path::new(root).join("runtime.sqlite");
    let session = told(&narration, "session", "Session ");
    let record = stored_record(&database, session).unwrap().unwrap();
    let script: Value = serde_json::from_str(SCRIPT).unwrap();
    let written = script["hostile"].as_array().unwrap().last().unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(&record).unwrap(),
        json!({"schemaVersion": 1, "items": written["arguments"]["todos"]}),
        "the stored text is not what the model wrote"
    );
}
