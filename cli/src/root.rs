//! Where the state root is: `--root`, else `MAKA_ROOT`, else the platform's data folder.

use std::env;
use std::path::{Path, PathBuf};

use etcetera::BaseStrategy;

use crate::exit::Exit;
use crate::failure::Failure;

/// Names the state root where no option does.
///
/// Read here and not by the parser: to the parser a variable counts as an argument, so that it
/// would show up in usage lines and stand in the way of the help for an empty command line.
const VARIABLE: &str = "MAKA_ROOT";

/// Finds the state root as an absolute path: `option` is `--root`.
///
/// # Errors
/// As [`resolve`].
pub(crate) fn find(option: Option<&Path>) -> Result<PathBuf, Failure> {
    let variable = env::var_os(VARIABLE).map(PathBuf::from);
    resolve(option.or(variable.as_deref()))
}

/// Makes of a state root that may be given an absolute path; an empty one reads as not given.
///
/// # Errors
/// Where the platform names no home folder, or the current folder is gone.
fn resolve(given: Option<&Path>) -> Result<PathBuf, Failure> {
    match given.filter(|path| !path.as_os_str().is_empty()) {
        Some(path) => absolute(path),
        None => {
            let folders = etcetera::base_strategy::choose_native_strategy().map_err(|error| {
                Failure::new(Exit::Usage, format!("failed to find the home folder: {error}"))
                    .with_hint("name the state root with --root DIR or MAKA_ROOT")
            })?;
            Ok(folders.data_dir().join("maka"))
        }
    }
}

/// Makes a path absolute without asking the file system about it.
///
/// # Errors
/// Where `path` is relative and the current folder is gone, or `path` is empty.
pub(crate) fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path)
        .map_err(|error| Failure::io(&format!("make {} absolute", path.display()), &error))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::resolve;

    #[test]
    fn a_given_root_becomes_absolute_and_an_empty_one_counts_as_none() {
        let here = std::env::current_dir().unwrap();
        assert_eq!(resolve(Some(Path::new("work"))), Ok(here.join("work")));
        assert_eq!(resolve(Some(Path::new("/r"))), Ok("/r".into()));
        assert_eq!(resolve(Some(Path::new(""))), resolve(None));
    }
}
