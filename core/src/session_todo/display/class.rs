//! What the cleaning stage does with each character.

use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier, ExtendedPictographic,
    GeneralCategory, PrependedConcatenationMark, Script, WhiteSpace,
};
use icu_properties::{CodePointMapData, CodePointSetData};

/// What becomes of a character.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// It stays.
    Keep,
    /// It becomes a space.
    Space,
    /// It goes, and its neighbours join: a split credential becomes whole before detection.
    Drop,
    /// It becomes U+FFFD, so that something opaque stays visible.
    Replace,
    /// It stays only where its context needs it.
    Soft,
}

/// Classifies one character. The category, which one lookup tells, leaves few questions open.
pub(super) fn classify(c: char) -> Class {
    if is_plain(c) {
        return Class::Keep;
    }
    match c {
        // A Braille blank and a null notehead: nothing of them shows.
        '\u{2800}' | '\u{1d159}' => return Class::Space,
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{180b}'..='\u{180f}' => {
            return Class::Soft;
        }
        '\u{e0020}'..='\u{e007f}' => return Class::Soft,
        '\u{fffc}' => return Class::Replace,
        _ => {}
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let is = |categories: &[GeneralCategory]| categories.contains(&category);
    if is(&[
        GeneralCategory::SpaceSeparator,
        GeneralCategory::LineSeparator,
        GeneralCategory::ParagraphSeparator,
    ]) {
        Class::Space
    } else if category == GeneralCategory::Control {
        if is_white_space(c) { Class::Space } else { Class::Drop }
    } else if category == GeneralCategory::Format {
        // The Syriac abbreviation mark shows nothing by itself.
        if is_prepended(c) && c != '\u{70f}' { Class::Keep } else { Class::Drop }
    } else if category == GeneralCategory::PrivateUse || is_noncharacter(c) {
        Class::Replace
    } else if is(&[
        GeneralCategory::Unassigned,
        GeneralCategory::NonspacingMark,
        GeneralCategory::OtherLetter,
    ]) && is_ignorable(c)
    {
        Class::Drop
    } else {
        // Unassigned characters stay: new emoji must not rot with old tables.
        Class::Keep
    }
}

fn is_white_space(c: char) -> bool {
    CodePointSetData::new::<WhiteSpace>().contains(c)
}

fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Fixed for ever by the Unicode stability policy.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

fn is_prepended(c: char) -> bool {
    CodePointSetData::new::<PrependedConcatenationMark>().contains(c)
}

/// Whether the character is of a common block of which cleaning changes nothing: each is visible,
/// no mark, and composes with none of the others.
pub(super) const fn is_plain(c: char) -> bool {
    matches!(
        c,
        '!'..='~'
            | '\u{a1}'..='\u{ac}'
            | '\u{ae}'..='\u{2ff}'
            | '\u{391}'..='\u{3a1}'
            | '\u{3a3}'..='\u{482}'
            | '\u{48a}'..='\u{52f}'
            | '\u{5d0}'..='\u{5ea}'
            | '\u{620}'..='\u{64a}'
            | '\u{671}'..='\u{6d3}'
            | '\u{904}'..='\u{939}'
            | '\u{e01}'..='\u{e30}'
            | '\u{e40}'..='\u{e46}'
            | '\u{1ea0}'..='\u{1ef9}'
            | '\u{2010}'..='\u{2027}'
            | '\u{2030}'..='\u{205e}'
            | '\u{2190}'..='\u{2328}'
            | '\u{2500}'..='\u{27ff}'
            | '\u{3001}'..='\u{3029}'
            | '\u{3041}'..='\u{3096}'
            | '\u{309b}'..='\u{30ff}'
            | '\u{3400}'..='\u{4dbf}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff01}'..='\u{ff9d}'
    )
}

/// Whether the character attaches to the one before it.
pub(super) fn is_mark(c: char) -> bool {
    !is_plain(c) && is_mark_by_category(c)
}

fn is_mark_by_category(c: char) -> bool {
    matches!(
        CodePointMapData::<GeneralCategory>::new().get(c),
        GeneralCategory::NonspacingMark
            | GeneralCategory::SpacingMark
            | GeneralCategory::EnclosingMark
    )
}

/// The canonical combining class: 0 for most, 9 for viramas, 200 and more for accents.
pub(super) fn combining_class(c: char) -> u8 {
    CodePointMapData::<CanonicalCombiningClass>::new().get(c).0
}

/// Whether an emoji sequence may begin or go on with this character.
pub(super) fn is_pictographic(c: char) -> bool {
    CodePointSetData::new::<ExtendedPictographic>().contains(c)
}

/// Whether the character is a skin tone.
pub(super) fn is_emoji_modifier(c: char) -> bool {
    CodePointSetData::new::<EmojiModifier>().contains(c)
}

/// Whether the character has an emoji presentation or could have one.
pub(super) fn is_emoji(c: char) -> bool {
    CodePointSetData::new::<Emoji>().contains(c)
}

/// Whether the character is of a Mongolian base.
pub(super) fn is_mongolian(c: char) -> bool {
    CodePointMapData::<Script>::new().get(c) == Script::Mongolian
}

