//! Which keys name a credential.

/// What a key says of its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeyKind {
    /// It is a credential.
    Secret,
    /// It is one where the key stands in a query.
    Query,
    /// It may be one where the key stands in a query and the value looks random.
    QueryToken,
    /// It is an authentication scheme and its credential.
    Authorization,
    /// It is a list of cookies.
    Cookie,
}

/// Ends of keys, in lower case and without separators.
const SECRET_ENDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "credential",
    "credentials",
    "secretkeybase",
    "accesssignature",
    "dbpass",
    "keypass",
    "storepass",
    "userpass",
    "adminpass",
    "smtppass",
    "pgpass",
    "rootpw",
    "bindpw",
    "dbpw",
    "userpw",
];

/// Short ends that count only as a whole word: `DB_PASS` and `userPw`, not `bypass`.
const SECRET_WORDS: &[&str] = &["pass", "pw", "creds"];

/// What makes a key for a lock of a `…key`, rather than a key of a map.
const KEY_OF: &[&str] = &[
    "api",
    "access",
    "private",
    "auth",
    "account",
    "signing",
    "sign",
    "ssh",
    "encryption",
    "encrypt",
    "decryption",
    "master",
    "secret",
    "service",
    "shared",
    "storage",
    "session",
    "deploy",
    "client",
    "consumer",
    "admin",
    "app",
    "application",
    "webhook",
    "rsa",
    "pgp",
    "gpg",
    "jwt",
    "hmac",
    "bot",
    "license",
    "subscription",
    "security",
    "aes",
    "rest",
    "server",
    "signature",
    "project",
    "write",
    "maps",
    "kms",
    "root",
    "functions",
    "function",
    "registration",
    "integration",
    "publishing",
    "vault",
    "cookie",
    "crypto",
    "authorization",
];

/// The same for `… key` in two words, as people write it in prose.
const SPOKEN_KEY_OF: &[&str] = &[
    "api",
    "access",
    "private",
    "auth",
    "account",
    "signing",
    "ssh",
    "encryption",
    "master",
    "secret",
    "deploy",
    "license",
];

/// Places in a list and counts, which end like credentials.
const NOT_SECRET_ENDS: &[&str] = &[
    "pagetoken",
    "nexttoken",
    "continuationtoken",
    "synctoken",
    "resumetoken",
    "maxtoken",
    "mintoken",
    "pertoken",
    "numtoken",
];

/// Ends of keys that name a credential in a query.
const QUERY_ENDS: &[&str] = &[
    "sig",
    "signature",
    "jwt",
    "sas",
    "hmac",
    "assertion",
    "pass",
    "auth",
    "credential",
    "accesskeyid",
    "samlresponse",
    "samlrequest",
    "apikey",
    "ticket",
];

/// Keys that may do so.
const QUERY_TOKENS: &[&str] = &["key", "code", "session", "sid", "sessionid", "hash", "k", "t"];

/// The longest key that is looked at.
pub(super) const MAX_KEY: usize = 64;

/// Reads a key as it is written, with its separators; `query` tells that it stands in one.
pub(super) fn kind(name: &[u8], query: bool) -> Option<KeyKind> {
    let mut folded = [0; MAX_KEY];
    let letters = name.iter().filter(|b| b.is_ascii_alphanumeric());
    let mut length = 0;
    for (place, letter) in folded.iter_mut().zip(letters) {
        *place = letter.to_ascii_lowercase();
        length += 1;
    }
    let folded = std::str::from_utf8(folded.get(..length)?).ok()?;
    let folded = folded.trim_end_matches(|c: char| c.is_ascii_digit());
    if folded.is_empty() {
        return None;
    }
    match folded {
        "authorization" | "proxyauthorization" | "xauthorization" => {
            return Some(KeyKind::Authorization);
        }
        "cookie" | "setcookie" => return Some(KeyKind::Cookie),
        "bearer" => return Some(KeyKind::Secret),
        "auth" if name.starts_with(b"_") => return Some(KeyKind::Secret),
        _ => {}
    }
    if NOT_SECRET_ENDS.iter().any(|end| folded.ends_with(end)) {
        return None;
    }
    let is_key =
        folded.strip_suffix("key").is_some_and(|owner| KEY_OF.iter().any(|of| owner.ends_with(of)));
    if is_key
        || SECRET_ENDS.iter().any(|end| folded.ends_with(end))
        || SECRET_WORDS.iter().any(|word| ends_with_word(name, word))
    {
        Some(KeyKind::Secret)
    } else if query && QUERY_ENDS.iter().any(|end| folded.ends_with(end)) {
        Some(KeyKind::Query)
    } else if query && QUERY_TOKENS.contains(&folded) {
        Some(KeyKind::QueryToken)
    } else {
        None
    }
}

/// Whether `word key` in prose names a credential.
pub(super) fn is_spoken_key(word: &[u8]) -> bool {
    SPOKEN_KEY_OF.iter().any(|of| word.eq_ignore_ascii_case(of.as_bytes()))
}

/// Whether `name` ends with a word of its own: behind a separator, or with a capital of its own.
fn ends_with_word(name: &[u8], word: &str) -> bool {
    let name = name.trim_ascii_end();
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let name = name.get(..name.len() - digits).unwrap_or_default();
    let Some(start) = name.len().checked_sub(word.len()) else { return false };
    let (before, end) = name.split_at(start);
    let own_capital = end.first().is_some_and(u8::is_ascii_uppercase)
        && end.get(1).is_some_and(u8::is_ascii_lowercase)
        && before.last().is_some_and(|b| b.is_ascii_lowercase() || b.is_ascii_digit());
    end.eq_ignore_ascii_case(word.as_bytes())
        && (own_capital || !before.last().is_some_and(u8::is_ascii_alphanumeric))
}

#[cfg(test)]
mod tests {
    use super::{KeyKind, kind};

    #[test]
    fn keys_are_read_by_their_ends() {
        for name in [
            "DB_PASSWORD",
            "apiKey",
            "x-api-key",
            "spring.datasource.password",
            "REDIS_PASS",
            "userPass",
            "SECRET_KEY_BASE",
            "_auth",
            "_authToken",
            "token2",
            "pw",
            "AWS_SECRET_ACCESS_KEY",
        ] {
            assert_eq!(kind(name.as_bytes(), false), Some(KeyKind::Secret), "{name}");
        }
        for name in [
            "key",
            "primary_key",
            "public_key",
            "bypass",
            "compass",
            "monkey",
            "max_tokens",
            "nextPageToken",
            "tokenizer",
            "secret_name",
            "sig",
            "cache-key",
            "",
        ] {
            assert_eq!(kind(name.as_bytes(), false), None, "{name}");
        }
    }

    #[test]
    fn a_query_has_keys_of_its_own() {
        assert_eq!(kind(b"X-Amz-Signature", true), Some(KeyKind::Query));
        assert_eq!(kind(b"code", true), Some(KeyKind::QueryToken));
        assert_eq!(kind(b"X-Amz-Date", true), None);
    }
}
