//! Clients that go away in the middle of a call.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use maka_host_protocol::{Domain, Notification, ServerFrame};
use maka_tests::host_process::HostProcess;
use maka_tests::numbered;
use maka_tests::program::maka_command;
use maka_tests::scratch::Scratch;

/// The write of a client that is gone before the answer is wholly done, signal included, or not at
/// all.
#[test]
fn a_client_that_vanishes_after_sending_leaves_a_whole_list_and_its_signal() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("vanishing").unwrap();
    let mut watcher = host.viewer().unwrap();
    watcher.ask("subscription.open", "{}").unwrap().unwrap();
    host.model(&session).unwrap().write_list(&numbered::arguments(1, 1)).unwrap();
    for number in 2..40 {
        let mut model = host.model(&session).unwrap();
        let input =
            format!(r#"{{"name":"todo_write","arguments":{}}}"#, numbered::arguments(1, number));
        model.request("tool.call", &input).unwrap();
        drop(model);
    }
    // A write that is answered comes after all that were sent before it was.
    let mut last = host.model(&session).unwrap();
    last.write_list(&numbered::arguments(1, 100)).unwrap();
    let mut heard = false;
    while !heard {
        let frame = watcher.next_frame().unwrap().unwrap();
        let ServerFrame::Notification(Notification::Invalidated(signal)) = frame else {
            panic!("{frame:?}");
        };
        assert_eq!(signal.session_id, session);
        heard = signal.domain == Domain::Todo;
    }
    let list = watcher.query_list(&session).unwrap();
    assert!(numbered::identify(1, &list.items.0).is_some(), "{list:?}");
}

#[test]
fn a_client_that_vanishes_in_the_middle_of_a_frame_changes_nothing() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("half").unwrap();
    host.model(&session).unwrap().write_list(&numbered::arguments(1, 1)).unwrap();
    let whole = format!(
        r#"{{"requestId":"w","operation":"tool.call","input":{{"name":"todo_write","arguments":{}}}}}"#,
        numbered::arguments(1, 2)
    );
    for length in [1, whole.len() / 2, whole.len()] {
        let mut model = host.model(&session).unwrap();
        // All but the end of the line.
        model.send(&whole.as_bytes()[..length]).unwrap();
        drop(model);
        let list = host.viewer().unwrap().query_list(&session).unwrap();
        assert_eq!(numbered::identify(1, &list.items.0), Some(1), "{length} bytes");
    }
}

#[test]
fn a_program_that_is_killed_while_it_watches_leaves_the_host_serving() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("watched").unwrap();
    let mut program = maka_command(&scratch.root())
        .unwrap()
        .args(["todo", "watch", "@last", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(program.stdout.take().unwrap());
    let mut line = String::new();
    said.read_line(&mut line).unwrap();
    assert!(line.contains("maka.todo.v1"), "{line}");
    program.kill().unwrap();
    program.wait().unwrap();
    for number in 1..5 {
        host.model(&session).unwrap().write_list(&numbered::arguments(1, number)).unwrap();
    }
    host.stop().unwrap();
}
