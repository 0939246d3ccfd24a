//! Deliberate faults at named points, so that tests can stop the real program in the middle of
//! what it does. Without a specification nothing here ever acts.

/// What happens at a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    /// The step fails, as if the machine had refused.
    Fail,
    /// The process kills itself with SIGKILL.
    Kill,
}

/// The faults of this process, from a text such as `upgrade.begun=kill,backup.copied=fail`.
#[derive(Debug, Clone, Default)]
pub struct Faults {
    points: Vec<(String, Action)>,
}

/// A step failed because a test asked for it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("pass the fault point {0}: a test asked it to fail")]
pub struct InjectedFault(&'static str);

/// A specification that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the fault {0:?} is not POINT=fail or POINT=kill")]
pub struct FaultSyntax(String);

impl Faults {
    /// Reads `POINT=ACTION` pairs separated by commas; empty text is no faults.
    ///
    /// # Errors
    /// [`FaultSyntax`] with the first pair that cannot be read.
    pub fn parse(text: &str) -> Result<Self, FaultSyntax> {
        let pairs = text.split(',').filter(|pair| !pair.is_empty());
        let points = pairs
            .map(|pair| match pair.split_once('=') {
                Some((point, "fail")) => Ok((point.to_owned(), Action::Fail)),
                Some((point, "kill")) => Ok((point.to_owned(), Action::Kill)),
                _ => Err(FaultSyntax(pair.to_owned())),
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { points })
    }

    /// Passes a named point.
    ///
    /// # Errors
    /// [`InjectedFault`] where a test asked the point to fail. Does not return where it asked for
    /// a kill.
    pub fn at(&self, point: &'static str) -> Result<(), InjectedFault> {
        match self.points.iter().find(|(name, _)| name == point) {
            None => Ok(()),
            Some((_, Action::Fail)) => Err(InjectedFault(point)),
            Some((_, Action::Kill)) => {
                let own = rustix::process::getpid();
                // SIGKILL cannot be handled: the call does not come back.
                let _ = rustix::process::kill_process(own, rustix::process::Signal::KILL);
                Err(InjectedFault(point))
            }
        }
    }
}
