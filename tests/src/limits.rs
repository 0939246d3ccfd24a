//! Machines that refuse: a full disk, and too few file handles.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use crate::program::maka;
use crate::scratch::Scratch;

/// The size of the small disk, in bytes. A root with some lists and its log fits well.
const DISK: u64 = 8 << 20;

/// A state root on a disk of its own that can be filled and freed.
#[derive(Debug)]
pub struct SmallDisk {
    scratch: Scratch,
}

impl SmallDisk {
    /// Mounts a disk in memory; `None` where this machine does not let us mount.
    ///
    /// # Errors
    /// Where the folder cannot be made, or there is no `mount` at all.
    pub fn mount() -> Result<Option<Self>> {
        let scratch = Scratch::new()?;
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &format!("size={DISK}"), "maka-tests"])
            .arg(scratch.folder())
            .stdin(Stdio::null())
            .output()
            .context("run mount")?;
        Ok(mounted.status.success().then_some(Self { scratch }))
    }

    /// The state root on it.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.scratch.root()
    }

    /// Takes every free byte.
    ///
    /// # Errors
    /// Where the disk refuses for another reason than being full.
    pub fn fill(&self) -> Result<()> {
        let mut file = fs::File::create(self.ballast()).context("make the ballast")?;
        match std::io::copy(&mut std::io::repeat(1), &mut file) {
            Err(error) if error.kind() == std::io::ErrorKind::StorageFull => Ok(()),
            Err(error) => Err(error).context("write the ballast"),
            Ok(_) => unreachable_end(),
        }
    }

    /// Gives the bytes back.
    ///
    /// # Errors
    /// Where they cannot be given back.
    pub fn free(&self) -> Result<()> {
        fs::remove_file(self.ballast()).context("remove the ballast")
    }

    fn ballast(&self) -> PathBuf {
        self.scratch.folder().join("ballast")
    }
}

/// An endless source has ended.
fn unreachable_end() -> Result<()> {
    ensure!(false, "the ballast ended before the disk was full");
    Ok(())
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        // What stays mounted goes with the machine's next start.
        let _ = Command::new("umount").arg("-l").arg(self.scratch.folder()).status();
    }
}

/// The command of a Host that the system refuses things to: `limit` is an option of the shell's
/// `ulimit`, such as `-n 40` for open files or `-f 512` for the size of a file in 512 bytes or
/// kilobytes, as the shell counts.
///
/// # Errors
/// Where the program cannot be built.
pub fn limited_host(root: &Path, limit: &str) -> Result<Command> {
    let mut command = Command::new("sh");
    // Without the trap a file that grows too large ends the process by a signal; with it the
    // write fails, as on a full disk.
    command.arg("-c").arg(format!("trap '' XFSZ; ulimit {limit} && exec \"$@\"")).arg("sh");
    command.arg(maka()?).arg("--root").arg(root).args(["host", "run", "--spawned"]);
    for name in ["MAKA_ROOT", "MAKA_TEST_FAULT", "MAKA_TASK_LEDGER_TOOLS"] {
        command.env_remove(name);
    }
    Ok(command)
}
