//! Typed identifiers. Each is a checked string: the rule is enforced once, where the value enters.

use std::fmt;

/// Says which identifier was refused and what it may consist of.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the {kind} is not valid: {rule}")]
pub struct IdFault {
    kind: &'static str,
    rule: &'static str,
}

macro_rules! string_id {
    ($(#[$doc:meta])* $name:ident, $kind:literal, $rule:literal, $check:expr) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks `text` against the rule of this identifier.
            ///
            /// # Errors
            /// [`IdFault`] with the rule when `text` breaks it.
            pub fn parse(text: impl Into<String>) -> Result<Self, IdFault> {
                let text = text.into();
                let check: fn(&str) -> bool = $check;
                if check(&text) {
                    Ok(Self(text))
                } else {
                    Err(IdFault { kind: $kind, rule: $rule })
                }
            }

            /// The identifier as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdFault;
            fn try_from(text: String) -> Result<Self, IdFault> {
                Self::parse(text)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = IdFault;
            fn from_str(text: &str) -> Result<Self, IdFault> {
                Self::parse(text)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", self.0)
            }
        }
    };
}

string_id!(
    /// One conversation. The alphabet is that of the reference implementation, so that an id is
    /// safe in a file name, a URI and a terminal.
    SessionId,
    "Session id",
    "use 1 to 128 ASCII letters, digits, '_' or '-'",
    |text| (1..=128).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-')
);

string_id!(
    /// One exchange in a Session, unique within it.
    TurnId,
    "Turn id",
    "use 1 to 256 bytes without control characters",
    |text| (1..=256).contains(&text.len()) && !text.chars().any(char::is_control)
);

string_id!(
    /// What a connecting program calls itself. It is shown to people, so a surface projects it.
    ClientName,
    "client name",
    "use 1 to 128 bytes without control characters",
    |text| (1..=128).contains(&text.len()) && !text.chars().any(char::is_control)
);

#[cfg(test)]
mod tests {
    use super::{ClientName, SessionId};

    #[test]
    fn a_session_id_takes_128_letters_and_refuses_what_the_rule_names() {
        assert!(SessionId::parse("a".repeat(128)).is_ok());
        for bad in ["", "a/b", "a.b", "é", "a b", &"a".repeat(129)] {
            assert!(SessionId::parse(bad).is_err(), "{bad:?} must be refused");
        }
    }

    #[test]
    fn a_client_name_refuses_control_characters() {
        assert!(ClientName::parse("Claude Code 2").is_ok());
        assert!(ClientName::parse("a\u{1b}[31m").is_err());
    }
}
