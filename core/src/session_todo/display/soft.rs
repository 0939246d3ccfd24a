//! Characters that are invisible by themselves and stay only where their context needs them.

use super::class::{Class, classify};
use super::class::{
    combining_class, is_emoji, is_emoji_modifier, is_joiner_letter, is_mark, is_mongolian,
    is_pictographic,
};

const ZWJ: char = '\u{200d}';
const EMOJI_PRESENTATION: char = '\u{fe0f}';
const KEYCAP: char = '\u{20e3}';
const VIRAMA_CLASS: u8 = 9;
const BLACK_FLAG: char = '\u{1f3f4}';
/// The three subdivision flags that are recommended for interchange: England, Scotland, Wales.
const FLAGS: [&str; 3] = [
    "\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    "\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}",
];

/// What was seen since the last base. It is the base and the set of its marks that decide, never
/// the neighbouring mark: NFC may reorder marks.
#[derive(Debug, Default, Clone, Copy)]
struct Base {
    letter: Option<char>,
    virama: bool,
    joined: bool,
    varied: bool,
    /// Whether the base after this one is a letter that joins; asked once a base, so that a flood of
    /// joiners costs no more than its length.
    next_joins: Option<bool>,
}

/// Drops every soft character out of its context.
pub(super) fn keep_in_context(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut base = Base::default();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
        if classify(c) == Class::Soft {
            if keeps(c, &mut base, &out, rest) {
                out.push(c);
            }
            continue;
        }
        out.push(c);
        if is_mark(c) {
            base.virama |= combining_class(c) == VIRAMA_CLASS;
        } else {
            base = Base { letter: Some(c), ..Base::default() };
        }
        if c == BLACK_FLAG
            && let Some(flag) = FLAGS.iter().find(|flag| rest.starts_with(**flag))
        {
            out.push_str(flag);
            rest = rest.get(flag.len()..).unwrap_or_default();
        }
    }
    out
}

fn keeps(c: char, base: &mut Base, before: &str, after: &str) -> bool {
    match c {
        '\u{200c}' | ZWJ => {
            if c == ZWJ && joins_emoji(before, after) {
                return true;
            }
            let keeps = !base.joined && joins_letters(base, after);
            base.joined |= keeps;
            keeps
        }
        '\u{fe0e}' | EMOJI_PRESENTATION => varies_emoji(c, before, after),
        '\u{180b}'..='\u{180f}' => {
            let keeps = !base.varied && base.letter.is_some_and(is_mongolian);
            base.varied |= keeps;
            keeps
        }
        // Tag characters stay only behind a black flag, as a whole flag.
        _ => false,
    }
}

fn joins_emoji(before: &str, after: &str) -> bool {
    let mut before = before.chars().rev();
    let mut previous = before.next();
    if previous == Some(EMOJI_PRESENTATION) {
        previous = before.next();
    }
    previous.is_some_and(|c| is_pictographic(c) || is_emoji_modifier(c))
        && after.chars().next().is_some_and(is_pictographic)
}

fn joins_letters(base: &mut Base, after: &str) -> bool {
    base.letter.is_some_and(is_joiner_letter)
        && (base.virama
            || *base.next_joins.get_or_insert_with(|| {
                let next = after.chars().find(|c| classify(*c) != Class::Soft && !is_mark(*c));
                next.is_some_and(is_joiner_letter)
            }))
}

fn varies_emoji(c: char, before: &str, after: &str) -> bool {
    match before.chars().next_back() {
        Some('#' | '*' | '0'..='9') => c == EMOJI_PRESENTATION && after.starts_with(KEYCAP),
        Some(previous) => is_emoji(previous),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::keep_in_context;

    fn keeps(text: &str) {
        assert_eq!(keep_in_context(text), text, "{}", text.escape_unicode());
    }

    fn drops(text: &str, left: &str) {
        assert_eq!(keep_in_context(text), left, "{}", text.escape_unicode());
    }

    #[test]
    fn emoji_keep_what_shapes_them() {
        keeps("👨\u{200d}👩\u{200d}👧");
        keeps("🏳\u{fe0f}\u{200d}🌈");
        keeps("👍🏽\u{200d}🔥");
        keeps("1\u{fe0f}\u{20e3}");
        keeps("🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}");
        drops("1\u{fe0f}2", "12");
        drops("1\u{fe0e}\u{20e3}", "1\u{20e3}");
        drops("❤\u{fe0f}\u{fe0f}", "❤\u{fe0f}");
        drops("🏴\u{e0067}\u{e007f}", "🏴");
        drops("a\u{200d}b", "ab");
        drops("👨\u{200d}\u{200d}👩", "👨\u{200d}👩");
    }

    #[test]
    fn languages_keep_the_joiners_that_spell_them() {
        keeps("می\u{200c}خواهم");
        keeps("क\u{94d}\u{200d}ष");
        keeps("क\u{94d}\u{200c} ");
        keeps("ශ\u{dca}\u{200d}රී");
        keeps("\u{1820}\u{180b}");
        drops("م\u{200c}\u{200c}\u{200d}خ", "م\u{200c}خ");
        drops("م\u{200c} x", "م x");
        drops("\u{1820}\u{180b}\u{180c}", "\u{1820}\u{180b}");
        drops("a\u{180b}", "a");
    }
}
