//! `maka backup`.

use std::path::{Path, PathBuf};

use maka_runtime_host::offline::{self, BackupInfo, ListedBackup};
use serde::Serialize;

use crate::args::{
    BackupArgs, BackupCommand, BackupCreateArgs, BackupListArgs, BackupPruneArgs,
    BackupRestoreArgs, BackupVerifyArgs,
};
use crate::calls;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Out, ProgressLine, rfc3339};
use crate::root::absolute;

/// `maka.backup.v1`, and an entry of `maka.backups.v1`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct BackupJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<&'static str>,
    path: String,
    /// `null` where the backup cannot be read.
    bytes: Option<u64>,
    sha256: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    created_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

impl BackupJson {
    fn alone(path: String, bytes: u64, sha256: String) -> Self {
        Self {
            schema: Some("maka.backup.v1"),
            path,
            bytes: Some(bytes),
            sha256: Some(sha256),
            created_at: None,
            problem: None,
        }
    }

    fn verified(info: &BackupInfo) -> Self {
        let alone = Self::alone(info.path.display().to_string(), info.bytes, info.sha256.clone());
        Self { created_at: Some(rfc3339(info.created_at)), ..alone }
    }

    fn listed(listed: &ListedBackup) -> Self {
        let path = listed.path.display().to_string();
        let info = listed.info.as_ref();
        Self {
            schema: None,
            path,
            bytes: info.map(|info| info.bytes),
            sha256: info.map(|info| info.sha256.clone()),
            created_at: info.map(|info| rfc3339(info.created_at)),
            problem: listed.problem.clone(),
        }
    }
}

/// `maka.backups.v1`
#[derive(Debug, Serialize)]
struct BackupsJson {
    schema: &'static str,
    backups: Vec<BackupJson>,
}

/// `maka.backup-prune.v1`
#[derive(Debug, Serialize)]
struct PruneJson {
    schema: &'static str,
    removed: Vec<String>,
}

/// `maka.restore.v1`
#[derive(Debug, Serialize)]
struct RestoreJson {
    schema: &'static str,
    root: String,
    backup: String,
    bytes: u64,
    sha256: String,
}

/// Runs one of the commands on backups.
pub(super) async fn run(args: BackupArgs, context: &Context) -> Result<Exit, Failure> {
    match args.command {
        BackupCommand::Create(args) => create(&args, context).await,
        BackupCommand::List(args) => list(&args, context),
        BackupCommand::Verify(args) => verify(&args),
        BackupCommand::Restore(args) => restore(&args),
        BackupCommand::Prune(args) => prune(&args, context),
    }
}

/// Lets the Host make the backup while it serves. A workspace that no Host serves, for it waits
/// for its upgrade, is backed up here.
async fn create(args: &BackupCreateArgs, context: &Context) -> Result<Exit, Failure> {
    context.expect_workspace()?;
    let dir = absolute(&args.dir)?;
    expect_parent(&dir)?;
    let bar = ProgressLine::new("making a backup");
    let json = if offline::plan(context.root())?.needed {
        let mut progress = |done, total| bar.show(done, total);
        BackupJson::verified(&offline::create_backup(context.root(), &dir, &mut progress)?)
    } else {
        let client = context.client().await?;
        let made = calls::backup(&client, &dir, |done, total| bar.show(done, total)).await?;
        BackupJson::alone(made.path, made.bytes, made.sha256)
    };
    drop(bar);
    say(args.json, &json, "made and verified", &dir)
}

fn say(as_json: bool, json: &BackupJson, did: &str, dir: &Path) -> Result<Exit, Failure> {
    let mut out = Out::default();
    if as_json {
        out.json(json)?;
    } else {
        out.line(&format!(
            "{did}: {}\n  {} bytes, sha256 {}",
            dir.display(),
            json.bytes.unwrap_or_default(),
            json.sha256.as_deref().unwrap_or_default()
        ))?;
    }
    Ok(Exit::Done)
}

