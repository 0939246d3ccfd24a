//! Values that a key names: assignments, JSON and YAML pairs, headers, queries, XML elements.
//!
//! The search starts at the separators and reads the key backwards, so text without them costs one
//! pass over its bytes.

use std::ops::Range;

use super::checks::Check;
use super::header;
use super::keys::{self, KeyKind, MAX_KEY};
use super::value::{Value, is_quote};

/// What stands between a key and its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Separator {
    /// `=`, `:=`, `||=` and the like.
    Assign,
    /// `:` and `=>`: English is full of "token: handle refresh".
    Colon,
    /// `==`, `===`.
    Compare,
    /// The `>` of `<password>`.
    Element,
}

/// A key that names a credential.
#[derive(Debug)]
struct Key<'a> {
    name: &'a [u8],
    kind: KeyKind,
    quoted: bool,
    query: bool,
}

/// Adds the values of all keys.
pub(super) fn find(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    let mut masked_to = 0;
    for at in memchr::memchr3_iter(b'=', b':', b'>', shadow) {
        if at < masked_to {
            continue;
        }
        let Some((separator, key_end, value_at)) = separator(shadow, at) else { continue };
        let key = key_before(shadow, key_end, separator)
            .or_else(|| annotated_key(shadow, key_end, value_at, separator));
        let Some(key) = key else { continue };
        let known = found.len();
        mask(shadow, &key, separator, value_at, found);
        masked_to = found.get(known..).and_then(<[_]>::last).map_or(masked_to, |span| span.end);
    }
}

/// The separator at `at`, where its key ends and where its value may start.
fn separator(shadow: &[u8], at: usize) -> Option<(Separator, usize, usize)> {
    let next = shadow.get(at + 1).copied();
    let before = at.checked_sub(1).and_then(|at| shadow.get(at)).copied();
    match shadow.get(at)? {
        b'=' if matches!(before, Some(b'=' | b'!' | b'<' | b'>')) => None,
        b'=' if next == Some(b'>') => Some((Separator::Colon, at, at + 2)),
        b'=' if next == Some(b'=') => {
            let signs = shadow.iter().skip(at).take(3).take_while(|b| **b == b'=').count();
            Some((Separator::Compare, at, at + signs))
        }
        b'=' => {
            let operator = |b: &&u8| matches!(b, b':' | b'?' | b'+' | b'|' | b'.');
            let head = shadow.get(..at).unwrap_or_default();
            let signs = head.iter().rev().take(2).take_while(operator).count();
            Some((Separator::Assign, at - signs, at + 1))
        }
        b':' if next == Some(b'=') || next == Some(b':') || before == Some(b':') => None,
        b':' if shadow.get(at + 1..at + 3) == Some(b"//") => None,
        b':' => Some((Separator::Colon, at, at + 1)),
        b'>' if before != Some(b'=') => Some((Separator::Element, at, at + 1)),
        _ => None,
    }
}

/// The key that ends at `end`, if it names a credential.
fn key_before(shadow: &[u8], end: usize, separator: Separator) -> Option<Key<'_>> {
    let mut head = shadow.get(..end)?;
    let mut quoted = false;
    if separator != Separator::Element {
        head = head.strip_suffix(b" ").unwrap_or(head);
        // `password?: string`, `["token"]`, `\"token\"`.
        for _ in 0..4 {
            match head.split_last() {
                Some((b'?' | b'!' | b']' | b'\\', rest)) => head = rest,
                Some((quote, rest)) if is_quote(*quote) => {
                    quoted = true;
                    head = rest;
                }
                _ => break,
            }
        }
    }
    let length = name_length(head);
    let (before, name) = head.split_at(head.len() - length);
    if separator == Separator::Element && before.last() != Some(&b'<') {
        return None;
    }
    let query = matches!(before.last(), Some(b'?' | b'&' | b'#' | b';'));
    if let Some(kind) = keys::kind(name, query) {
        return Some(Key { name, kind, quoted, query });
    }
    if name.eq_ignore_ascii_case(b"value") {
        return named_key(before);
    }
    // `API key: …`
    let words = before.strip_suffix(b" ")?;
    let word = words.get(words.len() - name_length(words)..)?;
    (name.eq_ignore_ascii_case(b"key") && keys::is_spoken_key(word)).then_some(Key {
        name,
        kind: KeyKind::Secret,
        quoted,
        query,
    })
}

