//! The exit codes: this file and the table in `docs/cli.md` are the one place that says them.

use std::process::ExitCode;

/// How a command ended, for the shell that called it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exit {
    /// It did what it was asked.
    Done,
    /// It was understood and refused; the reason and a hint are on stderr.
    Refused,
    /// The command line is wrong.
    Usage,
    /// There is no such Session, file or backup.
    NotFound,
    /// No Host could be reached or started.
    HostUnavailable,
    /// The workspace cannot be served as it is: it needs an upgrade, or belongs to a newer program.
    WorkspaceBlocked,
}

impl Exit {
    /// Every code, in order.
    pub const ALL: [Self; 6] = [
        Self::Done,
        Self::Refused,
        Self::Usage,
        Self::NotFound,
        Self::HostUnavailable,
        Self::WorkspaceBlocked,
    ];

    /// The number that the shell sees.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Refused => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::HostUnavailable => 4,
            Self::WorkspaceBlocked => 5,
        }
    }

    /// What the number means, as `maka help` says it.
    #[must_use]
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Refused => "refused: the reason and a hint are on stderr",
            Self::Usage => "usage: the command line is wrong",
            Self::NotFound => "not found: no such Session, file or backup",
            Self::HostUnavailable => "Host unavailable: none runs and none could be started",
            Self::WorkspaceBlocked => {
                "workspace blocked: it needs `maka upgrade`, or a newer program wrote it"
            }
        }
    }

    /// Reads a number back, as a spawned Host reports it; `None` for one that is not ours.
    #[must_use]
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|exit| exit.code() == code)
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::Exit;

    #[test]
    fn the_codes_are_0_to_5_and_read_back() {
        for (number, exit) in (0..).zip(Exit::ALL) {
            assert_eq!(exit.code(), number);
            assert_eq!(Exit::from_code(number), Some(exit));
        }
        assert_eq!(Exit::from_code(6), None);
    }
}