fn list(args: &BackupListArgs, context: &Context) -> Result<Exit, Failure> {
    let backups =
        if context.root().exists() { offline::list_backups(context.root())? } else { Vec::new() };
    let backups: Vec<_> = backups.iter().map(BackupJson::listed).collect();
    let mut out = Out::default();
    if args.json {
        out.json(&BackupsJson { schema: "maka.backups.v1", backups })?;
    } else if backups.is_empty() {
        out.line(&format!("There is no backup in {}.", context.root().display()))?;
    } else {
        for backup in &backups {
            let created = backup.created_at.as_deref().unwrap_or("unreadable");
            let problem = backup.problem.as_ref().map(|text| format!("  {text}"));
            out.line(&format!("{created}  {}{}", backup.path, problem.unwrap_or_default()))?;
        }
    }
    Ok(Exit::Done)
}

/// Verifies a backup, with a progress bar.
pub(crate) fn verify_backup(dir: &Path) -> Result<BackupInfo, Failure> {
    expect_backup(dir)?;
    let bar = ProgressLine::new("verifying");
    Ok(offline::verify_backup(dir, &mut |done, total| bar.show(done, total))?)
}

fn expect_backup(dir: &Path) -> Result<(), Failure> {
    if dir.is_dir() {
        return Ok(());
    }
    if dir.exists() {
        return Err(Failure::refused(format!("{} is not a folder", dir.display()))
            .with_hint("a backup is the folder that holds operational-backup.json"));
    }
    Err(Failure::not_found(format!("there is no backup {}", dir.display()))
        .with_hint("see those in the state root: maka backup list"))
}

/// Only the last folder of a path is made, so that a mistyped path makes none.
fn expect_parent(path: &Path) -> Result<(), Failure> {
    match path.parent() {
        Some(parent) if !parent.exists() => {
            Err(Failure::not_found(format!("there is no folder {}", parent.display()))
                .with_hint(format!("make it first: mkdir -p {}", parent.display())))
        }
        _ => Ok(()),
    }
}

fn verify(args: &BackupVerifyArgs) -> Result<Exit, Failure> {
    let dir = absolute(&args.dir)?;
    let info = verify_backup(&dir)?;
    say(args.json, &BackupJson::verified(&info), "the backup is sound", &dir)
}

fn restore(args: &BackupRestoreArgs) -> Result<Exit, Failure> {
    let (dir, new_root) = (absolute(&args.dir)?, absolute(&args.new_root)?);
    expect_backup(&dir)?;
    expect_parent(&new_root)?;
    let bar = ProgressLine::new("restoring");
    let info = offline::restore_backup(&dir, &new_root, &mut |done, total| bar.show(done, total))?;
    drop(bar);
    let mut out = Out::default();
    if args.json {
        out.json(&RestoreJson {
            schema: "maka.restore.v1",
            root: new_root.display().to_string(),
            backup: dir.display().to_string(),
            bytes: info.bytes,
            sha256: info.sha256,
        })?;
    } else {
        let root = new_root.display();
        out.line(&format!(
            "restored into {root}\n  use it: maka --root {root} session list\n  \
             what was written after {} is not in it",
            rfc3339(info.created_at)
        ))?;
    }
    Ok(Exit::Done)
}

fn prune(args: &BackupPruneArgs, context: &Context) -> Result<Exit, Failure> {
    let keep = usize::try_from(args.keep).unwrap_or(usize::MAX);
    let removed: Vec<PathBuf> = if context.root().exists() {
        offline::prune_backups(context.root(), keep)?
    } else {
        Vec::new()
    };
    let removed: Vec<_> = removed.iter().map(|path| path.display().to_string()).collect();
    let mut out = Out::default();
    if args.json {
        out.json(&PruneJson { schema: "maka.backup-prune.v1", removed })?;
    } else {
        for path in &removed {
            out.line(&format!("removed {path}"))?;
        }
        out.line(&format!("removed {} of the oldest backups", removed.len()))?;
    }
    Ok(Exit::Done)
}
