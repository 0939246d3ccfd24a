//! Stage 1: Unicode. Joins what was split, keeps what languages and emoji need, bounds the rest.

use std::borrow::Cow;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::class::{Class, classify, is_plain};
use super::{marks, soft};

/// Stands for what is opaque.
pub(super) const REPLACEMENT: char = '\u{fffd}';

/// Cleans text. The result is empty where nothing visible is left.
pub(super) fn clean(text: &str) -> Cow<'_, str> {
    if is_clean(text) { Cow::Borrowed(text) } else { Cow::Owned(clean_fully(text)) }
}

/// Whether `text` is of plain characters with single spaces between them: what cleaning leaves
/// alone.
fn is_clean(text: &str) -> bool {
    if text.is_ascii() {
        return is_clean_ascii(text);
    }
    let mut after_space = true;
    for c in text.chars() {
        if c == ' ' && !after_space {
            after_space = true;
        } else if is_plain(c) {
            after_space = false;
        } else {
            return false;
        }
    }
    !after_space
}

fn is_clean_ascii(text: &str) -> bool {
    let mut previous = b' ';
    for byte in text.bytes() {
        if !(b' '..=b'~').contains(&byte) || (byte == b' ' && previous == b' ') {
            return false;
        }
        previous = byte;
    }
    previous != b' '
}

/// As [`clean`], without its shortcut.
pub(super) fn clean_fully(text: &str) -> String {
    let text = nfc(sift(text));
    let text = nfc_if_changed(soft::keep_in_context(&text), &text);
    // Dropping a mark may let two others compose.
    nfc_if_changed(marks::bound(&collapse(&text)), &text)
}

/// Dropping characters out of text in NFC may let others compose.
fn nfc_if_changed(text: String, before: &str) -> String {
    if text == before { text } else { nfc(text) }
}

/// Removes control sequences and applies each character's class.
fn sift(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if let Some(after) = control_sequence(c, &rest) {
            rest = after;
            continue;
        }
        match classify(c) {
            Class::Keep | Class::Soft => out.push(c),
            Class::Space => out.push(' '),
            Class::Drop => {}
            Class::Replace => out.push(REPLACEMENT),
        }
    }
    out
}

/// Where `c` opens a whole CSI sequence (ECMA-48: parameters 0x30–0x3F, one final 0x40–0x7E), the
/// text after it. Of every other sequence only the control characters go and the payload stays:
/// nothing is hidden, and a missing terminator swallows nothing.
fn control_sequence<'a>(c: char, rest: &std::str::Chars<'a>) -> Option<std::str::Chars<'a>> {
    let mut rest = rest.clone();
    match c {
        '\u{9b}' => {}
        '\u{1b}' if rest.next() == Some('[') => {}
        _ => return None,
    }
    loop {
        match rest.next()? {
            '0'..='?' => {}
            '@'..='~' => return Some(rest),
            _ => return None,
        }
    }
}

/// One space for each run of spaces, one U+FFFD for each run of them, no space at the ends.
fn collapse(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut previous = ' ';
    for c in text.chars() {
        if c != previous || (c != ' ' && c != REPLACEMENT) {
            out.push(c);
        }
        previous = c;
    }
    out.truncate(out.trim_end_matches(' ').len());
    out
}

fn nfc(text: String) -> String {
    if is_nfc(&text) { text } else { text.nfc().collect() }
}

#[cfg(test)]
mod tests {
    use super::{clean, clean_fully, is_clean};
    use proptest::prelude::*;

    #[test]
    fn control_sequences_go_whole_and_payloads_stay() {
        assert_eq!(clean("\u{1b}[1;31mred\u{1b}[0m"), "red");
        assert_eq!(clean("\u{9b}2Jgone"), "gone");
        assert_eq!(clean("\u{1b}]0;title\u{7}x"), "]0;titlex");
        assert_eq!(clean("a\u{1b}[31"), "a[31");
        assert_eq!(clean("a\u{1b}[ qb"), "a[ qb");
    }

    #[test]
    fn spaces_and_replacements_collapse() {
        assert_eq!(clean(" a \u{a0}\u{3000} b\u{85}\u{85}c "), "a b c");
        assert_eq!(clean("a\u{e000}\u{e001}b"), "a\u{fffd}b");
        assert_eq!(clean("\u{200b}\u{2060}"), "");
    }

    #[test]
    fn clean_text_is_told_by_its_spaces_and_blocks() {
        for text in ["a b", "é 中，文。 한 Я", "→ “x”"] {
            assert!(is_clean(text), "{text}");
        }
        for text in ["", " a", "a ", "a  b", "a\tb", "a\u{301}", "\u{feff}a", "a\u{a0}b"] {
            assert!(!is_clean(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn the_shortcut_takes_only_text_that_cleaning_leaves_alone(
            text in "[ a-z<é中한Яü\u{301}\u{200d}\u{feff}\u{1100}\u{3b1}]{0,12}|\\PC{0,12}"
        ) {
            prop_assert_eq!(clean(&text).into_owned(), clean_fully(&text));
        }
    }
}
