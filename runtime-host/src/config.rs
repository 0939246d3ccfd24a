//! The settings in `config.toml` of a state root. Tables that are not the Host's are left to those
//! who own them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

/// Seconds without a connection after which a Host stops, where nothing else is set.
const DEFAULT_IDLE_EXIT: u64 = 900;

/// Why the settings could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The text breaks the rules of the file.
    #[error("read {}: {}", path.display(), fault.to_string().trim_end())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong, and where.
        fault: Box<toml::de::Error>,
    },
    /// The machine refused.
    #[error("read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the machine said.
        #[source]
        cause: io::Error,
    },
}

/// The Host's settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    /// `[host] idle_exit_seconds`; zero is never.
    pub(crate) idle_exit: Duration,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct ConfigFile {
    host: HostTable,
}

#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
struct HostTable {
    idle_exit_seconds: u64,
}

impl Default for HostTable {
    fn default() -> Self {
        Self { idle_exit_seconds: DEFAULT_IDLE_EXIT }
    }
}

impl Config {
    /// Reads the settings; an absent file sets nothing.
    ///
    /// # Errors
    /// [`ConfigError`] with the line at fault.
    pub(crate) fn load(path: &Path) -> Result<Self, ConfigError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(fault) if fault.kind() == io::ErrorKind::NotFound => String::new(),
            Err(cause) => return Err(ConfigError::Io { path: path.to_owned(), cause }),
        };
        let file: ConfigFile = toml::from_str(&text).map_err(|fault| ConfigError::Invalid {
            path: path.to_owned(),
            fault: Box::new(fault),
        })?;
        Ok(Self { idle_exit: Duration::from_secs(file.host.idle_exit_seconds) })
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Config;

    fn load(text: &str) -> Result<Duration, String> {
        let temp = tempfile::tempdir().expect("a folder");
        let path = temp.path().join("config.toml");
        std::fs::write(&path, text).expect("written");
        Config::load(&path).map(|config| config.idle_exit).map_err(|fault| fault.to_string())
    }

    #[test]
    fn the_idle_time_is_read_and_has_a_default() {
        assert_eq!(load("[host]\nidle_exit_seconds = 5\n"), Ok(Duration::from_secs(5)));
        assert_eq!(load("[host]\nidle_exit_seconds = 0\n"), Ok(Duration::ZERO));
        assert_eq!(load("[model]\nname = \"x\"\n"), Ok(Duration::from_secs(900)));
        assert_eq!(load(""), Ok(Duration::from_secs(900)));
    }

    #[test]
    fn a_setting_that_does_not_exist_is_refused_with_its_name() {
        let fault = load("[host]\nidle_exit = 5\n").expect_err("refused");
        assert!(fault.contains("idle_exit_seconds"), "{fault}");
        assert_eq!(fault.trim_end(), fault);
        assert!(load("[host]\nidle_exit_seconds = -1\n").is_err());
    }
}
