//! How a client finds a Host: the text in the owner lease's file, and the line with which a
//! spawned Host says that it serves.

use serde::{Deserialize, Serialize};

/// The owner lease's file in the state root. Only a Host locks it; a client reads its text.
pub const LEASE_FILE: &str = "host.lock";

/// The text of the lease's file: one line of JSON. It outlives a Host that was killed, so it is a
/// place to knock at and no proof that anyone answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LeaseText {
    /// The process id of the Host that wrote it.
    pub pid: u32,
    /// That run of the Host.
    pub host_epoch: String,
    /// The absolute path of its socket.
    pub socket: String,
}

impl LeaseText {
    /// Reads the text of a lease's file; `None` where no Host has written a whole one.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        serde_json::from_str(text.trim()).ok()
    }

    /// The text to write: one line, its line end included.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Numbers and strings cannot fail to encode.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// What a spawned Host writes on its standard output, as one line, and nothing after it:
/// `{"ready":true}` or `{"ready":false,"code",…}`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Readiness {
    /// Whether it serves now.
    pub ready: bool,
    /// Why it does not.
    #[serde(flatten, skip_serializing_if = "Option::is_none", default)]
    pub refusal: Option<StartRefusal>,
}

impl Readiness {
    /// The Host serves.
    #[must_use]
    pub const fn ready() -> Self {
        Self { ready: true, refusal: None }
    }

    /// The Host did not start.
    #[must_use]
    pub const fn refused(refusal: StartRefusal) -> Self {
        Self { ready: false, refusal: Some(refusal) }
    }

    /// Reads the line of a spawned Host; `None` where it is none.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let readiness: Self = serde_json::from_str(line.trim()).ok()?;
        (readiness.ready || readiness.refusal.is_some()).then_some(readiness)
    }

    /// The line to write, its line end included.
    #[must_use]
    pub fn to_line(&self) -> String {
        // Booleans, numbers and strings cannot fail to encode.
        let mut line = serde_json::to_string(self).unwrap_or_default();
        line.push('\n');
        line
    }
}

/// Why a spawned Host did not start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "camelCase")]
#[error("{message}")]
pub struct StartRefusal {
    /// Why, for a program, such as [`StartRefusal::LEASE_HELD`] or `workspace_needs_upgrade`.
    pub code: String,
    /// Why, for a person.
    pub message: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub hint: Option<String>,
    /// The exit code of the process that refused, which its spawner ends with too.
    pub exit_code: u8,
}

impl StartRefusal {
    /// Another Host holds the owner lease: the spawner connects to that one.
    pub const LEASE_HELD: &'static str = "lease_held";
}

#[cfg(test)]
mod tests {
    use super::{LeaseText, Readiness, StartRefusal};

    #[test]
    fn the_lease_text_is_one_line_of_json_and_reads_back() {
        let text =
            LeaseText { pid: 7, host_epoch: "e1".to_owned(), socket: "/r/host.sock".to_owned() };
        let line = text.to_line();
        assert_eq!(line, "{\"pid\":7,\"hostEpoch\":\"e1\",\"socket\":\"/r/host.sock\"}\n");
        assert_eq!(LeaseText::parse(&line), Some(text));
    }

    #[test]
    fn a_lease_text_that_is_empty_or_cut_short_names_no_host() {
        for text in ["", "\n", "{\"pid\":7,\"hostEp", "{\"pid\":7}", "7"] {
            assert_eq!(LeaseText::parse(text), None, "{text:?}");
        }
    }

    #[test]
    fn readiness_reads_back_and_a_refusal_must_say_why() {
        let refusal = StartRefusal {
            code: StartRefusal::LEASE_HELD.to_owned(),
            message: "another Host serves".to_owned(),
            hint: None,
            exit_code: 1,
        };
        for readiness in [Readiness::ready(), Readiness::refused(refusal)] {
            assert_eq!(Readiness::parse(&readiness.to_line()), Some(readiness));
        }
        assert_eq!(Readiness::ready().to_line(), "{\"ready\":true}\n");
        assert_eq!(Readiness::parse("{\"ready\":false}"), None);
        assert_eq!(Readiness::parse("listening on 80"), None);
    }
}
