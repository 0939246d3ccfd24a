//! The steps from the kill on.

use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::Duration;

use maka_core::SessionId;
use maka_host_client::{HostStatusResult, Role};

use super::host::DemoHost;
use super::play::Play;
use super::script::Script;
use super::step::Step;
use super::steps::{model, stored};
use crate::calls;
use crate::commands::verify_backup;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// How long a process may take to end. A Host that is not killed lives through it.
pub(super) const BOUND: Duration = Duration::from_secs(2);
const SIGKILL: i32 = 9;

/// Kills the Host, and gives what it was.
pub(super) async fn kill(play: &mut Play) -> Result<HostStatusResult, Failure> {
    let step = Step::Kill;
    let before = play.client.host_status().await?;
    if !play.sabotage.hits(step) {
        play.host.kill().map_err(|error| step.failed(error))?;
    }
    match play.host.ended(BOUND).await {
        Some(status) if status.signal() == Some(SIGKILL) => {}
        Some(status) => return Err(step.failed(format!("the Host ended with {status}"))),
        None => return Err(step.failed("the Host still runs")),
    }
    match play.context.connect(Role::Viewer).await {
        Err(failure) if failure.exit() == Exit::HostUnavailable => {}
        Err(failure) => return Err(failure),
        Ok(_) => return Err(step.failed("a Host still answers")),
    }
    let HostStatusResult { pid, host_epoch, .. } = &before;
    play.tell(step, &format!("the Host, process {pid}, epoch {host_epoch}, died of SIGKILL"))?;
    Ok(before)
}

/// Starts a Host again: another process, another epoch, the same Session.
pub(super) async fn restart(
    play: &mut Play,
    session: &SessionId,
    before: &HostStatusResult,
) -> Result<(), Failure> {
    let step = Step::Restart;
    if play.sabotage.hits(step) {
        play.context = Context::new(Some(&play.folder.join("another")))?;
    }
    play.host = DemoHost::start(play.context.root()).await?;
    play.client = play.context.connect(Role::Client).await?;
    let after = play.client.host_status().await?;
    if after.pid == before.pid || after.host_epoch == before.host_epoch {
        return Err(step.failed("it is the same Host"));
    }
    if calls::session(&play.client, session).await?.is_none() {
        return Err(step.failed("the Session is not there"));
    }
    let HostStatusResult { pid, host_epoch, .. } = after;
    play.tell(step, &format!("a new Host, process {pid}, epoch {host_epoch}, has the Session"))
}

/// Reads the list back, as a person and as the model.
pub(super) async fn read(play: &mut Play, session: &SessionId) -> Result<(), Failure> {
    let step = Step::Read;
    if play.sabotage.hits(step) {
        model(&play.context, session, &play.script.intruder).await?;
    }
    let expected = Script::outcome(&play.script.hostile)?;
    let view = stored(play, step, session, &expected).await?;
    let model = play.context.connect_model(session.clone()).await?;
    let read = calls::tool(&model, "todo_read", None).await?;
    if read.structured.as_ref() != Some(&view) {
        return Err(step.failed("todo_read reads another list"));
    }
    play.tell(step, "the same list, read back by a query and by todo_read")
}

/// Makes a backup under the serving Host and verifies it.
pub(super) async fn backup(play: &mut Play) -> Result<(), Failure> {
    let step = Step::Backup;
    let dir = play.folder.join("backup");
    let made = calls::backup(&play.client, &dir, |_, _| {}).await?;
    if play.sabotage.hits(step) {
        change_a_byte(&dir.join("runtime.sqlite")).map_err(|error| step.failed(error))?;
    }
    let verified = verify_backup(&dir).map_err(|failure| {
        step.failed(failure.message().unwrap_or("the backup is not sound").to_owned())
    })?;
    if verified.sha256 != made.sha256 {
        return Err(step.failed("the backup changed since it was made"));
    }
    let beginning: String = verified.sha256.chars().take(12).collect();
    play.tell(
        step,
        &format!("a backup is made and verified: {} bytes, sha256 {beginning}…", verified.bytes),
    )
}

fn change_a_byte(file: &Path) -> std::io::Result<()> {
    let mut file = std::fs::OpenOptions::new().read(true).write(true).open(file)?;
    let mut byte = [0_u8];
    file.seek(SeekFrom::Start(OFFSET))?;
    file.read_exact(&mut byte)?;
    file.seek(SeekFrom::Start(OFFSET))?;
    file.write_all(&[byte[0].wrapping_add(1)])
}

/// In the first page, behind what SQLite itself would miss at once.
const OFFSET: u64 = 60;
