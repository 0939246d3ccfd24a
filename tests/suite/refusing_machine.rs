//! A full disk and too few file handles: what was saved stays, the error says so, and all is well
//! once the machine lets us again.

use maka_core::SessionId;
use maka_host_protocol::ErrorCode;
use maka_tests::host_process::HostProcess;
use maka_tests::limits::{SmallDisk, limited_host};
use maka_tests::numbered;
use maka_tests::scratch::Scratch;
use maka_tests::wire::Wire;

/// Writes until the machine refuses; tells the last number that was acknowledged, and how the next
/// one was refused.
fn write_until_refused(model: &mut Wire, from: u64) -> (u64, ErrorCode) {
    for number in from..from + 100_000 {
        match model.tool("todo_write", &numbered::arguments(1, number)).unwrap() {
            Ok(settled) => assert!(settled.ok, "{}", settled.text),
            Err(refused) => return (number - 1, refused.code),
        }
    }
    panic!("the machine never refused");
}

fn shown(host: &HostProcess, session: &SessionId) -> Option<u64> {
    numbered::identify(1, &host.viewer().unwrap().query_list(session).unwrap().items.0)
}

/// A limit on the size of files stands in for a full disk everywhere; where we may mount, the next
/// test uses a real one. SQLite cannot tell this refusal from a failing disk, so the Host may have
/// to say that it does not know whether the last list was saved.
#[test]
fn a_file_that_cannot_grow_refuses_writes_and_keeps_the_last_list() {
    let scratch = Scratch::new().unwrap();
    let limited = limited_host(&scratch.root(), "-f 1024").unwrap();
    let host = HostProcess::from_command(limited, &scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("full").unwrap();
    let (last, code) = write_until_refused(&mut host.model(&session).unwrap(), 1);
    assert!(last > 0);
    drop(host);

    let host = HostProcess::start(&scratch.root()).unwrap();
    let found = shown(&host, &session).unwrap();
    if code == ErrorCode::CommitOutcomeUnknown {
        assert!([last, last + 1].contains(&found), "{last} was acknowledged, {found} is there");
    } else {
        assert_eq!((code, found), (ErrorCode::PersistenceFailed, last));
    }
    host.model(&session).unwrap().write_list(&numbered::arguments(1, found + 1)).unwrap();
    assert_eq!(shown(&host, &session), Some(found + 1));
}

#[test]
fn a_full_disk_refuses_writes_keeps_the_last_list_and_recovers() {
    let Some(disk) = SmallDisk::mount().unwrap() else {
        // Not as root: the test above covers the refusal, by a limit that needs no rights.
        return a_file_that_cannot_grow_refuses_writes_and_keeps_the_last_list();
    };
    let host = HostProcess::start(&disk.root()).unwrap();
    let session = host.client().unwrap().new_session("full").unwrap();
    let mut model = host.model(&session).unwrap();
    model.write_list(&numbered::arguments(1, 1)).unwrap();
    disk.fill().unwrap();
    let (last, code) = write_until_refused(&mut model, 2);
    assert_eq!(code, ErrorCode::PersistenceFailed);
    assert_eq!(shown(&host, &session), Some(last));
    disk.free().unwrap();
    model.write_list(&numbered::arguments(1, last + 1)).unwrap();
    assert_eq!(shown(&host, &session), Some(last + 1));
    host.stop().unwrap();
}

#[test]
fn a_host_without_file_handles_serves_who_is_connected_and_takes_others_later() {
    let scratch = Scratch::new().unwrap();
    let limited = limited_host(&scratch.root(), "-n 48").unwrap();
    let host = HostProcess::from_command(limited, &scratch.root()).unwrap();
    let session = host.client().unwrap().new_session("crowded").unwrap();
    let mut model = host.model(&session).unwrap();
    // The kernel queues connections that the Host has no handle for; nobody waits for an answer.
    let crowd: Vec<_> = (0..80).map(|_| Wire::raw(host.socket()).unwrap()).collect();
    for number in 1..=20 {
        model.write_list(&numbered::arguments(1, number)).unwrap();
    }
    drop(crowd);
    assert_eq!(shown(&host, &session), Some(20));
    host.stop().unwrap();
}
