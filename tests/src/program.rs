//! The real `maka` program: built once a process, with the profile of whoever asks.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use anyhow::{Context, Result, anyhow, ensure};

/// The program's path: `MAKA_BIN` if set, else what cargo builds into the target folder that this
/// process itself was built into. Prints nothing.
///
/// # Errors
/// Where the program cannot be built; each further call fails alike.
pub fn maka() -> Result<&'static Path> {
    static PROGRAM: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    match PROGRAM.get_or_init(|| find_or_build().map_err(|error| format!("{error:#}"))) {
        Ok(path) => Ok(path),
        Err(error) => Err(anyhow!("{error}")),
    }
}

/// A command that runs the program on a state root, with nothing of the caller's own settings.
///
/// # Errors
/// As [`maka`].
pub fn maka_command(root: &Path) -> Result<Command> {
    let mut command = Command::new(maka()?);
    command.arg("--root").arg(root).stdin(Stdio::null());
    for name in ["MAKA_ROOT", "MAKA_TEST_FAULT", "MAKA_TASK_LEDGER_TOOLS"] {
        command.env_remove(name);
    }
    Ok(command)
}

fn find_or_build() -> Result<PathBuf> {
    if let Some(given) = std::env::var_os("MAKA_BIN").filter(|given| !given.is_empty()) {
        let given = PathBuf::from(given);
        ensure!(given.is_file(), "MAKA_BIN names {given:?}, which is no file");
        return Ok(given);
    }
    let own = std::env::current_exe().context("find this program")?;
    let mut profile_folder = own.parent().context("find the folder of this program")?;
    if profile_folder.ends_with("deps") {
        profile_folder = profile_folder.parent().context("find the profile's folder")?;
    }
    build(profile_folder)?;
    Ok(profile_folder.join("maka"))
}

fn build(profile_folder: &Path) -> Result<()> {
    let target = profile_folder.parent().context("find the target folder")?;
    let release = profile_folder.ends_with("release");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo"));
    let mut command = Command::new(cargo);
    command.args(["build", "--quiet", "--locked", "-p", "maka-cli", "--bin", "maka"]);
    command.args(release.then_some("--release")).arg("--target-dir").arg(target);
    let output = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null())
        .output()
        .context("run cargo")?;
    let complaint = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "cargo could not build maka: {complaint}");
    Ok(())
}
