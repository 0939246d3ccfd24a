//! The Host's log: `host.log` in the state root, appended to, mode 0600. It tells what the Host
//! did and never holds a list, a Session's name or a tool's arguments.
//!
//! Each Host has a log of its own, carried by its tasks, so that two Hosts in one process do not
//! write into each other's.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::sync::Mutex;

use tracing::Dispatch;
use tracing::level_filters::LevelFilter;

/// Bytes from which a starting Host sets the log aside as `host.log.1` and begins another.
const MAX_BYTES: u64 = 1_048_576;

/// Opens the log.
///
/// # Errors
/// The machine's refusal to open the file.
pub(crate) fn open(path: &Path) -> io::Result<Dispatch> {
    set_aside(path)?;
    let file = private(path)?;
    let subscriber = tracing_subscriber::fmt()
        .with_writer(Mutex::new(file))
        .with_ansi(false)
        .with_max_level(LevelFilter::INFO)
        .with_target(false)
        .finish();
    Ok(Dispatch::new(subscriber))
}

fn private(path: &Path) -> io::Result<File> {
    let file = OpenOptions::new().append(true).create(true).mode(0o600).open(path)?;
    // The mode given to open is cut by the umask and ignored where the file was there.
    file.set_permissions(Permissions::from_mode(0o600))?;
    Ok(file)
}

fn set_aside(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.len() > MAX_BYTES => fs::rename(path, path.with_extension("log.1")),
        Ok(_) => Ok(()),
        Err(fault) if fault.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(fault) => Err(fault),
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::{MAX_BYTES, open};

    #[test]
    fn the_log_is_private_appended_to_and_set_aside_when_it_is_large() {
        let temp = tempfile::tempdir().expect("a folder");
        let path = temp.path().join("host.log");
        for _ in 0..2 {
            let log = open(&path).expect("opened");
            tracing::dispatcher::with_default(&log, || tracing::info!("one line"));
        }
        let text = std::fs::read_to_string(&path).expect("read");
        assert_eq!(text.matches("one line").count(), 2);
        let mode = std::fs::metadata(&path).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let large = vec![b'x'; usize::try_from(MAX_BYTES).expect("fits") + 1];
        std::fs::write(&path, &large).expect("written");
        open(&path).expect("opened");
        assert_eq!(std::fs::metadata(&path).expect("there").len(), 0);
        let aside = temp.path().join("host.log.1");
        assert_eq!(std::fs::read(aside).expect("read").len(), large.len());
    }
}
