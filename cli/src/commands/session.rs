//! `maka session`.

use maka_core::Session;
use serde::Serialize;

use super::folder_name;
use crate::args::{
    SessionArgs, SessionCommand, SessionListArgs, SessionNewArgs, SessionRenameArgs,
    SessionShowArgs,
};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, SessionJson, rfc3339, safe};
use crate::select::select;

/// `maka.sessions.v1`
#[derive(Debug, Serialize)]
struct SessionsJson {
    schema: &'static str,
    sessions: Vec<SessionJson>,
}

/// Runs one of the commands on Sessions.
pub(super) async fn run(args: SessionArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        SessionCommand::New(args) => new(args, context).await,
        SessionCommand::List(args) => list(&args, context).await,
        SessionCommand::Show(args) => show(&args, context).await,
        SessionCommand::Rename(args) => rename(args, context).await,
    }
}

async fn new(args: SessionNewArgs, context: &Context) -> Result<Exit, Failure> {
    let name = args.name.unwrap_or_else(folder_name);
    let client = context.client().await?;
    let session = client.session_create(&name, None).await?;
    if args.json {
        Out::default().json(&SessionJson::alone(&session))?;
    } else {
        Out::default().line(&format!(
            "made Session {}  {}",
            session.session_id,
            safe(session.name.as_str())
        ))?;
    }
    Ok(Exit::Done)
}

async fn list(args: &SessionListArgs, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let sessions = client.session_list(true).await?;
    if args.json {
        let sessions = sessions.iter().map(SessionJson::entry).collect();
        Out::default().json(&SessionsJson { schema: "maka.sessions.v1", sessions })?;
    } else if sessions.is_empty() {
        Out::default().line("There is no Session yet. Make one: maka session new")?;
    } else {
        Out::default().text(&table(&sessions))?;
    }
    Ok(Exit::Done)
}

fn table(sessions: &[Session]) -> String {
    let mut table = comfy_table::Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(["ID", "CREATED", "STATE", "NAME"]);
    for session in sessions {
        let state = if session.archived { "archived" } else { "open" };
        table.add_row([
            session.session_id.to_string(),
            rfc3339(session.created_at),
            state.to_owned(),
            safe(session.name.as_str()),
        ]);
    }
    let mut text = String::new();
    for line in table.lines() {
        text.push_str(line.trim());
        text.push('\n');
    }
    text
}

async fn show(args: &SessionShowArgs, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let session = select(&client, &args.session).await?;
    if args.json {
        Out::default().json(&SessionJson::alone(&session))?;
    } else {
        Out::default().text(&facts(&session))?;
    }
    Ok(Exit::Done)
}

fn facts(session: &Session) -> String {
    let mut text = format!(
        "id        {}\nname      {}\nstate     {}\ncreated   {}\n",
        session.session_id,
        safe(session.name.as_str()),
        if session.archived { "archived" } else { "open" },
        rfc3339(session.created_at),
    );
    if let Some(lineage) = &session.lineage {
        text.push_str(&format!("made from {}\n", lineage.parent_session_id));
    }
    text
}

async fn rename(args: SessionRenameArgs, context: &Context) -> Result<Exit, Failure> {
    let client = context.client().await?;
    let session = select(&client, &args.session).await?;
    let renamed = client.session_rename(&session.session_id, &args.name).await?;
    if args.json {
        Out::default().json(&SessionJson::alone(&renamed))?;
    } else {
        Out::default().line(&format!(
            "Session {} is now named {}",
            renamed.session_id,
            safe(renamed.name.as_str())
        ))?;
    }
    Ok(Exit::Done)
}
