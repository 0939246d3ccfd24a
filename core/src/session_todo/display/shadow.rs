//! Stage 2: the shadow, an ASCII reading of the text, one byte a character. It is only for
//! finding: the text keeps its author's characters.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization;

/// Stands for a character without an ASCII reading.
const OTHER: u8 = 0x80;

/// The shadow of one text.
#[derive(Debug)]
pub(super) struct Shadow {
    bytes: Vec<u8>,
    /// Where each character starts in the text, and its end; empty for ASCII text, whose
    /// characters are its bytes.
    starts: Vec<usize>,
}

impl Shadow {
    /// Reads `text`.
    pub(super) fn of(text: &str) -> Self {
        if text.is_ascii() {
            return Self { bytes: text.as_bytes().to_vec(), starts: Vec::new() };
        }
        let bytes = text.chars().map(ascii_reading).collect();
        let mut starts: Vec<usize> = text.char_indices().map(|(start, _)| start).collect();
        starts.push(text.len());
        Self { bytes, starts }
    }

    /// One byte a character.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The byte range of the text under a range of characters.
    pub(super) fn span(&self, characters: Range<usize>) -> Range<usize> {
        self.start(characters.start)..self.start(characters.end)
    }

    /// The character of `text` at a character index.
    pub(super) fn char_at(&self, text: &str, index: usize) -> Option<char> {
        text.get(self.start(index)..)?.chars().next()
    }

    fn start(&self, index: usize) -> usize {
        if self.starts.is_empty() {
            return index.min(self.bytes.len());
        }
        self.starts.get(index).or(self.starts.last()).copied().unwrap_or_default()
    }
}

/// What a character looks like among the ASCII characters that tags and credentials are made of.
fn ascii_reading(c: char) -> u8 {
    match c {
        '\0'..='\u{7f}' => ascii(c),
        // A value ends at fullwidth and ideographic punctuation.
        '，' | '．' | '；' | '、' | '。' | '｡' | '､' | '﹐' | '﹑' | '﹔' | '،' | '؛' => {
            b','
        }
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).map_or(OTHER, ascii),
        '‹' | '〈' | '⟨' | '≺' | '❮' | '❰' | '❬' | '⧼' | '˂' | 'ᐸ' | '𝈶' => {
            b'<'
        }
        '›' | '〉' | '⟩' | '﹥' | '≻' | '❯' | '❱' | '❭' | '⧽' | '˃' | 'ᐳ' | '𝈷' => {
            b'>'
        }
        '⁄' | '∕' | '⧸' | '╱' | '⟋' | '𝈺' => b'/',
        '‐' | '‑' | '‒' | '–' | '—' | '―' | '−' | '﹣' | '﹘' | '⁃' | '˗' | '➖' | '⸺' => {
            b'-'
        }
        '‘' | '’' | '‚' | '‛' | '′' => b'\'',
        '“' | '”' | '„' | '‟' | '″' => b'"',
        '﹕' | '꞉' | '∶' | 'ː' | '˸' | '։' => b':',
        '﹦' | '꞊' | '᐀' => b'=',
        '﹏' | '‿' => b'_',
        'ѕ' | 'ꜱ' => b's',
        'Ѕ' => b'S',
        'е' | 'ε' | 'ё' => b'e',
        'Е' | 'Ε' => b'E',
        'і' | 'ι' | 'ı' | 'ɩ' => b'i',
        'І' | 'Ι' => b'I',
        'о' | 'ο' | 'օ' | 'σ' => b'o',
        'О' | 'Ο' => b'O',
        'ո' | 'п' | 'η' | 'ɴ' => b'n',
        'Ν' => b'N',
        'т' | 'τ' | 'ᴛ' => b't',
        'Т' | 'Τ' => b'T',
        'ԁ' | 'ɗ' => b'd',
        'а' | 'α' => b'a',
        'А' | 'Α' => b'A',
        'р' | 'ρ' => b'p',
        'Р' | 'Ρ' => b'P',
        'с' | 'ϲ' => b'c',
        'С' | 'Ϲ' => b'C',
        'у' | 'γ' => b'y',
        'к' | 'κ' => b'k',
        'К' | 'Κ' => b'K',
        'ԝ' => b'w',
        '\u{2100}'..='\u{214f}' | '\u{1d400}'..='\u{1d7ff}' => compatibility_reading(c),
        _ => OTHER,
    }
}

/// The ASCII character that a letterlike symbol or mathematical alphanumeric stands for.
fn compatibility_reading(c: char) -> u8 {
    let mut plain = std::iter::once(c).nfkc();
    match (plain.next(), plain.next()) {
        (Some(c), None) if c.is_ascii() => ascii(c),
        (Some(c), None) if u32::from(c) < 0x2100 => ascii_reading(c),
        _ => OTHER,
    }
}

fn ascii(c: char) -> u8 {
    u8::try_from(c).unwrap_or(OTHER)
}

#[cfg(test)]
mod tests {
    use super::Shadow;

    fn reading(text: &str) -> Vec<u8> {
        Shadow::of(text).bytes().to_vec()
    }

    #[test]
    fn lookalikes_read_as_what_they_look_like() {
        assert_eq!(reading("＜ѕеѕѕіоп‑tоԁо＞"), b"<session-todo>");
        assert_eq!(reading("𝐭𝗼𝕜ℯ𝚗：“ａ”"), b"token:\"a\"");
        assert_eq!(reading("密码é"), [0x80, 0x80, 0x80]);
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "密a码";
        let shadow = Shadow::of(text);
        assert_eq!(text.get(shadow.span(1..2)), Some("a"));
        assert_eq!(text.get(shadow.span(1..3)), Some("a码"));
        assert_eq!(shadow.char_at(text, 2), Some('码'));
        assert_eq!(shadow.char_at(text, 3), None);
    }
}
