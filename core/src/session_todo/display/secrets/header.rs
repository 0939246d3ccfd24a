//! The values of HTTP headers that authenticate.

use std::ops::Range;

use super::checks::Check;
use super::keys::MAX_KEY;
use super::value::{Value, skip_spaces};

/// Schemes that stand before one credential.
const SCHEMES: &[&str] = &[
    "bearer",
    "basic",
    "token",
    "apikey",
    "api-key",
    "key",
    "bot",
    "negotiate",
    "ntlm",
    "ssws",
    "dpop",
    "geniekey",
    "jwt",
    "apitoken",
    "digest",
    "oauth",
    "hawk",
    "signature",
    "mac",
    "aws4-hmac-sha256",
    "googlelogin",
    "sso-key",
    "macaroon",
    "user",
    "auth",
    "kerberos",
    "privatetoken",
    "splunk",
    "discogs",
    "hmac-sha256",
    "gitlab",
];

/// Words that follow a scheme in prose: "Authorization: Bearer header missing".
const PROSE: &[&str] = &[
    "token",
    "tokens",
    "auth",
    "header",
    "headers",
    "scheme",
    "schemes",
    "support",
    "credentials",
    "credential",
    "authentication",
    "authorization",
    "only",
    "and",
    "or",
    "is",
    "are",
    "not",
    "for",
    "with",
    "in",
    "missing",
    "required",
    "prefix",
    "value",
    "flow",
    "jwt",
    "key",
    "realm",
];

/// Adds the credential of an `Authorization` header whose value starts at `at`.
pub(super) fn authorization(shadow: &[u8], at: usize, found: &mut Vec<Range<usize>>) {
    let whole = Value::at(shadow, at);
    let bare = without_scheme(shadow, whole.clone());
    if bare == whole {
        if Check::Colon.passes(b"authorization", whole.checked(shadow)) {
            found.push(whole.whole(shadow));
        }
        return;
    }
    let credential = bare.checked(shadow);
    let is_prose = PROSE.iter().any(|word| credential.eq_ignore_ascii_case(word.as_bytes()));
    // Behind `'Authorization: Bearer ' . token` the quote closes.
    let is_closed = credential.starts_with(b" ");
    if !is_prose && !is_closed && Check::Assigned.passes(b"authorization", credential) {
        let credential = bare.whole(shadow);
        found.push(credential.start..parameters_end(shadow, credential.end));
    }
}

/// The value behind an authentication scheme, where one stands before it.
pub(super) fn without_scheme(shadow: &[u8], value: Value) -> Value {
    let text = shadow.get(value.range.clone()).unwrap_or_default();
    let word = text.iter().position(|b| *b == b' ').unwrap_or(text.len());
    let scheme = text.get(..word).unwrap_or_default();
    let behind = value.range.start + word;
    let goes_on = shadow.get(behind) == Some(&b' ') && shadow.get(behind + 1).is_some();
    if !goes_on || !SCHEMES.iter().any(|known| scheme.eq_ignore_ascii_case(known.as_bytes())) {
        return value;
    }
    if value.quoted.is_some() {
        return Value { range: behind + 1..value.range.end, ..value };
    }
    Value::at(shadow, behind)
}

/// The end of the `name=value` parameters that go on behind `end`, as in Digest and AWS headers.
fn parameters_end(shadow: &[u8], mut end: usize) -> usize {
    loop {
        // A parameter may have stopped at the quote of its value.
        if shadow.get(end) == Some(&b'"') && shadow.get(end.wrapping_sub(1)) == Some(&b'=') {
            end = value_end(shadow, end);
        }
        if shadow.get(end) != Some(&b',') {
            return end;
        }
        let name_at = skip_spaces(shadow, end + 1);
        let rest = shadow.get(name_at..).unwrap_or_default();
        let name = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        if name == 0 || rest.get(name) != Some(&b'=') {
            return end;
        }
        end = value_end(shadow, name_at + name + 1);
    }
}

fn value_end(shadow: &[u8], at: usize) -> usize {
    if shadow.get(at) == Some(&b'"') {
        return (Value::at(shadow, at).whole(shadow).end + 1).min(shadow.len());
    }
    let rest = shadow.get(at..).unwrap_or_default();
    at + rest.iter().take_while(|b| !matches!(b, b' ' | b',' | b'"' | b'\'')).count()
}

