//! The steps up to the kill.

use std::time::Duration;

use maka_core::SessionId;
use maka_core::session_todo::{SessionTodo, TodoView};
use maka_host_client::{Domain, Role, ToolCallResult};
use tokio::time::timeout;

use super::play::{Play, Watched};
use super::script::{Script, ScriptedCall};
use super::step::Step;
use crate::calls;
use crate::context::Context;
use crate::failure::Failure;
use crate::output::list_text;

/// How long a signal may take. A watcher of the wrong Session waits this long for nothing.
const SIGNAL_BOUND: Duration = Duration::from_secs(1);
const NAME: &str = "demo: fix the login";

/// Makes a Session and lets a watcher listen to it.
pub(super) async fn session(play: &mut Play) -> Result<Watched, Failure> {
    let step = Step::Session;
    let made = play.client.session_create(NAME, None).await?;
    let session = made.session_id;
    if play.sabotage.hits(step) {
        play.client.session_rename(&session, "another name").await?;
    }
    let found = calls::session(&play.client, &session).await?;
    match found {
        Some(found) if found.name.as_str() == NAME => {}
        Some(found) => return Err(step.failed(format!("it is named {:?}", found.name.as_str()))),
        None => return Err(step.failed("it is not there")),
    }
    let pid = play.host.pid().unwrap_or_default();
    play.tell(step, &format!("the Host is process {pid}; Session {session} is made"))?;
    let heard = if play.sabotage.hits(Step::Signal) {
        play.client.session_create("another Session", None).await?.session_id
    } else {
        session.clone()
    };
    let watcher = play.context.connect(Role::Viewer).await?;
    let changes = watcher.subscribe(Some(heard)).await?;
    Ok(Watched { session, changes })
}

/// The model reads the empty list and writes the first one.
pub(super) async fn write(play: &mut Play, session: &SessionId) -> Result<(), Failure> {
    let step = Step::Write;
    let expected = Script::outcome(&play.script.plan)?;
    let settled = model(&play.context, session, &play.script.plan).await?;
    acknowledged(step, session, settled.as_ref(), &expected)?;
    if play.sabotage.hits(step) {
        model(&play.context, session, &play.script.intruder).await?;
    }
    let view = stored(play, step, session, &expected).await?;
    play.tell(step, "the model wrote a list with todo_write; a query reads the same:")?;
    play.show(&list_text(&view))
}

/// The watcher hears of it, by a signal that carries no content, and reads the list.
pub(super) async fn signal(play: &mut Play, watched: &mut Watched) -> Result<(), Failure> {
    heard(Step::Signal, watched).await?;
    play.tell(Step::Signal, "a watcher heard that the list changed, and read it")
}

async fn heard(step: Step, watched: &mut Watched) -> Result<(), Failure> {
    let next = async {
        while let Some(change) = watched.changes.next().await {
            if change.domain == Domain::Todo && change.session_id == watched.session {
                return true;
            }
        }
        false
    };
    match timeout(SIGNAL_BOUND, next).await {
        Ok(true) => Ok(()),
        Ok(false) => Err(step.failed("the watcher's connection ended")),
        Err(_) => Err(step.failed("the watcher heard nothing")),
    }
}

/// The model replaces the list, and the watcher hears of that too.
pub(super) async fn rewrite(play: &mut Play, watched: &mut Watched) -> Result<(), Failure> {
    let step = Step::Rewrite;
    let expected = Script::outcome(&play.script.progress)?;
    let mut told = String::new();
    if !play.sabotage.hits(step) {
        let settled = model(&play.context, &watched.session, &play.script.progress).await?;
        acknowledged(step, &watched.session, settled.as_ref(), &expected)?;
        told = settled.map(|settled| settled.text).unwrap_or_default();
    }
    stored(play, step, &watched.session, &expected).await?;
    heard(step, watched).await?;
    play.tell(step, "the model replaced the whole list, and the watcher heard; the tool said:")?;
    play.show(&told)
}

/// A secret and a terminal escape are stored as written, and shown without harm.
pub(super) async fn harmless(play: &mut Play, session: &SessionId) -> Result<(), Failure> {
    let step = Step::Harmless;
    let expected = Script::outcome(&play.script.hostile)?;
    let settled = model(&play.context, session, &play.script.hostile).await?;
    acknowledged(step, session, settled.as_ref(), &expected)?;
    let view = stored(play, step, session, &expected).await?;
    let text = anstream::adapter::strip_str(&list_text(&view)).to_string();
    let text = if play.sabotage.hits(step) {
        expected.items().iter().map(|item| item.content()).collect::<Vec<_>>().join("\n")
    } else {
        text
    };
    let answer = settled.map(|settled| settled.text).unwrap_or_default();
    for output in [&text, &answer] {
        let shown = |needle: &String| output.contains(needle.as_str());
        if play.script.must_not_show.iter().any(shown) {
            return Err(step.failed("an output holds the secret or the escape"));
        }
        if !play.script.must_show.iter().all(shown) {
            return Err(step.failed("an output hides more than the secret and the escape"));
        }
    }
    play.tell(step, "a token and a terminal escape are stored as written, and shown so:")?;
    play.show(&text)
}

/// Plays calls through the model door and gives the last result.
pub(super) async fn model(
    context: &Context,
    session: &SessionId,
    script: &[ScriptedCall],
) -> Result<Option<ToolCallResult>, Failure> {
    let model = context.connect_model(session.clone()).await?;
    let mut last = None;
    for call in script {
        let settled = calls::tool(&model, &call.tool, Some(call.arguments.clone())).await?;
        last = Some(settled);
    }
    Ok(last)
}

/// Checks what the tool said: done, and the list as it was given.
fn acknowledged(
    step: Step,
    session: &SessionId,
    settled: Option<&ToolCallResult>,
    expected: &SessionTodo,
) -> Result<(), Failure> {
    match settled {
        Some(settled) if !settled.ok => Err(step.failed(&settled.text)),
        Some(settled)
            if settled.structured.as_ref() == Some(&TodoView::of(session.clone(), expected)) =>
        {
            Ok(())
        }
        _ => Err(step.failed("the tool answered with another list")),
    }
}

/// Checks that the stored text is what was written, to the letter.
pub(super) async fn stored(
    play: &Play,
    step: Step,
    session: &SessionId,
    expected: &SessionTodo,
) -> Result<TodoView, Failure> {
    let found = calls::todo(&play.client, session).await?;
    if found == *expected {
        Ok(TodoView::of(session.clone(), &found))
    } else {
        Err(step.failed("a query reads another list"))
    }
}
