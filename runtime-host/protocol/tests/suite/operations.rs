//! The table of operations and roles.

use maka_host_protocol::{Operation, Role};

const ROLES: [Role; 3] = [Role::Viewer, Role::Client, Role::Model];

#[test]
fn which_role_has_which_operation() {
    let table: Vec<String> = Operation::ALL
        .iter()
        .map(|operation| {
            let roles: Vec<&str> = ROLES
                .into_iter()
                .filter(|role| operation.is_for(*role))
                .map(Role::as_str)
                .collect();
            format!("{}: {}", operation.as_str(), roles.join(", "))
        })
        .collect();
    insta::assert_snapshot!(table.join("\n"));
}

#[test]
fn every_operation_is_found_by_its_name_and_no_other_is() {
    for operation in Operation::ALL {
        assert_eq!(Operation::from_wire(operation.as_str()), Some(*operation));
    }
    for name in ["", "session.todo.write", "session.todo.replace", "Host.Status", "host.status "] {
        assert_eq!(Operation::from_wire(name), None, "{name:?}");
    }
}

/// The contract: a Todo is written through the model door and nowhere else.
#[test]
fn nothing_of_a_model_is_for_the_others_and_nothing_of_the_others_for_a_model() {
    for operation in Operation::ALL {
        let of_model = matches!(operation, Operation::ToolList | Operation::ToolCall);
        assert_eq!(operation.is_for(Role::Model), of_model, "{operation:?}");
        assert_eq!(operation.is_for(Role::Client), !of_model, "{operation:?}");
        assert!(!operation.is_for(Role::Viewer) || operation.is_for(Role::Client));
    }
}

#[test]
fn the_removed_query_names_its_replacement() {
    assert_eq!(
        Operation::replacement_of_removed("task.ledger.query"),
        Some(Operation::SessionTodoQuery)
    );
    assert_eq!(Operation::from_wire("task.ledger.query"), None);
    assert_eq!(Operation::replacement_of_removed("host.status"), None);
}
