//! What a rule asks of a value before it is masked, so that prose, code and placeholders survive.

use super::placeholder::is_placeholder;

/// The question that a rule asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// None: the shape alone decides.
    Always,
    /// A digit, or both letter cases.
    Mixed,
    /// At least three characters, no placeholder, not the key's own name.
    Assigned,
    /// At least six characters, one word with both digit and letter, no version, and as
    /// [`Check::Assigned`]: English is full of "token: handle refresh".
    Colon,
}

impl Check {
    /// Asks it of `value`, given to `key` where the rule has one.
    pub(super) fn passes(self, key: &[u8], value: &[u8]) -> bool {
        match self {
            Self::Always => true,
            Self::Mixed => is_mixed(value),
            Self::Assigned => is_assigned(key, value),
            Self::Colon => {
                value.len() >= 6
                    && value.split(|b| *b == b' ').any(has_digit_and_letter)
                    && !is_version(value)
                    && is_assigned(key, value)
            }
        }
    }
}

fn is_mixed(value: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| value.iter().any(class);
    has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

fn is_assigned(key: &[u8], value: &[u8]) -> bool {
    value.len() >= 3 && !is_placeholder(value) && !is_own_name(key, value)
}

/// `token=token`, `DB_PASSWORD=password`: the value only repeats the key.
fn is_own_name(key: &[u8], value: &[u8]) -> bool {
    let fold = |text: &[u8]| -> Vec<u8> {
        text.iter().filter(|b| b.is_ascii_alphanumeric()).map(u8::to_ascii_lowercase).collect()
    };
    let value = fold(value);
    !value.is_empty() && fold(key).ends_with(&value)
}

fn has_digit_and_letter(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic)
}

/// `v1.2.3-rc.4`: digits, a dot and digits after an optional `v`.
fn is_version(value: &[u8]) -> bool {
    let number = value.strip_prefix(b"v").unwrap_or(value);
    let major = number.iter().take_while(|b| b.is_ascii_digit()).count();
    major > 0
        && number.get(major) == Some(&b'.')
        && number.get(major + 1).is_some_and(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use super::Check;

    fn passes(check: Check, value: &str) -> bool {
        check.passes(b"api_key", value.as_bytes())
    }

    #[test]
    fn each_check_asks_its_question() {
        assert!(passes(Check::Mixed, "abc1") && passes(Check::Mixed, "aB"));
        assert!(!passes(Check::Mixed, "learn-by-doing"));
        assert!(passes(Check::Assigned, "tulip") && !passes(Check::Assigned, "tu"));
        assert!(!passes(Check::Assigned, "apiKey") && !passes(Check::Assigned, "key"));
        assert!(passes(Check::Colon, "tulip1") && !passes(Check::Colon, "tulips"));
        assert!(!passes(Check::Colon, "handle refresh on 401"));
        assert!(!passes(Check::Colon, "v1.2.3-rc4") && !passes(Check::Colon, "10.4.1b"));
    }
}