/// Adds the values of cookies that look like credentials; attributes and settings stay.
pub(super) fn cookies(shadow: &[u8], at: usize, found: &mut Vec<Range<usize>>) {
    const MAX_COOKIES: usize = 32;
    let mut at = at;
    for _ in 0..MAX_COOKIES {
        at = skip_spaces(shadow, at);
        let rest = shadow.get(at..).unwrap_or_default();
        let name =
            rest.iter().take(MAX_KEY).take_while(|b| !matches!(b, b' ' | b'=' | b';')).count();
        if name == 0 || rest.get(name) != Some(&b'=') {
            return;
        }
        let value = Value::at(shadow, at + name + 1);
        let attribute = [&b"path"[..], b"domain", b"expires", b"max-age", b"samesite"];
        let attribute = attribute.iter().any(|attribute| {
            rest.get(..name).is_some_and(|name| name.eq_ignore_ascii_case(attribute))
        });
        let whole = value.whole(shadow);
        at = whole.end;
        if !attribute && Check::Colon.passes(b"", value.checked(shadow)) {
            found.push(whole);
        }
        if shadow.get(at) != Some(&b';') {
            return;
        }
        at += 1;
    }
}

/// Adds what follows a bare `Bearer` or `Basic`, where it is long and looks random.
pub(super) fn bare_schemes(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    const MIN_LENGTH: usize = 16;
    let is_credential = |b: &&u8| b.is_ascii_alphanumeric() || b"._~+/=-".contains(b);
    for space in memchr::memchr_iter(b' ', shadow) {
        let head = shadow.get(..space).unwrap_or_default();
        let word = ["bearer", "basic"].iter().find(|word| {
            let start = head.len().checked_sub(word.len());
            start
                .and_then(|start| head.get(start..))
                .is_some_and(|end| end.eq_ignore_ascii_case(word.as_bytes()))
        });
        let Some(word) = word else { continue };
        let before = head.len().checked_sub(word.len() + 1).and_then(|at| head.get(at));
        if before.is_some_and(u8::is_ascii_alphanumeric) {
            continue;
        }
        let rest = shadow.get(space + 1..).unwrap_or_default();
        let mut length = rest.iter().take_while(is_credential).count();
        while length > 0 && rest.get(length - 1) == Some(&b'.') {
            length -= 1;
        }
        let credential = rest.get(..length).unwrap_or_default();
        if length >= MIN_LENGTH && Check::Random.passes(b"", credential) {
            found.push(space + 1..space + 1 + length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{authorization, bare_schemes, cookies};
    use std::ops::Range;

    fn masked(find: fn(&[u8], &mut Vec<Range<usize>>), text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text.as_bytes(), &mut found);
        found.into_iter().map(|span| text.get(span).expect("ASCII")).collect()
    }

    #[test]
    fn the_scheme_stays_and_its_credential_goes() {
        let authorization = |text| masked(|shadow, found| authorization(shadow, 0, found), text);
        assert_eq!(authorization(" Bearer tulip next"), ["tulip"]);
        assert_eq!(authorization("'Token abc1' x"), ["abc1"]);
        assert_eq!(
            authorization("Digest username=\"u\", response=\"1\" x"),
            ["username=\"u\", response=\"1\""]
        );
        assert_eq!(
            authorization("AWS4-HMAC-SHA256 Credential=A/b, Signature=0f x"),
            ["Credential=A/b, Signature=0f"]
        );
        assert!(authorization("Bearer header is missing").is_empty());
        assert!(authorization("Bearer $TOKEN").is_empty());
        assert!(authorization("check roles").is_empty());
        assert!(authorization("Bearer ' . $token)").is_empty());
    }

    #[test]
    fn cookies_go_and_their_attributes_stay() {
        let cookies = |text| masked(|shadow, found| cookies(shadow, 0, found), text);
        assert_eq!(cookies(" sid=abc123; theme=dark; id=x9y8z7"), ["abc123", "x9y8z7"]);
        assert!(cookies("sid=abc; Path=/a1b2c3; Domain=a1.example").is_empty());
    }

    #[test]
    fn a_bare_scheme_needs_what_looks_random() {
        assert_eq!(masked(bare_schemes, "Bearer 0123456789abcdef. ok"), ["0123456789abcdef"]);
        assert!(masked(bare_schemes, "basic InfrastructureSetup").is_empty());
        assert!(masked(bare_schemes, "bearer of-bad-news-everywhere").is_empty());
        assert!(masked(bare_schemes, "nobasic 0123456789abcdef").is_empty());
    }
}
