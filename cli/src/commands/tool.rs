//! `maka tool`.

use std::io::Read;
use std::path::Path;

use maka_core::session_todo::TodoView;
use maka_host_client::ToolCallResult;
use serde::Serialize;
use serde_json::value::RawValue;

use super::tool_schema;
use crate::args::{ToolArgs, ToolCallArgs, ToolCommand};
use crate::calls;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;
use crate::select::select;

/// The most bytes of arguments that are read: a little more than a frame carries, so that it is
/// the Host that says what is too much.
const MOST_INPUT: u64 = 1_048_576;

/// What the arguments of a call look like.
const SHAPE: &str = "the arguments are an object such as {\"todos\":[]}";

/// `maka.tool.v1`
#[derive(Debug, Serialize)]
struct ToolJson {
    schema: &'static str,
    ok: bool,
    text: String,
    /// `null` where `ok` is false.
    structured: Option<TodoView>,
}

/// Runs `maka tool call`; the other commands on tools need no Host.
pub(super) async fn run(args: ToolArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        ToolCommand::List(args) => tool_schema::list(&args),
        ToolCommand::Schema(args) => tool_schema::schema(&args),
        ToolCommand::Call(args) => call(args, context).await,
    }
}

async fn call(args: ToolCallArgs, context: &Context) -> Result<Exit, Failure> {
    let arguments = args.input.as_deref().map(arguments).transpose()?;
    let session = select(&context.client().await?, &args.session).await?;
    let model = context.model(session.session_id).await?;
    let settled = calls::tool(&model, &args.name, arguments).await?;
    let exit = if settled.ok { Exit::Done } else { Exit::Refused };
    let mut out = Out::default();
    if args.json {
        let ToolCallResult { ok, text, structured } = settled;
        out.json(&ToolJson { schema: "maka.tool.v1", ok, text, structured })?;
    } else {
        out.line(&settled.text)?;
    }
    Ok(exit)
}

/// Reads the arguments as they stand: what is wrong with a list is the tool's to say.
fn arguments(from: &Path) -> Result<Box<RawValue>, Failure> {
    let (name, read) = if from == Path::new("-") {
        ("standard input".to_owned(), read_bounded(std::io::stdin().lock()))
    } else {
        (from.display().to_string(), std::fs::File::open(from).and_then(read_bounded))
    };
    let bytes = read.map_err(|error| Failure::io(&format!("read {name}"), &error))?;
    if bytes.len() > usize::try_from(MOST_INPUT).unwrap_or(usize::MAX) {
        return Err(Failure::refused(format!("{name} holds more than {MOST_INPUT} bytes"))
            .with_hint("a list has at most 200 items of at most 200 code points"));
    }
    let text =
        String::from_utf8(bytes).map_err(|_| Failure::refused(format!("{name} is not UTF-8")))?;
    if text.trim().is_empty() {
        return Err(Failure::refused(format!("{name} is empty")).with_hint(SHAPE));
    }
    let value: &RawValue = serde_json::from_str(&text).map_err(|error| {
        Failure::refused(format!(
            "{name} is not JSON: line {}, column {}",
            error.line(),
            error.column()
        ))
        .with_hint(SHAPE)
    })?;
    Ok(value.to_owned())
}

fn read_bounded(from: impl Read) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MOST_INPUT + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