/// Whether the character is a letter of a script that spells with joiners.
pub(super) fn is_joiner_letter(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    let script = CodePointMapData::<Script>::new().get(c);
    JOINER_SCRIPTS.contains(&script)
        && matches!(
            CodePointMapData::<GeneralCategory>::new().get(c),
            GeneralCategory::OtherLetter
                | GeneralCategory::LowercaseLetter
                | GeneralCategory::UppercaseLetter
                | GeneralCategory::ModifierLetter
                | GeneralCategory::TitlecaseLetter
        )
}

/// Scripts in which ZWJ and ZWNJ change what a reader sees.
const JOINER_SCRIPTS: [Script; 20] = [
    Script::Arabic,
    Script::Syriac,
    Script::Mandaic,
    Script::Nko,
    Script::Mongolian,
    Script::Adlam,
    Script::HanifiRohingya,
    Script::Thaana,
    Script::Devanagari,
    Script::Bengali,
    Script::Gurmukhi,
    Script::Gujarati,
    Script::Oriya,
    Script::Tamil,
    Script::Telugu,
    Script::Kannada,
    Script::Malayalam,
    Script::Sinhala,
    Script::Khmer,
    Script::Myanmar,
];

#[cfg(test)]
mod tests {
    use super::{
        Class, classify, combining_class, is_ignorable, is_mark, is_mark_by_category, is_plain,
        is_prepended, is_white_space,
    };
    use icu_properties::props::{GeneralCategory, NoncharacterCodePoint};
    use icu_properties::{CodePointMapData, CodePointSetData};
    use unicode_normalization::{IsNormalized, is_nfc_quick};

    /// The rules as they are meant, one property after the other.
    fn by_property(c: char) -> Class {
        let category = CodePointMapData::<GeneralCategory>::new().get(c);
        match c {
            '\u{200c}'
            | '\u{200d}'
            | '\u{fe0e}'
            | '\u{fe0f}'
            | '\u{180b}'..='\u{180f}'
            | '\u{e0020}'..='\u{e007f}' => Class::Soft,
            '\u{2800}' | '\u{1d159}' => Class::Space,
            '\u{fffc}' => Class::Replace,
            '\u{70f}' => Class::Drop,
            _ if is_white_space(c) => Class::Space,
            _ if is_ignorable(c) || category == GeneralCategory::Control => Class::Drop,
            _ if category == GeneralCategory::Format && !is_prepended(c) => Class::Drop,
            _ if category == GeneralCategory::PrivateUse => Class::Replace,
            _ if CodePointSetData::new::<NoncharacterCodePoint>().contains(c) => Class::Replace,
            _ => Class::Keep,
        }
    }

    #[test]
    fn the_category_leads_to_what_the_properties_say() {
        for c in '\0'..=char::MAX {
            assert_eq!(classify(c), by_property(c), "U+{:04X}", u32::from(c));
        }
    }

    #[test]
    fn plain_characters_stay_compose_with_nothing_and_are_no_marks() {
        let mut plain = 0;
        for c in ('\0'..=char::MAX).filter(|c| is_plain(*c)) {
            plain += 1;
            let name = u32::from(c);
            assert_eq!(by_property(c), Class::Keep, "U+{name:04X}");
            assert!(!is_mark_by_category(c), "U+{name:04X}");
            assert_eq!(combining_class(c), 0, "U+{name:04X}");
            assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes, "U+{name:04X}");
        }
        assert!(plain > 40_000, "{plain}");
    }

    #[test]
    fn each_class_has_its_members() {
        for (c, class) in [
            ('\u{85}', Class::Space),
            ('\u{2028}', Class::Space),
            ('\u{2800}', Class::Space),
            ('\u{3000}', Class::Space),
            ('\u{7}', Class::Drop),
            ('\u{ad}', Class::Drop),
            ('\u{202e}', Class::Drop),
            ('\u{3164}', Class::Drop),
            ('\u{fff9}', Class::Drop),
            ('\u{70f}', Class::Drop),
            ('\u{e0001}', Class::Drop),
            ('\u{e0162}', Class::Drop),
            ('\u{e0ff0}', Class::Drop),
            ('\u{e0a0}', Class::Replace),
            ('\u{fdd0}', Class::Replace),
            ('\u{1ffff}', Class::Replace),
            ('\u{200d}', Class::Soft),
            ('\u{e0067}', Class::Soft),
            ('\u{600}', Class::Keep),
            ('\u{1faff}', Class::Keep),
            ('\u{301}', Class::Keep),
        ] {
            assert_eq!(classify(c), class, "U+{:04X}", u32::from(c));
        }
        assert!(is_mark('\u{301}') && is_mark('\u{903}') && is_mark('\u{20e3}') && !is_mark('a'));
    }

    /// The projection's answers follow the Unicode version of the tables, so a new one is looked at
    /// and noted here before it is taken: how many characters are of each class, and how many marks.
    #[test]
    fn the_tables_are_those_of_unicode_18() {
        assert_eq!(unicode_normalization::UNICODE_VERSION, (18, 0, 0));
        let count = |class| ('\0'..=char::MAX).filter(|c| classify(*c) == class).count();
        let marks = ('\0'..=char::MAX).filter(|c| is_mark(*c)).count();
        assert_eq!(
            (
                count(Class::Space),
                count(Class::Drop),
                count(Class::Replace),
                count(Class::Soft),
                marks
            ),
            (27, 4_148, 137_535, 105, 2_580)
        );
    }
}
