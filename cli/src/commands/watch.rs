//! `maka todo watch`: the list now, then the list after each change, through restarts of the Host.

use std::io::Write;

use maka_core::SessionId;
use maka_core::session_todo::TodoView;
use maka_host_client::{
    Domain, Operation, ReconnectingClient, SessionTodoQueryInput, SessionTodoQueryResult, Signal,
};

use crate::args::TodoWatchArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, list_text};
use crate::select::select;

/// Runs until Ctrl-C, which is a success.
pub(super) async fn run(args: &TodoWatchArgs, context: &Context) -> Result<Exit, Failure> {
    tokio::select! {
        ended = watch(args, context) => ended,
        _ = tokio::signal::ctrl_c() => Ok(Exit::Done),
    }
}

/// Starts a Host where none runs, but never again: a person who stops the Host wants it stopped.
async fn watch(args: &TodoWatchArgs, context: &Context) -> Result<Exit, Failure> {
    let first = context.viewer().await?;
    let session = select(&first, &args.session).await?.session_id;
    let client = context.reconnecting_viewer()?;
    // Subscribed before the first read, so that no change falls between.
    let mut signals = client.watch(Some(session.clone())).await?;
    drop(first);
    let mut screen = Screen { json: args.json, shown: None, out: Out::default() };
    screen.follow(&client, &session).await?;
    loop {
        match signals.next().await? {
            Signal::Changed(change) => match change.domain {
                // A Session may be gone: then the read says so.
                Domain::Todo | Domain::Session => screen.follow(&client, &session).await?,
                Domain::Transcript => {}
            },
            Signal::Lost => screen.note("the Host has gone away; waiting for it to come back"),
            Signal::Recovered => {
                screen.note("the Host is back");
                screen.follow(&client, &session).await?;
            }
        }
    }
}

/// What the watcher has shown.
struct Screen {
    json: bool,
    shown: Option<TodoView>,
    out: Out,
}

impl Screen {
    /// Reads the whole list and shows it. A connection that is lost meanwhile is no failure: the
    /// recovery that follows reads again.
    async fn follow(
        &mut self,
        client: &ReconnectingClient,
        session: &SessionId,
    ) -> Result<(), Failure> {
        let input = SessionTodoQueryInput { session_id: session.clone() };
        let read: Result<SessionTodoQueryResult, _> =
            client.call(Operation::SessionTodoQuery, &input).await;
        match read.map_err(Failure::from) {
            Ok(read) => self.show(TodoView::of(session.clone(), &read.items.0)),
            Err(failure) if failure.exit() == Exit::HostUnavailable => Ok(()),
            Err(failure) => Err(failure),
        }
    }

    /// Shows a list that is another than the one shown last. A signal may tell of a change that an
    /// earlier read has already seen, and a recovery may have missed nothing.
    fn show(&mut self, view: TodoView) -> Result<(), Failure> {
        if self.shown.as_ref() == Some(&view) {
            return Ok(());
        }
        if self.json {
            self.out.json(&view)?;
        } else {
            if self.shown.is_some() {
                self.out.line("")?;
            }
            self.out.text(&list_text(&view))?;
        }
        self.shown = Some(view);
        Ok(())
    }

    /// Says something about the watch itself, where a person watches.
    fn note(&self, text: &str) {
        if !self.json {
            // Nobody is left to tell where standard error itself refuses.
            let _ = writeln!(anstream::stderr(), "note: {text}");
        }
    }
}