/// The key of `name: KEY, value: …` and `key="KEY" value="…"`.
fn named_key(before: &[u8]) -> Option<Key<'_>> {
    let is_between = |b: &u8| matches!(b, b' ' | b',' | b';' | b'-' | b'{' | b'}') || is_quote(*b);
    let trim = |head: &mut &[u8], skip: &dyn Fn(&u8) -> bool| {
        let skipped = head.iter().rev().take(8).take_while(|b| skip(b)).count();
        *head = head.get(..head.len() - skipped).unwrap_or_default();
    };
    let mut head = before;
    trim(&mut head, &is_between);
    let (rest, name) = head.split_at(head.len() - name_length(head));
    let mut rest = rest;
    trim(&mut rest, &|b| matches!(b, b' ' | b'=' | b':') || is_quote(*b));
    let label = rest.get(rest.len() - name_length(rest)..)?;
    let labels = label.eq_ignore_ascii_case(b"name") || label.eq_ignore_ascii_case(b"key");
    let kind = keys::kind(name, false).filter(|kind| labels && *kind == KeyKind::Secret)?;
    Some(Key { name, kind, quoted: false, query: false })
}

fn name_length(head: &[u8]) -> usize {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    head.iter().rev().take(MAX_KEY).take_while(is_name).count()
}

/// The key of `token: &str = "…"`, where a type stands between key and value.
fn annotated_key(
    shadow: &[u8],
    end: usize,
    value_at: usize,
    separator: Separator,
) -> Option<Key<'_>> {
    const LONGEST_TYPE: usize = 24;
    if separator != Separator::Assign || Value::at(shadow, value_at).quoted.is_none() {
        return None;
    }
    let is_type = |b: &&u8| b.is_ascii_alphanumeric() || b" _&<>[]|'.?".contains(b);
    let head = shadow.get(..end)?;
    let length = head.iter().rev().take(LONGEST_TYPE).take_while(is_type).count();
    let head = head.get(..head.len() - length)?;
    head.ends_with(b":").then(|| key_before(shadow, head.len() - 1, Separator::Colon)).flatten()
}

/// Adds what is to be masked of the value of one key.
fn mask(
    shadow: &[u8],
    key: &Key<'_>,
    separator: Separator,
    value_at: usize,
    found: &mut Vec<Range<usize>>,
) {
    match key.kind {
        KeyKind::Authorization => header::authorization(shadow, value_at, found),
        KeyKind::Cookie if separator == Separator::Colon => {
            header::cookies(shadow, value_at, found);
        }
        KeyKind::Cookie => {}
        KeyKind::Secret | KeyKind::Query | KeyKind::QueryToken => {
            let value = header::without_scheme(shadow, Value::at(shadow, value_at));
            let value = if key.query { cut_at_fragment(shadow, value) } else { value };
            let check = match (separator, value.quoted.is_some()) {
                _ if key.kind == KeyKind::QueryToken => Check::Random,
                (Separator::Assign, _) | (Separator::Compare, true) => Check::Assigned,
                // A pair of JSON, where no prose is.
                (Separator::Colon, true) if key.quoted => Check::Assigned,
                _ => Check::Colon,
            };
            if check.passes(key.name, value.checked(shadow)) {
                found.push(if key.query { value.range } else { value.whole(shadow) });
            }
        }
    }
}

fn cut_at_fragment(shadow: &[u8], mut value: Value) -> Value {
    value.range = value.whole(shadow);
    let text = shadow.get(value.range.clone()).unwrap_or_default();
    if let Some(at) = text.iter().position(|b| matches!(b, b'&' | b'#')) {
        value.range.end = value.range.start + at;
    }
    value
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
    fn every_way_to_write_a_pair_is_read() {
        for (text, value) in [
            ("DB_PASS=tulip x", "tulip"),
            ("password ||= 'a b'", "a b"),
            ("\"secret\" : \"tulip\"", "tulip"),
            (r#"\"secret\":\"tulip\""#, "tulip"),
            ("let token: &str = \"tulip\"", "tulip"),
            ("config[\"token\"] = \"tulip\"", "tulip"),
            ("if password == \"tulip\"", "tulip"),
            ("<password>tulip1</password>", "tulip1"),
            ("API key: tulip1 x", "tulip1"),
            ("?a=1&sig=tulip&b=2", "tulip"),
            ("#access_token=tulip#x", "tulip"),
            ("token=Bearer tulip", "tulip"),
            ("token=Basic", "Basic"),
            ("- name: DB_PASSWORD value: tulip1", "tulip1"),
            ("<add key=\"ApiKey\" value=\"tulip\"/>", "tulip"),
        ] {
            assert_eq!(masked(text), [value], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_pair_is_not() {
        for text in [
            "password == cfg",
            "token != null",
            "secret::Key",
            "https://x",
            "token: String",
            "fn token() -> u8",
            "key: tulip1",
            "a > b",
            "token <= 3",
            "password:",
            "=",
        ] {
            assert!(masked(text).is_empty(), "{text}");
        }
    }
}
