//! Reading requests and the Host's frames.

use maka_host_protocol::{ErrorCode, Notification, Reply, Request, ServerFrame};

fn request(json: &str) -> Option<Request> {
    serde_json::from_str(json).ok()
}

#[test]
fn a_request_has_its_three_members_and_no_other() {
    let full = request(r#"{"requestId":"1","operation":"x","input":{"a":[1]}}"#).expect("valid");
    assert_eq!(full.input.expect("an input").get(), r#"{"a":[1]}"#);
    assert!(request(r#"{"operation":"x","requestId":"1"}"#).expect("valid").input.is_none());
    for json in [
        r#"{"requestId":"1","operation":"x","input":{},"sessionId":"s"}"#,
        r#"{"operation":"x"}"#,
        r#"{"requestId":"1"}"#,
        r#"{"requestId":1,"operation":"x"}"#,
        r#"{"requestId":"1","requestId":"2","operation":"x"}"#,
        r#"{"requestId":"1","operation":"x","input":{}"#,
        r#"{"requestId":"1","operation":"x","input":{}} {}"#,
    ] {
        assert!(request(json).is_none(), "{json}");
    }
}

/// An unpaired surrogate or a duplicate key inside the input is the operation's business.
#[test]
fn the_input_of_a_request_is_kept_as_it_came() {
    let json = r#"{"requestId":"1","operation":"x","input":{"a": "\ud800", "a":2}}"#;
    let input = request(json).expect("valid").input.expect("an input");
    assert_eq!(input.get(), r#"{"a": "\ud800", "a":2}"#);
}

fn outcome(json: &str) -> Option<Result<String, ErrorCode>> {
    let reply: Reply = serde_json::from_str(json).ok()?;
    let outcome = reply.into_outcome().ok()?;
    Some(outcome.map(|result| result.get().to_owned()).map_err(|error| error.code))
}

#[test]
fn a_reply_is_a_result_or_an_error_and_never_both_or_neither() {
    let error = r#""error":{"code":"not_found","message":"m"}"#;
    for (rest, expected) in [
        (r#""ok":true,"result":{}"#.to_owned(), Some(Ok("{}".to_owned()))),
        (format!(r#""ok":false,{error}"#), Some(Err(ErrorCode::NotFound))),
        (r#""ok":true"#.to_owned(), None),
        (r#""ok":false"#.to_owned(), None),
        (format!(r#""ok":true,{error}"#), None),
        (r#""ok":false,"result":{}"#.to_owned(), None),
        (format!(r#""ok":true,"result":{{}},{error}"#), None),
    ] {
        let json = format!(r#"{{"requestId":"1","operation":"x",{rest}}}"#);
        assert_eq!(outcome(&json), expected, "{json}");
    }
}

#[test]
fn frames_of_the_host_are_told_apart() {
    let reply = r#"{"requestId":"7","operation":"x","ok":true,"result":null}"#;
    assert!(matches!(ServerFrame::parse(reply), Ok(ServerFrame::Reply(_))));
    let signal = r#"{"kind":"invalidated","subscriptionId":"1","hostEpoch":"e","sequence":1,"sessionId":"s","domain":"todo"}"#;
    assert!(matches!(
        ServerFrame::parse(signal),
        Ok(ServerFrame::Notification(Notification::Invalidated(_)))
    ));
    let progress = r#"{"kind":"progress","requestId":"7","done":1,"total":2}"#;
    assert!(matches!(
        ServerFrame::parse(progress),
        Ok(ServerFrame::Notification(Notification::Progress(_)))
    ));
    let error = r#"{"kind":"error","code":"slow_consumer","message":"m"}"#;
    assert!(matches!(
        ServerFrame::parse(error),
        Ok(ServerFrame::Notification(Notification::Error(_)))
    ));
    for json in ["", "{}", "[]", r#"{"kind":"other"}"#, r#"{"kind":"invalidated"}"#] {
        assert!(ServerFrame::parse(json).is_err(), "{json}");
    }
}
