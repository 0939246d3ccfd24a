//! What a line from the client is: a message for the server, or one that is answered at once.
//!
//! The arguments of a tool call are lifted out as the raw JSON that the client wrote. So the tool
//! itself judges them, with the same words for every surface, also where they are no object, nest
//! deeply, or hold what no Rust string can hold (half of a surrogate pair).

use std::borrow::Cow;
use std::collections::BTreeMap;

use rmcp::model::{ClientJsonRpcMessage, ErrorData, RequestId, ServerJsonRpcMessage};
use serde::Deserialize;
use serde_json::value::RawValue;

/// A line, read.
#[derive(Debug)]
pub(super) enum Incoming {
    /// A message for the server.
    Message(Box<ClientJsonRpcMessage>),
    /// A tool call, without its arguments, and the arguments.
    Call(Box<ClientJsonRpcMessage>, Option<Box<RawValue>>),
    /// Nothing the server could understand: this is the answer.
    Answer(Box<ServerJsonRpcMessage>),
    /// Nothing to answer: an empty line, or a notification that cannot be read.
    Nothing,
}

/// The outside of a message; what is inside stays raw.
#[derive(Deserialize)]
struct Envelope<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
    #[serde(borrow)]
    method: Option<Cow<'a, str>>,
    #[serde(borrow)]
    params: Option<&'a RawValue>,
}

const NOT_UTF8: &str = "the message is not UTF-8; nothing was done";
const NOT_JSON: &str = "the line is not one JSON object; send one JSON-RPC message a line";
const UNREADABLE: &str = "the message cannot be read as an MCP request; nothing was done. \
    Unpaired surrogate escapes, very deep nesting and members of the wrong kind are refused.";

/// Reads a line.
pub(super) fn read(line: &[u8]) -> Incoming {
    let line = line.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(line).trim_ascii();
    if line.is_empty() {
        return Incoming::Nothing;
    }
    let text = String::from_utf8_lossy(line);
    // Batches are no part of MCP, and an array must not be taken for the members of an envelope.
    let Some(envelope) = line.starts_with(b"{").then(|| serde_json::from_str(&text).ok()).flatten()
    else {
        return answer(ErrorData::parse_error(NOT_JSON, None), None);
    };
    let envelope: Envelope<'_> = envelope;
    if matches!(text, Cow::Owned(_)) {
        return refuse(ErrorData::parse_error(NOT_UTF8, None), &envelope);
    }
    if envelope.method.as_deref() == Some("tools/call")
        && let Some((call, arguments)) = lift_arguments(&envelope)
    {
        return match serde_json::from_str(&call) {
            Ok(message) => Incoming::Call(Box::new(message), arguments),
            Err(_) => refuse(ErrorData::invalid_params(UNREADABLE, None), &envelope),
        };
    }
    match serde_json::from_str(&text) {
        Ok(message) => Incoming::Message(Box::new(message)),
        Err(_) => refuse(ErrorData::invalid_request(UNREADABLE, None), &envelope),
    }
}

