//! Where a value ends that no quote encloses.

use std::ops::Range;

/// The most bytes of an unquoted value that a check looks at, so that a text of many keys costs no
/// more than its length.
pub(super) const MAX_CHECKED: usize = 256;

/// The end of an unquoted value: at white space, a quote, `,` or `;`, or at the `&` before the
/// next parameter of a query. Looks at no more than `most` bytes.
pub(super) fn end(shadow: &[u8], start: usize, most: usize) -> usize {
    let rest = shadow.get(start..).unwrap_or_default();
    let mut length = 0;
    while let Some(byte) = rest.get(length)
        && length < most
    {
        let ends = match byte {
            b' ' | b'"' | b'\'' | b'`' | b',' | b';' => true,
            b'&' => starts_parameter(rest.get(length + 1..).unwrap_or_default()),
            _ => false,
        };
        if ends {
            break;
        }
        length += 1;
    }
    start + length
}

/// Takes closing brackets that the value did not open, and the end of a sentence, off a value.
pub(super) fn trim(shadow: &[u8], value: Range<usize>) -> Range<usize> {
    let Range { start, mut end } = value;
    while let Some((last, before)) = shadow.get(start..end).and_then(|value| value.split_last()) {
        let opener = match last {
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            b'>' => b'<',
            b'.' | b'!' | b'?' | b':' | b'\\' => 0,
            _ => break,
        };
        if opener != 0 && before.contains(&opener) {
            break;
        }
        end -= 1;
    }
    start..end
}

/// Whether a query goes on here: nothing, another `&`, or `name=`.
fn starts_parameter(rest: &[u8]) -> bool {
    let name = rest
        .iter()
        .take(MAX_CHECKED)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.'))
        .count();
    match rest.get(name) {
        Some(b'=') => name > 0,
        Some(b'&' | b' ') | None => name == 0,
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{end, trim};

    #[test]
    fn values_end_where_the_next_thing_starts() {
        let ended = |text: &str| text.get(..end(text.as_bytes(), 0, text.len())).map(str::to_owned);
        assert_eq!(ended("abc&def x").as_deref(), Some("abc&def"));
        assert_eq!(ended("abc&x=1").as_deref(), Some("abc"));
        assert_eq!(ended("abc;d").as_deref(), Some("abc"));
        let trimmed =
            |text: &str| text.get(trim(text.as_bytes(), 0..text.len())).map(str::to_owned);
        assert_eq!(trimmed("abc).").as_deref(), Some("abc"));
        assert_eq!(trimmed("[redacted]").as_deref(), Some("[redacted]"));
        assert_eq!(trimmed("f(x)").as_deref(), Some("f(x)"));
    }
}
