//! Hellos.

use maka_core::{ClientName, SessionId};
use maka_host_protocol::{Hello, Role};

fn parse(json: &str) -> Option<Hello> {
    serde_json::from_str(json).ok()
}

#[test]
fn a_hello_reads_back_as_it_was_written() {
    let hello = Hello {
        protocol: 1,
        role: Role::Model,
        client_name: ClientName::parse("agent").expect("a name"),
        session_id: Some(SessionId::parse("s-1").expect("an id")),
    };
    let json = serde_json::to_string(&hello).expect("json");
    assert!(json.starts_with("{\"kind\":\"hello\",\"protocol\":1,"), "{json}");
    assert_eq!(parse(&json), Some(hello));
}

#[test]
fn a_frame_of_no_kind_or_of_another_is_no_hello() {
    for json in [
        r#"{"protocol":1,"role":"viewer","clientName":"x"}"#,
        r#"{"kind":"request","protocol":1,"role":"viewer","clientName":"x"}"#,
        r#"{"kind":null,"protocol":1,"role":"viewer","clientName":"x"}"#,
        r#"{"requestId":"1","operation":"host.status","input":{}}"#,
        r#"[]"#,
    ] {
        assert_eq!(parse(json), None, "{json}");
    }
}

#[test]
fn members_of_a_hello_are_checked_and_unknown_ones_passed_over() {
    for (json, ok) in [
        (r#"{"kind":"hello","protocol":1,"role":"viewer","clientName":"x"}"#, true),
        (r#"{"role":"viewer","clientName":"x","protocol":1,"kind":"hello"}"#, true),
        (r#"{"kind":"hello","protocol":7,"role":"viewer","clientName":"x","later":[]}"#, true),
        (r#"{"kind":"hello","protocol":1,"role":"owner","clientName":"x"}"#, false),
        (r#"{"kind":"hello","protocol":1,"role":"viewer","clientName":""}"#, false),
        (r#"{"kind":"hello","protocol":1,"role":"viewer"}"#, false),
        (r#"{"kind":"hello","protocol":"1","role":"viewer","clientName":"x"}"#, false),
        (
            r#"{"kind":"hello","protocol":1,"role":"model","clientName":"x","sessionId":"a/b"}"#,
            false,
        ),
    ] {
        assert_eq!(parse(json).is_some(), ok, "{json}");
    }
}