/// Writes the call anew without its arguments. `None` where it is no call that has an answer.
fn lift_arguments(envelope: &Envelope<'_>) -> Option<(String, Option<Box<RawValue>>)> {
    let id = envelope.id?;
    let mut params: BTreeMap<String, &RawValue> =
        serde_json::from_str(envelope.params?.get()).ok()?;
    let arguments = params.remove("arguments").filter(|raw| raw.get() != "null");
    let params = serde_json::to_string(&params).ok()?;
    let call =
        format!(r#"{{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{params}}}"#, id.get());
    Some((call, arguments.map(ToOwned::to_owned)))
}

/// Answers a request with an error; what asks for no answer gets none.
fn refuse(error: ErrorData, envelope: &Envelope<'_>) -> Incoming {
    match (envelope.id, envelope.method.is_some()) {
        (Some(id), _) => answer(error, serde_json::from_str(id.get()).ok()),
        (None, true) => Incoming::Nothing,
        (None, false) => answer(error, None),
    }
}

fn answer(error: ErrorData, id: Option<RequestId>) -> Incoming {
    Incoming::Answer(Box::new(ServerJsonRpcMessage::error(error, id)))
}

/// The answer to a line that was too long to be kept.
pub(super) fn too_long(max_bytes: usize) -> ServerJsonRpcMessage {
    let text = format!("a line is longer than {max_bytes} bytes; nothing was done");
    ServerJsonRpcMessage::error(ErrorData::invalid_request(text, None), None)
}

#[cfg(test)]
mod tests {
    use rmcp::model::{ClientJsonRpcMessage, ClientRequest};
    use serde_json::{Value, json};

    use super::{Incoming, read};

    fn answered(line: &[u8]) -> Value {
        let Incoming::Answer(message) = read(line) else { panic!("must be answered: {line:?}") };
        serde_json::to_value(*message).unwrap()
    }

    fn lifted(line: &str) -> (String, Option<String>) {
        let Incoming::Call(message, arguments) = read(line.as_bytes()) else {
            panic!("must be a call: {line}")
        };
        let ClientJsonRpcMessage::Request(request) = *message else { panic!("must be a request") };
        let ClientRequest::CallToolRequest(call) = request.request else { panic!("must call") };
        assert_eq!(call.params.arguments, None);
        (call.params.name.into_owned(), arguments.map(|raw| raw.get().to_owned()))
    }

    #[test]
    fn arguments_are_lifted_out_exactly_as_the_client_wrote_them() {
        let deep = format!("{}{}", "[".repeat(500), "]".repeat(500));
        for arguments in
            [r#"{"todos" : [1.0e2, "\ud800", "é"], "todos":[]}"#, "[]", "\"text\"", "7", &deep]
        {
            let line = format!(
                r#"{{"id":7,"params":{{"arguments":{arguments},"name":"todo_write"}},"jsonrpc":"2.0","method":"tools/call"}}"#
            );
            assert_eq!(lifted(&line), ("todo_write".to_owned(), Some(arguments.to_owned())));
        }
        for none in [r#"{"name":"todo_read"}"#, r#"{"name":"todo_read","arguments":null}"#] {
            let line =
                format!(r#"{{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{none}}}"#);
            assert_eq!(lifted(&line), ("todo_read".to_owned(), None));
        }
    }

    #[test]
    fn a_request_that_cannot_be_read_is_answered_under_its_id() {
        let bad_name =
            r#"{"jsonrpc":"2.0","id":"q","method":"tools/call","params":{"name":"\ud800"}}"#;
        assert_eq!(answered(bad_name.as_bytes())["id"], json!("q"));
        assert_eq!(answered(bad_name.as_bytes())["error"]["code"], json!(-32602));
        let bad_uri =
            br#"{"jsonrpc":"2.0","id":4,"method":"resources/read","params":{"uri":"\udfff"}}"#;
        assert_eq!(answered(bad_uri)["id"], json!(4));
        let not_utf8 = b"{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"ping\",\"x\":\"\xED\xA0\x80\"}";
        assert_eq!(answered(not_utf8)["id"], json!(5));
        assert_eq!(answered(not_utf8)["error"]["code"], json!(-32700));
    }

    const ARRAY: &str = r#"[1,"tools/call",{"name":"todo_read"}]"#;

    #[test]
    fn what_is_no_json_rpc_is_answered_without_an_id() {
        for line in ["{", "nonsense", "[]", "7", "{\"id\":}", "null", ARRAY] {
            let answer = answered(line.as_bytes());
            assert_eq!(answer["error"]["code"], json!(-32700), "{line}");
            assert_eq!(answer.get("id"), None, "{line}");
        }
        assert_eq!(answered(b"{}")["error"]["code"], json!(-32600));
    }

    #[test]
    fn nothing_is_said_to_an_empty_line_or_a_broken_notification() {
        for line in ["", "  \r", "\u{feff}", r#"{"jsonrpc":"2.0","method":"a","params":"\ud800"}"#]
        {
            assert!(matches!(read(line.as_bytes()), Incoming::Nothing), "{line:?}");
        }
    }
}
