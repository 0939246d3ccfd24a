//! Every case of `tests/cases/document.json`.

use std::collections::BTreeSet;

use maka_core::session_todo::{DocumentFault, SessionTodo};
use serde_json::{Value, json};

/// Expands the generators of the case file.
fn expand(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let times = || usize::try_from(value["times"].as_u64().expect("times")).expect("small");
            if let Some(text) = members.get("$repeat") {
                return json!(text.as_str().expect("a string").repeat(times()));
            }
            if let Some(parts) = members.get("$concat") {
                let parts = parts.as_array().expect("an array").iter().map(expand);
                return json!(
                    parts.map(|p| p.as_str().expect("a string").to_owned()).collect::<String>()
                );
            }
            if let Some(item) = members.get("$items") {
                return json!(vec![expand(item); times()]);
            }
            members.iter().map(|(name, member)| (name.clone(), expand(member))).collect()
        }
        Value::Array(values) => values.iter().map(expand).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.clone(),
    }
}

fn validate(case: &Value) -> Result<SessionTodo, DocumentFault> {
    match case.get("input_json_text") {
        Some(text) => SessionTodo::from_json(text.as_str().expect("text")),
        None => SessionTodo::from_value(&expand(&case["input"])),
    }
}

fn check(id: &str, case: &Value) {
    let expect = &case["expect"];
    let outcome = validate(case);
    if let Some(rule) = expect.get("error") {
        let fault = outcome.expect_err(id);
        assert_eq!(json!(fault.rule()), *rule, "{id}");
        if let Some(item) = expect.get("item") {
            assert_eq!(json!(fault.item()), *item, "{id}");
        }
        return;
    }
    let todo = outcome.unwrap_or_else(|fault| panic!("{id}: {fault}"));
    let encoded = if let Some(ok) = expect.get("ok") {
        assert_eq!(json!({ "items": todo }), *ok, "{id}");
        &expect["encoded_utf8_bytes"]
    } else {
        let summary = &expect["ok_summary"];
        assert_eq!(json!(todo.items().len()), summary["items"], "{id}");
        let first = todo.items().first().expect("an item").content().chars().count();
        assert_eq!(json!(first), summary["first_code_points"], "{id}");
        &summary["encoded_utf8_bytes"]
    };
    // The file counts `{"items":[…]}`; the record adds its version.
    let envelope = r#""schemaVersion":1,"#.len();
    assert_eq!(json!(todo.record_len() - envelope), *encoded, "{id}");
    assert_eq!(todo.to_record().len(), todo.record_len(), "{id}");
}

#[test]
fn every_case_holds() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/cases/document.json");
    let file: Value =
        serde_json::from_str(&std::fs::read_to_string(path).expect("the cases")).expect("JSON");
    let cases = file["cases"].as_array().expect("cases");
    assert_eq!(cases.len(), 51, "cases were added or taken away");
    let mut ids = BTreeSet::new();
    for case in cases {
        let id = case["id"].as_str().expect("an id");
        check(id, case);
        assert!(ids.insert(id), "{id} stands twice");
    }
}
