//! Unpaired surrogate escapes in JSON text, which no Rust string can hold.

use std::borrow::Cow;

/// Where the first unpaired `\uD800`–`\uDFFF` escape starts, in bytes from the start of `json`.
pub(super) fn first_unpaired(json: &str) -> Option<usize> {
    unpaired(json).next()
}

/// Replaces every unpaired surrogate escape in JSON text by `\ufffd`, which has the same length, so
/// that stored text which other programs wrote can be read.
#[must_use]
pub fn replace_unpaired(json: &str) -> Cow<'_, str> {
    let mut at = unpaired(json).peekable();
    if at.peek().is_none() {
        return Cow::Borrowed(json);
    }
    let mut out = json.to_owned();
    for start in at {
        out.replace_range(start..start + ESCAPE, "\\ufffd");
    }
    Cow::Owned(out)
}

/// The bytes of one `\uXXXX`.
const ESCAPE: usize = 6;

fn unpaired(json: &str) -> impl Iterator<Item = usize> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < bytes.len() {
            // A backslash outside a string is a syntax error, which the parser reports.
            if bytes.get(at) != Some(&b'\\') {
                at += 1;
                continue;
            }
            let start = at;
            match code_unit(bytes, at) {
                Some(0xD800..=0xDBFF) => {
                    at += ESCAPE;
                    if let Some(0xDC00..=0xDFFF) = code_unit(bytes, at) {
                        at += ESCAPE;
                    } else {
                        return Some(start);
                    }
                }
                Some(0xDC00..=0xDFFF) => {
                    at += ESCAPE;
                    return Some(start);
                }
                Some(_) => at += ESCAPE,
                None => at += 2,
            }
        }
        None
    })
}

/// The code unit of the `\uXXXX` escape at `at`, if one stands there.
fn code_unit(bytes: &[u8], at: usize) -> Option<u32> {
    let escape = bytes.get(at..at + ESCAPE)?;
    let hex = escape.strip_prefix(b"\\u")?;
    if !hex.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    u32::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::{first_unpaired, replace_unpaired};

    #[test]
    fn pairs_and_escaped_backslashes_are_left_alone() {
        for fine in [r#""\ud83d\ude00""#, r#""\\ud800""#, r#""a""#, r#""\u00e9""#] {
            assert_eq!(first_unpaired(fine), None, "{fine}");
            assert_eq!(replace_unpaired(fine), fine);
        }
    }

    #[test]
    fn high_low_and_swapped_halves_are_found() {
        assert_eq!(first_unpaired(r#""a\ud800b""#), Some(2));
        assert_eq!(first_unpaired(r#""\udc00""#), Some(1));
        assert_eq!(replace_unpaired(r#""\ude00\ud83d""#), r#""\ufffd\ufffd""#);
        assert_eq!(replace_unpaired(r#""\ud83d\ud83d\ude00""#), r#""\ufffd\ud83d\ude00""#);
        assert_eq!(replace_unpaired(r#""\\\uDBFF""#), r#""\\\ufffd""#);
    }
}
