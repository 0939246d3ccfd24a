//! Plays the steps and narrates them.

use std::path::PathBuf;

use maka_core::SessionId;
use maka_host_client::{HostClient, Role, Subscription};

use super::host::DemoHost;
use super::script::Script;
use super::step::{Sabotage, Step};
use super::{steps, steps_after_kill};
use crate::args::DemoArgs;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::Out;

/// Everything that the steps share.
pub(super) struct Play {
    /// The throwaway folder; the state root and the backup lie in it.
    pub(super) folder: PathBuf,
    /// The way to the Host on the throwaway root.
    pub(super) context: Context,
    /// The scripted model.
    pub(super) script: Script,
    /// The test hook.
    pub(super) sabotage: Sabotage,
    /// The Host that runs now.
    pub(super) host: DemoHost,
    /// A person's connection to it.
    pub(super) client: HostClient,
    out: Out,
}

impl Play {
    /// Says what a step did.
    pub(super) fn tell(&mut self, step: Step, text: &str) -> Result<(), Failure> {
        self.out.line(&format!("ok  {:<9} {text}", step.name()))
    }

    /// Shows a piece of output, set in under its step.
    pub(super) fn show(&mut self, text: &str) -> Result<(), Failure> {
        for line in text.lines() {
            self.out.line(&format!("              {line}"))?;
        }
        Ok(())
    }
}

/// What the first steps hand to the later ones.
pub(super) struct Watched {
    /// The demo's Session.
    pub(super) session: SessionId,
    /// A watcher's signals.
    pub(super) changes: Subscription,
}

/// Runs the demo.
pub(crate) async fn run(args: &DemoArgs) -> Result<Exit, Failure> {
    let sabotage = Sabotage::from_env()?;
    let folder = tempfile::Builder::new()
        .prefix("maka-demo-")
        .tempdir()
        .map_err(|error| Failure::io("make a throwaway folder", &error))?;
    let path = folder.path().to_owned();
    let played = tokio::select! {
        played = play(path.clone(), sabotage) => played,
        _ = tokio::signal::ctrl_c() => Err(Failure::refused("the demo was interrupted")),
    };
    if args.keep {
        let _ = folder.keep();
        Out::default().line(&format!("kept: {}", path.join("root").display()))?;
    }
    played.map(|()| Exit::Done)
}

async fn play(folder: PathBuf, sabotage: Sabotage) -> Result<(), Failure> {
    let root = folder.join("root");
    let context = Context::new(Some(&root))?;
    let mut out = Out::default();
    out.line(&format!("A list's life, on a real Host in {}", folder.display()))?;
    let host = DemoHost::start(context.root()).await?;
    let client = context.connect(Role::Client).await?;
    let script = Script::embedded()?;
    let mut play = Play { folder, context, script, sabotage, host, client, out };

    let mut watched = steps::session(&mut play).await?;
    steps::write(&mut play, &watched.session).await?;
    steps::signal(&mut play, &mut watched).await?;
    steps::rewrite(&mut play, &mut watched).await?;
    steps::harmless(&mut play, &watched.session).await?;
    let before = steps_after_kill::kill(&mut play).await?;
    steps_after_kill::restart(&mut play, &watched.session, &before).await?;
    steps_after_kill::read(&mut play, &watched.session).await?;
    steps_after_kill::backup(&mut play).await?;

    play.client.host_stop().await?;
    if play.host.ended(steps_after_kill::BOUND).await.is_none() {
        return Err(Failure::refused("the demo's Host did not stop"));
    }
    play.out.line("Every step was as told.")
}
