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
    /// As [`Check::Mixed`], and not only in short words: `sk-learn-v2` is a name.
    Token,
    /// At least 16 characters as only chance mixes them.
    Random,
    /// A password where only one can stand: no placeholder, but any number.
    Password,
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
            Self::Token => is_mixed(value) && has_token_word(value),
            Self::Random => value.len() >= 16 && is_mixed(value) && changes_often(value),
            Self::Password => {
                !value.is_empty()
                    && (value.iter().all(u8::is_ascii_digit) || !is_placeholder(value))
                    && !is_own_name(b"password", value)
                    && !is_own_name(b"passwd", value)
            }
            Self::Assigned => is_assigned(key, value),
            Self::Colon => {
                value.len() >= 6
                    && value.split(|b| *b == b' ').any(has_digit_and_letter)
                    && !is_version(value)
                    && !is_term(value)
                    && is_assigned(key, value)
            }
        }
    }
}

fn is_mixed(value: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| value.iter().any(class);
    has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

/// Capitals with digits, or a word of eight characters that is mixed by itself.
fn has_token_word(value: &[u8]) -> bool {
    let has = |class: fn(&u8) -> bool| value.iter().any(class);
    (has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit))
        || value.split(|b| !b.is_ascii_alphanumeric()).any(|word| word.len() >= 8 && is_mixed(word))
}

/// Two digits, or a change of class at over a quarter of the places.
fn changes_often(value: &[u8]) -> bool {
    let class = |b: &u8| (b.is_ascii_uppercase(), b.is_ascii_lowercase(), b.is_ascii_digit());
    let changes = value.windows(2).filter(|pair| pair.first().map(class) != pair.last().map(class));
    value.iter().filter(|b| b.is_ascii_digit()).count() >= 2 || changes.count() * 4 > value.len()
}

/// Names of algorithms and standards, which stand behind "token:" and "private key:" in prose; and
/// files, tickets and measures.
fn is_term(value: &[u8]) -> bool {
    const STEMS: &[&str] = &[
        "sha", "md", "rfc", "ed", "x", "secp", "aes", "rs", "hs", "es", "ps", "argon", "bcrypt",
        "scrypt", "pbkdf", "base", "oauth", "utf", "http", "ipv", "saml", "oidc", "pkcs", "rsa",
        "curve", "blake", "hkdf", "k", "s", "v", "i", "iso", "x", "pkcs", "webauthn", "p", "tls",
    ];
    const FILES: &[&str] = &[
        "rs", "ts", "tsx", "js", "jsx", "py", "go", "java", "rb", "c", "h", "cpp", "md", "json",
        "yaml", "yml", "toml", "txt", "pem", "key", "env", "sh", "sql", "css", "html", "lock",
    ];
    let text: String = String::from_utf8_lossy(value).to_ascii_lowercase();
    let stem = text.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let word = text.strip_suffix(stem).unwrap_or_default();
    let number = stem.trim_start_matches('-').trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let named = STEMS.contains(&word)
        && (1..=5).contains(&number.len())
        && number.bytes().all(|b| b.is_ascii_digit());
    let unit = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let measured = unit.len() < text.len()
        && text.len() - unit.len() <= 4
        && unit.bytes().all(|b| b.is_ascii_lowercase())
        && [
            "ms",
            "s",
            "sec",
            "seconds",
            "min",
            "minutes",
            "h",
            "hours",
            "d",
            "days",
            "weeks",
            "kb",
            "mb",
            "bytes",
            "chars",
            "bits",
            "bit",
            "characters",
            "th",
        ]
        .contains(&unit);
    let (path, line) = text.split_once(':').unwrap_or((&text, "0"));
    let file = path.rsplit_once('.').is_some_and(|(_, end)| FILES.contains(&end))
        && line.bytes().all(|b| b.is_ascii_digit() || b == b':');
    named || measured || file || is_ticket(value)
}

/// `ABC-123`, the number of an issue.
fn is_ticket(value: &[u8]) -> bool {
    let project = value.iter().take_while(|b| b.is_ascii_uppercase()).count();
    let number = value.get(project..).and_then(|rest| rest.strip_prefix(b"-"));
    (2..=6).contains(&project)
        && number.is_some_and(|number| {
            (1..=6).contains(&number.len()) && number.iter().all(u8::is_ascii_digit)
        })
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
        for term in ["SHA-256", "ed25519", "RFC7519", "3600seconds", "JIRA-1234", "src/auth2.rs:42"]
        {
            assert!(!passes(Check::Colon, term), "{term}");
        }
        assert!(passes(Check::Token, "abcdefg1") && !passes(Check::Token, "learn-v2-upgrade"));
        assert!(passes(Check::Random, "0123456789abcdef"));
        assert!(!passes(Check::Random, "InfrastructureSetup") && !passes(Check::Random, "a1B2"));
        assert!(passes(Check::Password, "12") && passes(Check::Password, "p"));
        assert!(!passes(Check::Password, "$X") && !passes(Check::Password, "password"));
        assert!(!passes(Check::Colon, "v1.2.3-rc4") && !passes(Check::Colon, "10.4.1b"));
    }
}
