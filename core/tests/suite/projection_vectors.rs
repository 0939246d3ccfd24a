//! Every vector of `tests/display/vectors.json`.

use std::collections::BTreeSet;

use maka_core::session_todo::display::project;
use serde_json::Value;

use crate::projection_invariants::assert_invariants;

fn strings<'a>(vector: &'a Value, member: &str) -> Vec<&'a str> {
    let values = vector.get(member).and_then(Value::as_array).expect("an array of strings");
    values.iter().filter_map(Value::as_str).collect()
}

#[test]
fn every_vector_holds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/display/vectors.json");
    let text = std::fs::read_to_string(path).expect("the vectors");
    let vectors: Vec<Value> = serde_json::from_str(&text).expect("valid JSON");
    assert_eq!(vectors.len(), 168);
    let ids: BTreeSet<_> = vectors.iter().filter_map(|vector| vector["id"].as_str()).collect();
    assert_eq!(ids.len(), vectors.len(), "every vector has an id of its own");
    let mut failures = Vec::new();
    for vector in &vectors {
        let input = vector["input"].as_str().expect("input");
        let output = project(input);
        assert_invariants(input);
        let kept = strings(vector, "must_contain").iter().all(|part| output.contains(part));
        let gone = !strings(vector, "must_not_contain").iter().any(|part| output.contains(part));
        if !kept || !gone {
            failures.push(format!("{}: {input:?} -> {output:?}", vector["id"]));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
