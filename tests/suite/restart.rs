//! A Host that is killed or stopped, and started again.

use std::os::unix::process::ExitStatusExt;

use maka_core::SessionId;
use maka_core::session_todo::SessionTodo;
use maka_tests::drill::{DrillOptions, run_drill};
use maka_tests::dump::stored_record;
use maka_tests::host_process::HostProcess;
use maka_tests::numbered;
use maka_tests::scratch::Scratch;

fn read(host: &HostProcess, session: &SessionId) -> SessionTodo {
    host.viewer().unwrap().query_list(session).unwrap().items.0
}

#[test]
fn a_list_reads_the_same_after_a_kill_and_by_every_client() {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("kept").unwrap();
    host.model(&session).unwrap().write_list(&numbered::arguments(1, 22)).unwrap();
    let record = stored_record(&scratch.database(), session.as_str()).unwrap();
    let (pid, epoch) = (host.pid(), host.lease_text().host_epoch.clone());
    host.kill().unwrap();

    let host = HostProcess::start(&scratch.root()).unwrap();
    assert_ne!(host.pid(), pid);
    assert_ne!(host.lease_text().host_epoch, epoch);
    assert_eq!(numbered::identify(1, &read(&host, &session)), Some(22));
    assert_eq!(read(&host, &session), read(&host, &session));
    assert_eq!(stored_record(&scratch.database(), session.as_str()).unwrap(), record);
}

/// Stops the real program at a point of a write, and tells which of the two lists is there.
fn killed_at(point: &str) -> Option<u64> {
    let scratch = Scratch::new().unwrap();
    let host = HostProcess::start(&scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("killed").unwrap();
    host.model(&session).unwrap().write_list(&numbered::arguments(1, 1)).unwrap();
    host.stop().unwrap();

    let fault = format!("{point}=kill");
    let host = HostProcess::start_with(&scratch.root(), |command| {
        command.env("MAKA_TEST_FAULT", &fault);
    })
    .unwrap();
    let answer = host.model(&session).unwrap().tool("todo_write", &numbered::arguments(1, 2));
    assert!(answer.is_err(), "{point}: answered {answer:?}");
    assert_eq!(host.wait().unwrap().signal(), Some(9), "{point}");

    let host = HostProcess::start(&scratch.root()).unwrap();
    numbered::identify(1, &read(&host, &session))
}

#[test]
fn a_host_killed_before_the_commit_leaves_the_old_list() {
    assert_eq!(killed_at("todo.replace"), Some(1));
    assert_eq!(killed_at("writer.before_commit"), Some(1));
}

#[test]
fn a_host_killed_after_the_commit_and_before_the_answer_leaves_the_new_list() {
    assert_eq!(killed_at("writer.committed"), Some(2));
}

#[test]
fn every_acknowledged_list_is_there_after_each_kill_of_a_small_drill() {
    let options = DrillOptions { kills: 8, writers: 4, seed: 7 };
    let mut said = Vec::new();
    let report = run_drill(&options, &mut said).unwrap();
    assert_eq!((report.kills, report.checked), (8, 32));
    assert!(report.acknowledged > 0, "nothing was written: {}", String::from_utf8_lossy(&said));
}
