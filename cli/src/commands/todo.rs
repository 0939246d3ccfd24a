//! `maka todo show` and `maka todo list`.

use maka_core::SessionId;
use maka_core::session_todo::{SessionTodo, TodoCounts, TodoView, TodoViewItem};
use maka_host_client::SessionTodoOverviewEntry;
use serde::Serialize;

use super::watch;
use crate::args::{TodoArgs, TodoCommand, TodoListArgs, TodoShowArgs};
use crate::calls;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, list_markdown, list_text, safe, status_sign, status_word};
use crate::select::select;

/// Runs one of the commands on lists.
pub(super) async fn run(args: TodoArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        TodoCommand::Show(args) => show(&args, context).await,
        TodoCommand::Watch(args) => watch::run(&args, context).await,
        TodoCommand::List(args) => list(&args, context).await,
    }
}

async fn show(args: &TodoShowArgs, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let session = select(&client, &args.session).await?;
    let todo = calls::todo(&client, &session.session_id).await?;
    let view = TodoView::of(session.session_id, &todo);
    let mut out = Out::default();
    if args.json {
        out.json(&view)?;
    } else if args.markdown {
        out.text(&list_markdown(&view))?;
    } else {
        out.text(&list_text(&view))?;
    }
    Ok(Exit::Done)
}

/// `maka.todos.v1`
#[derive(Debug, Serialize)]
struct TodosJson {
    schema: &'static str,
    sessions: Vec<OpenJson>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct OpenJson {
    session_id: SessionId,
    name: String,
    archived: bool,
    /// `null` where the stored list is damaged.
    counts: Option<TodoCounts>,
    items: Vec<TodoViewItem>,
}

impl OpenJson {
    fn of(entry: &SessionTodoOverviewEntry) -> Self {
        let session = &entry.session;
        Self {
            session_id: session.session_id.clone(),
            name: safe(session.name.as_str()),
            archived: session.archived,
            counts: entry.counts,
            items: projected(session.session_id.clone(), &entry.unfinished.0),
        }
    }
}

fn projected(session_id: SessionId, todo: &SessionTodo) -> Vec<TodoViewItem> {
    TodoView::of(session_id, todo).items
}

async fn list(args: &TodoListArgs, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let entries = client.session_todo_overview().await?;
    let sessions: Vec<_> = entries.iter().map(OpenJson::of).collect();
    let mut out = Out::default();
    if args.json {
        out.json(&TodosJson { schema: "maka.todos.v1", sessions })?;
    } else if sessions.is_empty() {
        out.line("Nothing is unfinished.")?;
    } else {
        for session in &sessions {
            out.text(&open_text(session))?;
        }
    }
    Ok(Exit::Done)
}

fn open_text(session: &OpenJson) -> String {
    let archived = if session.archived { "  archived" } else { "" };
    let mut text = format!("{}  {}{archived}\n", session.session_id, session.name);
    if session.counts.is_none() {
        text.push_str(
            "  unreadable: the stored list is damaged; the next todo_write replaces it\n",
        );
    }
    for item in &session.items {
        text.push_str(&format!(
            "  {} {:<11}  {}\n",
            status_sign(item.status),
            status_word(item.status),
            item.content
        ));
    }
    text
}
