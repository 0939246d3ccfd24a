//! Failures that a model cannot mend.

use std::error::Error;
use std::io;

use maka_core::ports::TodoPortError;
use maka_core::session_todo::RecordFault;
use maka_core::{EnvironmentFault, StoreError};

use crate::doubles::{FailingPort, client, session, tools};

fn faults() -> Vec<TodoPortError> {
    let cause = || -> Box<dyn Error + Send + Sync> { Box::new(io::Error::other("below")) };
    let act = "write the Todo";
    vec![
        TodoPortError::NotFound(session()),
        TodoPortError::Draining,
        StoreError::CorruptDocument { session: session(), cause: RecordFault::NotJson }.into(),
        StoreError::CorruptDatabase { detail: "a page".to_owned() }.into(),
        StoreError::Environment { act, fault: EnvironmentFault::Full, cause: cause() }.into(),
        StoreError::CommitOutcomeUnknown { cause: cause() }.into(),
        StoreError::InvalidLease.into(),
        StoreError::Internal { act, cause: cause() }.into(),
    ]
}

#[tokio::test]
async fn a_failed_call_is_a_fault_and_never_a_result() {
    let mut said = String::new();
    for number in 0..faults().len() {
        let port = FailingPort(Box::new(move || faults().swap_remove(number)));
        let tools = tools(port);
        for (name, arguments) in [("todo_read", "{}"), ("todo_write", r#"{"todos":[]}"#)] {
            let called = tools.call(&session(), &client(), name, arguments).await;
            let fault = called.expect_err("the port fails");
            let cause = fault.source().map(ToString::to_string).unwrap_or_default();
            let hint = fault.hint().unwrap_or("-");
            said.push_str(&format!(
                "{name}: failed to {fault}\n  cause: {cause}\n  hint: {hint}\n"
            ));
        }
    }
    insta::assert_snapshot!(said);
}

#[tokio::test]
async fn a_wrong_call_is_answered_without_the_port() {
    let tools = tools(FailingPort(Box::new(|| TodoPortError::Draining)));
    let called = tools.call(&session(), &client(), "todo_write", "{}").await;
    assert!(!called.expect("the port was not asked").ok);
}
