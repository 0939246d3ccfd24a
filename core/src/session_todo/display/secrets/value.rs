//! Where a value starts and ends.

use std::ops::Range;

use super::super::shadow::OTHER;

/// The most bytes of a value that a check looks at, so that a text of many keys costs no more than
/// its length.
const MAX_CHECKED: usize = 256;

/// The most bytes before the quote of a value, with it.
const BEFORE_QUOTE: usize = 4;

/// A value and how it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Value {
    /// Without quotes.
    pub(super) range: Range<usize>,
    /// The quote that opens it.
    pub(super) quoted: Option<u8>,
}

impl Value {
    /// The value at `at`, past spaces: in quotes, or up to where an unquoted one ends. An opening
    /// bracket and the letters of a string literal (`b"…"`) may stand before the quote.
    ///
    /// Only so much of a long value as a check looks at; [`Value::whole`] is all of it.
    pub(super) fn at(shadow: &[u8], at: usize) -> Self {
        let near = shadow.get(..at.saturating_add(MAX_CHECKED)).unwrap_or(shadow);
        Self::within(near, at)
    }

    fn within(shadow: &[u8], at: usize) -> Self {
        let at = skip_block_sign(shadow, skip_spaces(shadow, at));
        match opening_quote(shadow, at) {
            Some((quote, start)) => {
                Self { range: start..closing(shadow, start, quote), quoted: Some(quote) }
            }
            None => Self { range: trim(shadow, at..end(shadow, at)), quoted: None },
        }
    }

    /// The bytes that a check looks at.
    pub(super) fn checked<'a>(&self, shadow: &'a [u8]) -> &'a [u8] {
        shadow.get(self.range.clone()).unwrap_or_default()
    }

    /// The range of the whole value.
    pub(super) fn whole(&self, shadow: &[u8]) -> Range<usize> {
        let start = self.range.start;
        match self.quoted {
            _ if self.range.len() + BEFORE_QUOTE + 2 < MAX_CHECKED => self.range.clone(),
            Some(quote) => start..closing(shadow, start, quote),
            None => trim(shadow, start..end(shadow, start)),
        }
    }
}

/// Past the sign of a YAML block, whose lines are one line here.
fn skip_block_sign(shadow: &[u8], at: usize) -> usize {
    match shadow.get(at..) {
        Some([b'|' | b'>', b' ', ..]) => at + 2,
        Some([b'|' | b'>', b'-' | b'+', b' ', ..]) => at + 3,
        _ => at,
    }
}

pub(super) fn skip_spaces(shadow: &[u8], at: usize) -> usize {
    at + usize::from(shadow.get(at) == Some(&b' '))
}

pub(super) const fn is_quote(byte: u8) -> bool {
    matches!(byte, b'"' | b'\'' | b'`')
}

/// The quote that opens a value at `at`, and where the value starts behind it.
fn opening_quote(shadow: &[u8], at: usize) -> Option<(u8, usize)> {
    for (offset, byte) in shadow.get(at..)?.iter().take(BEFORE_QUOTE).enumerate() {
        match byte {
            quote if is_quote(*quote) => return Some((*quote, at + offset + 1)),
            b'[' | b'(' | b'{' | b'\\' | b'@' => {}
            b'b' | b'B' | b'r' | b'R' | b'f' | b'F' | b'u' | b'U' | b'L' => {}
            _ => return None,
        }
    }
    None
}

/// Where the quote closes again; without an end the value goes on to the end of the text, since
/// items may be cut.
fn closing(shadow: &[u8], start: usize, quote: u8) -> usize {
    let escaped = start >= 2 && shadow.get(start - 2) == Some(&b'\\');
    let rest = shadow.get(start..).unwrap_or_default();
    let mut at = 0;
    while let Some(byte) = rest.get(at) {
        match byte {
            b'\\' if escaped && rest.get(at + 1) == Some(&quote) => break,
            b'\\' => at += 2,
            byte if *byte == quote => break,
            _ => at += 1,
        }
    }
    start + at.min(rest.len())
}

/// The end of an unquoted value: at white space, a quote, `,`, `;` or a closing tag, or at the `&`
/// before the next parameter of a query.
fn end(shadow: &[u8], start: usize) -> usize {
    let rest = shadow.get(start..).unwrap_or_default();
    let ends = |at: usize, byte: u8| match byte {
        b' ' | b'"' | b'\'' | b'`' | b',' | b';' => true,
        b'&' => starts_parameter(rest.get(at + 1..).unwrap_or_default()),
        b'<' => at > 0 && rest.get(at + 1) == Some(&b'/'),
        // The end of a clause of Chinese or Japanese, which goes on without a space.
        b')' | b']' | b'}' | b'!' | b'?' => at > 0 && rest.get(at + 1) == Some(&OTHER),
        // An escaped quote or line end, in JSON within a string.
        b'\\' => matches!(rest.get(at + 1), Some(b'"' | b'\'' | b'n')),
        _ => false,
    };
    let length = rest.iter().enumerate().position(|(at, byte)| ends(at, *byte));
    start + length.unwrap_or(rest.len())
}

/// Takes closing brackets that the value did not open, and the end of a sentence, off a value.
fn trim(shadow: &[u8], value: Range<usize>) -> Range<usize> {
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
        let recent = before.len().saturating_sub(MAX_CHECKED);
        if opener != 0 && before.get(recent..).is_some_and(|before| before.contains(&opener)) {
            break;
        }
        end -= 1;
    }
    start..end
}

/// Whether a query goes on here: nothing, another `&`, or `name=`.
fn starts_parameter(rest: &[u8]) -> bool {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    let name = rest.iter().take(MAX_CHECKED).take_while(is_name).count();
    match rest.get(name) {
        Some(b'=') => name > 0,
        Some(b'&' | b' ') | None => name == 0,
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    fn value(text: &str) -> (&str, bool) {
        let value = Value::at(text.as_bytes(), 0);
        (text.get(value.range).expect("ASCII"), value.quoted.is_some())
    }

    #[test]
    fn values_end_where_the_next_thing_starts() {
        for (text, ended) in [
            (" abc&def x", "abc&def"),
            (" |- abc", "abc"),
            ("abc&x=1", "abc"),
            ("abc;d", "abc"),
            ("abc</b>", "abc"),
            ("abc).", "abc"),
            ("[redacted]", "[redacted]"),
            ("f(x)", "f(x)"),
            ("abc\\\", 1", "abc"),
        ] {
            assert_eq!(value(text), (ended, false), "{text}");
        }
    }

    #[test]
    fn a_long_value_is_checked_in_part_and_masked_whole() {
        for text in ["x".repeat(1_000), format!("'{}' y", "x y ".repeat(250))] {
            let value = Value::at(text.as_bytes(), 0);
            assert!(value.range.len() <= super::MAX_CHECKED);
            assert_eq!(value.whole(text.as_bytes()).len(), 1_000);
        }
    }

    #[test]
    fn quotes_enclose_what_they_close_on() {
        for (text, ended) in [
            ("'a b' c", "a b"),
            ("\"a' b\"", "a' b"),
            (r#""a\"b" c"#, r#"a\"b"#),
            (r#"\"a b\" c"#, "a b"),
            ("b'a b'", "a b"),
            ("[\"a\"]", "a"),
            ("'a b", "a b"),
            ("''", ""),
        ] {
            assert_eq!(value(text), (ended, true), "{text}");
        }
    }
}
