//! The one normalization of stored text: NFC, white space collapsed, trimmed.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// ECMAScript white space, which the contract's reference uses: U+FEFF is in it, U+0085 is not.
fn is_ecmascript_space(c: char) -> bool {
    matches!(
        c,
        '\t'..='\r'
            | ' '
            | '\u{a0}'
            | '\u{1680}'
            | '\u{2000}'..='\u{200a}'
            | '\u{2028}'
            | '\u{2029}'
            | '\u{202f}'
            | '\u{205f}'
            | '\u{3000}'
            | '\u{feff}'
    )
}

/// Brings text into the form in which it is stored: NFC, every run of ECMAScript white space one
/// space, no space at the ends. Idempotent; borrows where nothing changes.
#[must_use]
pub fn normalize(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let composed: Cow<'_, str> = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        IsNormalized::No | IsNormalized::Maybe => Cow::Owned(text.nfc().collect()),
    };
    let mut out = String::with_capacity(composed.len());
    let words = composed.split(is_ecmascript_space).filter(|word| !word.is_empty());
    for word in words {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    Cow::Owned(out)
}

/// Whether `text` is ASCII with nothing to collapse: the common case, decided in one pass.
fn is_plain(text: &str) -> bool {
    let mut previous_space = true;
    for byte in text.bytes() {
        let space = byte == b' ';
        if byte >= 0x80 || (b'\t'..=b'\r').contains(&byte) || (space && previous_space) {
            return false;
        }
        previous_space = space;
    }
    !previous_space || text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::normalize;
    use proptest::prelude::*;
    use unicode_normalization::is_nfc;

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(normalize("fix the parser"), std::borrow::Cow::Borrowed(_)));
        assert_eq!(normalize(""), "");
    }

    proptest! {
        #[test]
        fn normalizing_twice_changes_nothing_more(text in "[ \\t\\u{a0}\\u{feff}\\u{85}a-ze\\u{301}\\u{1100}\\u{1161}\\u{2000}]{0,40}|\\PC{0,40}") {
            let once = normalize(&text).into_owned();
            prop_assert_eq!(normalize(&once), once.as_str());
            prop_assert!(is_nfc(&once));
            prop_assert!(!once.contains("  ") && once.trim_matches(' ') == once);
        }
    }
}
