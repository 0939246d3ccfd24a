//! Credentials before the host of a URL. The scheme, the user and the host stay.

use std::ops::Range;

use super::checks::Check;

/// The shortest user name that is taken for a token.
const MIN_TOKEN: usize = 20;
/// How far an `@` is looked for behind a password that holds `/`, `?` or `#`.
const MAX_PASSWORD: usize = 128;

/// Adds the passwords and tokens of all URLs.
pub(super) fn find(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    for at in memchr::memmem::find_iter(shadow, b"://") {
        let has_scheme = at.checked_sub(1).and_then(|at| shadow.get(at));
        if has_scheme.is_some_and(u8::is_ascii_alphanumeric) {
            user_info(shadow, at + 3, found);
        }
    }
}

fn user_info(shadow: &[u8], start: usize, found: &mut Vec<Range<usize>>) {
    let rest = shadow.get(start..).unwrap_or_default();
    let is_outside = |b: &u8| matches!(b, b' ' | b'"' | b'\'' | b'`');
    let authority = rest.iter().position(|b| is_outside(b) || matches!(b, b'/' | b'?' | b'#'));
    let authority = rest.get(..authority.unwrap_or(rest.len())).unwrap_or_default();
    let colon = authority.iter().position(|b| *b == b':');
    let at = match (memchr::memrchr(b'@', authority), colon) {
        (Some(at), _) => at,
        (None, Some(colon)) => {
            // A password may hold what ends an authority, unless a port stands there.
            let port = authority.get(colon + 1..).unwrap_or_default();
            let url = rest.iter().take(MAX_PASSWORD).position(is_outside);
            let url = rest.get(..url.unwrap_or(rest.len().min(MAX_PASSWORD))).unwrap_or_default();
            let is_port = port.iter().all(u8::is_ascii_digit);
            match memchr::memchr(b'@', url) {
                Some(at) if !is_port => at,
                _ => return,
            }
        }
        (None, None) => return,
    };
    let user = rest.get(..colon.unwrap_or(at).min(at)).unwrap_or_default();
    if user.len() >= MIN_TOKEN && Check::Mixed.passes(b"", user) {
        found.push(start..start + user.len());
    }
    if let Some(colon) = colon.filter(|colon| *colon < at) {
        let password = rest.get(colon + 1..at).unwrap_or_default();
        if Check::Password.passes(b"", password) {
            found.push(start + colon + 1..start + at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::find;

    fn masked(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text.as_bytes(), &mut found);
        found.into_iter().map(|span| text.get(span).expect("ASCII")).collect()
    }

    #[test]
    fn passwords_and_tokens_are_found_to_the_last_at() {
        for (text, secret) in [
            ("postgres://u:p@w@h:1/d?m=a@b", "p@w"),
            ("redis://:tulip@h", "tulip"),
            ("x://u:12@h", "12"),
            ("x://u:a/b?c#d@h/p", "a/b?c#d"),
            ("https://tok3ntok3ntok3ntok3n@h", "tok3ntok3ntok3ntok3n"),
            ("https://tok3ntok3ntok3ntok3n:x-oauth-basic@h", "tok3ntok3ntok3ntok3n"),
        ] {
            assert!(masked(text).contains(&secret), "{text}: {:?}", masked(text));
        }
    }

    #[test]
    fn addresses_survive() {
        for text in [
            "http://h:8080/a@b",
            "https://h/@user",
            "ssh://git@h:22/x",
            "x://u:$PASS@h",
            "x://<user>:<password>@h",
            "://u:p@h",
            "https://h?a=b:c@d",
            "x://u:password@h",
        ] {
            assert!(masked(text).is_empty(), "{text}: {:?}", masked(text));
        }
    }
}
