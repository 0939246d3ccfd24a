//! A damaged row is an error, never an empty list.

use maka_host_protocol::ErrorCode;
use maka_tests::dump::stored_record;
use maka_tests::host_process::HostProcess;
use maka_tests::numbered;
use maka_tests::program::maka_command;
use maka_tests::scratch::Scratch;
use rusqlite::Connection;

const DAMAGED: &str = r#"{"schemaVersion":1,"items":[{"content":"x","status":"blocked"}]}"#;

#[test]
fn a_damaged_row_is_an_error_that_stays_until_the_next_write() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("damaged").unwrap();
    host.model(&session).unwrap().write_list(&numbered::arguments(1, 3)).unwrap();
    host.stop().unwrap();
    Connection::open(scratch.database())
        .unwrap()
        .execute("UPDATE workflow_session_todo_documents SET record_json = ?1", [DAMAGED])
        .unwrap();

    let host = HostProcess::start(&scratch.root()).unwrap();
    let query = format!(r#"{{"sessionId":"{session}"}}"#);
    let refused = host.viewer().unwrap().ask("session.todo.query", &query).unwrap().unwrap_err();
    assert_eq!(refused.code, ErrorCode::InternalFailure);
    assert!(refused.hint.unwrap().contains("todo_write"));
    let refused = host.model(&session).unwrap().tool("todo_read", "{}").unwrap().unwrap_err();
    assert_eq!(refused.code, ErrorCode::InternalFailure);
    let shown =
        maka_command(&scratch.root()).unwrap().args(["todo", "show", "@last"]).output().unwrap();
    assert_eq!(shown.status.code(), Some(1));
    assert!(shown.stdout.is_empty(), "{}", String::from_utf8_lossy(&shown.stdout));
    let stored = stored_record(&scratch.database(), session.as_str()).unwrap();
    assert_eq!(stored.as_deref(), Some(DAMAGED));

    host.model(&session).unwrap().write_list(&numbered::arguments(1, 4)).unwrap();
    let repaired = host.viewer().unwrap().query_list(&session).unwrap();
    assert_eq!(numbered::identify(1, &repaired.items.0), Some(4));
}
