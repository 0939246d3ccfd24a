//! Stage 2: the shadow, an ASCII reading of the text, one byte a character. It is only for
//! finding: the text keeps its author's characters.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Stands for a character without an ASCII reading.
pub(super) const OTHER: u8 = 0x80;

/// Reads `text`, one byte a character. ASCII text is its own shadow.
pub(super) fn shadow(text: &str) -> Cow<'_, [u8]> {
    if text.is_ascii() {
        Cow::Borrowed(text.as_bytes())
    } else {
        Cow::Owned(text.chars().map(ascii_reading).collect())
    }
}

/// Replaces ranges of characters, which are in order and apart, in one walk over `text`.
pub(super) fn replace<'a>(
    text: &str,
    edits: impl IntoIterator<Item = (Range<usize>, &'a str)>,
) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    let (mut at, mut start, mut copied) = (0, 0, 0);
    let mut start_of = |index: usize| {
        while at < index {
            start += characters.next().map_or(0, char::len_utf8);
            at += 1;
        }
        start
    };
    for (range, new) in edits {
        let start = start_of(range.start);
        out.push_str(text.get(copied..start).unwrap_or_default());
        out.push_str(new);
        copied = start_of(range.end);
    }
    out.push_str(text.get(copied..).unwrap_or_default());
    out
}

/// What a character looks like among the ASCII characters that tags and credentials are made of.
fn ascii_reading(c: char) -> u8 {
    match u8::try_from(c) {
        Ok(ascii @ 0..=0x7f) => ascii,
        _ if is_ideograph(c) => OTHER,
        _ => sign(c).or_else(|| twin_letter(c)).or_else(|| compatible(c)).unwrap_or(OTHER),
    }
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

/// Signs that look or serve like ASCII ones, from the confusables of UTS #39 and our own eyes.
const fn sign(c: char) -> Option<u8> {
    Some(match c {
        // Commas and stops of Chinese and Japanese text: a value ends at each.
        '，' | '．' | '；' | '、' | '。' | '､' | '｡' | '︐' | '︑' | '︒' | '﹐' | '﹑' | '﹒'
        | '﹔' => b',',
        '‹' | '〈' | '⟨' | '❬' | '❮' | '❰' | '˂' | 'ᐸ' | '⧼' | '≺' | '≮' | '𝈶' | '⟪' | '«'
        | '《' | '⦑' | '⋖' | '﹤' | '︿' | 'ᚲ' => b'<',
        '›' | '〉' | '⟩' | '❭' | '❯' | '❱' | '˃' | 'ᐳ' | '⧽' | '≻' | '≯' | '𝈷' | '⟫' | '»'
        | '》' | '⦒' | '⋗' | '﹥' | '﹀' => b'>',
        '⁄' | '∕' | '⧸' | '╱' | '⟋' | '᜵' | '⁁' => b'/',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹘' | '﹣' | '˗' | '⁃' | '۔' | '➖' | '⸺' => {
            b'-'
        }
        '‗' | '﹍' | '﹎' | '﹏' => b'_',
        '‘' | '’' | '‚' | '‛' | '′' | '＇' | 'ʼ' | 'ʹ' => b'\'',
        '“' | '”' | '„' | '‟' | '″' | '「' | '」' | '『' | '』' | '〝' | '〞' => {
            b'"'
        }
        '：' | '﹕' | '꞉' | '∶' | 'ː' | '˸' | '׃' | '܃' | '܄' | '։' => b':',
        '꞊' | '᐀' | '﹦' | '═' => b'=',
        '∣' | 'ǀ' | '│' | '￨' | '❘' => b'|',
        '…' => b'.',
        '•' | '∗' | '●' | '∙' | '⁎' => b'*',
        _ => return None,
    })
}

