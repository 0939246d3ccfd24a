//! The demo's steps, and the hook that makes one of them wrong.

use crate::exit::Exit;
use crate::failure::Failure;

/// Names a step whose world is made wrong, so that a test sees the step's own check catch it.
const SABOTAGE: &str = "MAKA_DEMO_SABOTAGE";

/// A step, in the order they are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A Host starts and a Session is made. Sabotage: another name is given behind its back.
    Session,
    /// The model writes a list. Sabotage: another list is written behind its back.
    Write,
    /// A watcher hears of it. Sabotage: it listens to another Session.
    Signal,
    /// The model writes a second list. Sabotage: the write is never sent.
    Rewrite,
    /// A secret and a terminal escape do no harm. Sabotage: the stored text is shown as it is.
    Harmless,
    /// The Host is killed. Sabotage: it is not.
    Kill,
    /// A Host starts again. Sabotage: on another state root.
    Restart,
    /// The list is read back. Sabotage: another list is written before.
    Read,
    /// A backup is made and verified. Sabotage: a byte of it is changed between.
    Backup,
}

impl Step {
    /// Every step, in order.
    pub const ALL: [Self; 9] = [
        Self::Session,
        Self::Write,
        Self::Signal,
        Self::Rewrite,
        Self::Harmless,
        Self::Kill,
        Self::Restart,
        Self::Read,
        Self::Backup,
    ];

    /// The name that the narration and the test hook use.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Write => "write",
            Self::Signal => "signal",
            Self::Rewrite => "rewrite",
            Self::Harmless => "harmless",
            Self::Kill => "kill",
            Self::Restart => "restart",
            Self::Read => "read",
            Self::Backup => "backup",
        }
    }

    /// The failure of this step's check.
    pub(super) fn failed(self, found: impl std::fmt::Display) -> Failure {
        Failure::refused(format!("the step {:?} is not as told: {found}", self.name()))
    }
}

/// The step that is made wrong; none without the test hook.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sabotage(Option<Step>);

impl Sabotage {
    /// Reads the test hook.
    ///
    /// # Errors
    /// Where it names no step: a test that sabotages nothing must not pass for one that does.
    pub(super) fn from_env() -> Result<Self, Failure> {
        let Ok(name) = std::env::var(SABOTAGE) else { return Ok(Self(None)) };
        match Step::ALL.into_iter().find(|step| step.name() == name) {
            Some(step) => Ok(Self(Some(step))),
            None => Err(Failure::new(Exit::Usage, format!("{SABOTAGE} names no step: {name:?}"))),
        }
    }

    /// Whether `step` is made wrong.
    pub(super) fn hits(self, step: Step) -> bool {
        self.0 == Some(step)
    }
}
