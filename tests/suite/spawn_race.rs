//! Several programs that find no Host, and start one each.

use maka_core::ClientName;
use maka_host_client::{HostClient, Identity, Role, SpawnSpec};
use maka_tests::host_process::{HostProcess, read_lease_text};
use maka_tests::program::{maka, maka_command};
use maka_tests::scratch::Scratch;

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_race_to_spawn_end_at_one_host() {
    let scratch = Scratch::new().unwrap();
    let root = scratch.root();
    let spec = SpawnSpec {
        program: maka().unwrap().to_owned(),
        args: vec![
            "--root".into(),
            (&root).into(),
            "host".into(),
            "run".into(),
            "--spawned".into(),
        ],
    };
    let identity = Identity {
        role: Role::Client,
        client_name: ClientName::parse("racer").unwrap(),
        session: None,
    };
    let racers: Vec<_> = (0..4)
        .map(|_| {
            let (root, spec, identity) = (root.clone(), spec.clone(), identity.clone());
            tokio::spawn(async move { HostClient::connect_or_spawn(&root, &identity, &spec).await })
        })
        .collect();
    let mut clients = Vec::new();
    for racer in racers {
        clients.push(racer.await.unwrap().unwrap());
    }
    let epoch = read_lease_text(&root).unwrap().host_epoch;
    for client in &clients {
        assert_eq!(client.accepted().host_epoch, epoch);
    }
    drop(clients);
    assert!(maka_command(&root).unwrap().args(["host", "stop"]).output().unwrap().status.success());
}

#[test]
fn programs_that_race_all_get_their_session_from_one_host() {
    let scratch = Scratch::new().unwrap();
    let root = scratch.root();
    let racers: Vec<_> = (0..4)
        .map(|index| {
            let name = format!("racer {index}");
            let mut command = maka_command(&root).unwrap();
            std::thread::spawn(move || {
                command.args(["session", "new", "--name", &name, "--json"]).output()
            })
        })
        .collect();
    for racer in racers {
        let output = racer.join().unwrap().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    let output = maka_command(&root).unwrap().args(["session", "list", "--json"]).output().unwrap();
    let listed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(listed["sessions"].as_array().unwrap().len(), 4);
    assert!(maka_command(&root).unwrap().args(["host", "stop"]).output().unwrap().status.success());
}

#[test]
fn a_second_host_is_refused_at_once_and_names_the_first() {
    let scratch = Scratch::new().unwrap();
    let first = HostProcess::start(&scratch.root()).unwrap();
    let output = maka_command(&scratch.root()).unwrap().args(["host", "run"]).output().unwrap();
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&first.pid().to_string()), "{said}");
}