/// Letters of other scripts that look like ASCII ones.
const fn twin_letter(c: char) -> Option<u8> {
    Some(match c {
        'а' | 'α' | 'ɑ' => b'a',
        'с' | 'ϲ' => b'c',
        'ԁ' => b'd',
        'е' | 'ҽ' => b'e',
        'ɡ' => b'g',
        'һ' => b'h',
        'і' | 'ι' | 'ı' | 'ɩ' => b'i',
        'ј' | 'ϳ' => b'j',
        'к' | 'κ' => b'k',
        'ӏ' => b'l',
        'м' => b'm',
        'п' | 'η' | 'ո' => b'n',
        'о' | 'ο' | 'օ' => b'o',
        'р' | 'ρ' => b'p',
        'ԛ' => b'q',
        'ѕ' => b's',
        'т' | 'τ' => b't',
        'υ' => b'u',
        'ν' | 'ѵ' => b'v',
        'ԝ' | 'ѡ' => b'w',
        'х' | 'χ' => b'x',
        'у' => b'y',
        'А' | 'Α' => b'A',
        'В' | 'Β' => b'B',
        'С' | 'Ϲ' => b'C',
        'Е' | 'Ε' => b'E',
        'Н' | 'Η' => b'H',
        'І' | 'Ι' => b'I',
        'Ј' => b'J',
        'К' | 'Κ' => b'K',
        'М' | 'Μ' => b'M',
        'Ν' => b'N',
        'О' | 'Ο' => b'O',
        'Р' | 'Ρ' => b'P',
        'Ѕ' => b'S',
        'Т' | 'Τ' => b'T',
        'Х' | 'Χ' => b'X',
        'Υ' => b'Y',
        'Ζ' => b'Z',
        _ => return None,
    })
}

/// The ASCII character to which `c` is compatible: fullwidth, mathematical, circled and the like.
fn compatible(c: char) -> Option<u8> {
    if !may_be_compatible(c) {
        return None;
    }
    let mut folded = std::iter::once(c).nfkc();
    match (folded.next(), folded.next()) {
        (Some(one), None) => u8::try_from(one).ok().filter(|b| b.is_ascii_graphic()),
        _ => None,
    }
}

/// The blocks that hold all characters with an ASCII compatibility form.
const fn may_be_compatible(c: char) -> bool {
    matches!(c,
        'ª' | '²' | '³' | '¹' | 'º' | 'ſ'
        | '\u{2b0}'..='\u{2e4}' | '\u{340}'..='\u{387}'
        | '\u{1d2c}'..='\u{1dbf}'
        | '\u{1fb0}'..='\u{218f}'
        | '\u{2260}'..='\u{22ff}'
        | '\u{2460}'..='\u{24ff}'
        | '\u{2c7c}'..='\u{2c7d}' | '\u{a69c}'..='\u{a7ff}' | '\u{ab5c}'..='\u{ab69}'
        | '\u{fb00}'..='\u{fb4f}' | '\u{fe10}'..='\u{fe6f}' | '\u{ff00}'..='\u{ffef}'
        | '\u{10780}'..='\u{107bf}' | '\u{1ccd6}'..='\u{1ccf9}'
        | '\u{1d400}'..='\u{1d7ff}'
        | '\u{1e030}'..='\u{1e08f}' | '\u{1f100}'..='\u{1f2ff}' | '\u{1fbf0}'..='\u{1fbf9}'
    )
}

#[cfg(test)]
mod tests {
    use super::{OTHER, ascii_reading, may_be_compatible, replace, shadow};
    use unicode_normalization::UnicodeNormalization;

    fn reading(text: &str) -> Vec<u8> {
        shadow(text).into_owned()
    }

    #[test]
    fn lookalikes_read_as_what_they_look_like() {
        assert_eq!(reading("＜ѕеѕѕіоп‑tоԁо＞"), b"<session-todo>");
        assert_eq!(reading("𝐭𝗼𝕜ℯ𝚗：“ａ”"), b"token:\"a\"");
        assert_eq!(reading("Ａ𝐱𝟗ⓖﬁ‹⁄–：，「」≮"), b"Ax9g\x80</-:,\"\"<");
        assert_eq!(reading("密码é"), [0x80, 0x80, 0x80]);
    }

    #[test]
    fn ranges_of_characters_are_replaced() {
        assert_eq!(replace("密a码é", [(1..2, "x"), (3..4, "yz")]), "密x码yz");
        assert_eq!(replace("密a码é", [(0..1, "x"), (1..2, "yz")]), "xyz码é");
        assert_eq!(replace("密a码", [(0..3, "")]), "");
        assert_eq!(replace("密a", []), "密a");
    }

    #[test]
    fn no_character_with_an_ascii_form_is_outside_the_blocks_looked_at() {
        let outside = ('\u{80}'..=char::MAX).filter(|c| !may_be_compatible(*c));
        for c in outside {
            let folded: Vec<char> = std::iter::once(c).nfkc().collect();
            assert!(!matches!(folded.as_slice(), [one] if one.is_ascii_graphic()), "{c:?}");
        }
    }

    #[test]
    fn every_reading_is_a_visible_ascii_byte_or_none() {
        for c in ('\u{80}'..=char::MAX).filter(|c| ascii_reading(*c) != OTHER) {
            assert!(ascii_reading(c).is_ascii_graphic(), "{c:?}");
        }
    }
}
