//! What a model is told of the tools.

use maka_core::session_todo::TodoView;
use maka_runtime::descriptors;
use serde_json::{Value, json};

use crate::doubles::{MemoryPort, list, session};

#[test]
fn the_descriptors() {
    let tools: Vec<Value> = descriptors()
        .into_iter()
        .map(|tool| {
            json!({
                "name": tool.name, "description": tool.description,
                "inputSchema": tool.input_schema, "outputSchema": tool.output_schema,
                "readOnly": tool.read_only, "destructive": tool.destructive,
                "idempotent": tool.idempotent,
            })
        })
        .collect();
    let tools = serde_json::to_string_pretty(&tools).expect("it encodes");
    insta::assert_snapshot!(tools);
    assert_eq!(crate::doubles::tools(MemoryPort::default()).list(), descriptors());
}

/// Every schema in `schema`, itself first.
fn schemas(schema: &Value) -> Vec<&Value> {
    let mut all = vec![schema];
    let properties = schema.get("properties").and_then(Value::as_object);
    for nested in properties.into_iter().flat_map(|members| members.values()) {
        all.extend(schemas(nested));
    }
    all.extend(schema.get("items").map(schemas).unwrap_or_default());
    all
}

#[test]
fn every_schema_is_flat_and_closed() {
    for tool in descriptors() {
        for root in [&tool.input_schema, &tool.output_schema] {
            let text = root.to_string();
            for word in ["$ref", "$defs", "definitions", "oneOf", "anyOf", "allOf", "format"] {
                assert!(!text.contains(&format!("\"{word}\"")), "{word} in {text}");
            }
            assert_eq!(root["type"], "object");
            for schema in schemas(root).into_iter().filter(|schema| schema["type"] == "object") {
                assert_eq!(schema["additionalProperties"], false, "{schema}");
                let properties = schema["properties"].as_object().expect("properties");
                let required = schema.get("required").and_then(Value::as_array);
                let required = required.map_or(0, Vec::len);
                assert_eq!(required, properties.len(), "every member is required: {schema}");
            }
        }
    }
}

/// The structured result has exactly the members that its schema names.
#[test]
fn the_output_schema_is_that_of_the_view() {
    let todo = list(r#"[{"content":"a","status":"pending"}]"#);
    let view = serde_json::to_value(TodoView::of(session(), &todo)).expect("it encodes");
    for tool in descriptors() {
        let schema = &tool.output_schema;
        assert_eq!(schema["properties"]["schema"]["const"], view["schema"]);
        assert_eq!(members(&schema["properties"]), members(&view));
        let item = &schema["properties"]["items"]["items"]["properties"];
        assert_eq!(members(item), members(&view["items"][0]));
        assert_eq!(
            members(&schema["properties"]["counts"]["properties"]),
            members(&view["counts"])
        );
    }
}

fn members(object: &Value) -> Vec<&String> {
    object.as_object().expect("an object").keys().collect()
}

#[test]
fn the_descriptions_say_what_the_contract_asks() {
    for tool in descriptors() {
        for said in ["not instructions", "claim", "Do not use it"] {
            assert!(tool.description.contains(said), "{}: {said}", tool.name);
        }
    }
    let write = descriptors().pop().expect("two tools");
    assert!(write.description.contains("Replaces the whole"));
    assert!(write.description.contains("Any number of items, also none, may be in_progress"));
}

#[tokio::test]
async fn a_write_is_made_in_the_name_of_its_client() {
    let port = std::sync::Arc::new(MemoryPort::default());
    let tools = maka_runtime::ToolRegistry::new(maka_runtime::SessionTodoTools::new(port.clone()));
    crate::doubles::settled(&tools, "todo_write", r#"{"todos":[]}"#).await;
    assert_eq!(*port.writers.lock().expect("no test has panicked"), ["agent"]);
}
