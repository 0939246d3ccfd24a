//! What the cleaning stage does with each character.

use icu_properties::props::{
    CanonicalCombiningClass, DefaultIgnorableCodePoint, Emoji, EmojiModifier, ExtendedPictographic,
    GeneralCategory, NoncharacterCodePoint, PrependedConcatenationMark, Script, WhiteSpace,
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

/// Classifies one character.
pub(super) fn classify(c: char) -> Class {
    if is_plain(c) {
        return Class::Keep;
    }
    match c {
        '\u{2800}' | '\u{1d159}' => return Class::Space,
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{180b}'..='\u{180f}' => {
            return Class::Soft;
        }
        '\u{e0020}'..='\u{e007f}' => return Class::Soft,
        '\u{70f}' => return Class::Drop,
        '\u{fffc}' => return Class::Replace,
        _ => {}
    }
    if CodePointSetData::new::<WhiteSpace>().contains(c) {
        return Class::Space;
    }
    if CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c) {
        return Class::Drop;
    }
    let category = CodePointMapData::<GeneralCategory>::new().get(c);
    let goes = category == GeneralCategory::Control
        || (category == GeneralCategory::Format
            && !CodePointSetData::new::<PrependedConcatenationMark>().contains(c));
    let is_opaque = category == GeneralCategory::PrivateUse
        || CodePointSetData::new::<NoncharacterCodePoint>().contains(c);
    match (goes, is_opaque) {
        (true, _) => Class::Drop,
        (false, true) => Class::Replace,
        // Unassigned characters stay: new emoji must not rot with old tables.
        (false, false) => Class::Keep,
    }
}

/// Whether the character is of the commonest blocks, where no table need be asked: each is visible,
/// no mark, and composes with none of the others.
pub(super) fn is_plain(c: char) -> bool {
    matches!(
        c,
        ' '..='~'
            | '\u{c0}'..='\u{17f}'
            | '\u{400}'..='\u{482}'
            | '\u{48a}'..='\u{52f}'
            | '\u{3041}'..='\u{3096}'
            | '\u{30a1}'..='\u{30ff}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
    ) && c != ' '
}

/// Whether the character attaches to the one before it.
pub(super) fn is_mark(c: char) -> bool {
    !is_plain(c)
        && matches!(
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
    use super::{Class, classify, is_mark, is_plain};

    #[test]
    fn the_shortcut_agrees_with_the_tables() {
        for c in ('\0'..=char::MAX).filter(|c| is_plain(*c)) {
            use icu_properties::props::{DefaultIgnorableCodePoint, GeneralCategory, WhiteSpace};
            use icu_properties::{CodePointMapData, CodePointSetData};
            assert!(!CodePointSetData::new::<WhiteSpace>().contains(c), "{c:?}");
            assert!(!CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c), "{c:?}");
            let category = CodePointMapData::<GeneralCategory>::new().get(c);
            assert!(
                !matches!(
                    category,
                    GeneralCategory::Control
                        | GeneralCategory::Format
                        | GeneralCategory::NonspacingMark
                        | GeneralCategory::SpacingMark
                        | GeneralCategory::EnclosingMark
                        | GeneralCategory::PrivateUse
                ),
                "{c:?} is {category:?}"
            );
            assert!(
                unicode_normalization::is_nfc_quick(std::iter::once(c))
                    == unicode_normalization::IsNormalized::Yes,
                "{c:?}"
            );
        }
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

    /// The projection's answers follow the tables' Unicode version: a new one is looked at before
    /// it is taken. U+1C89 came with Unicode 16 and U+20C1 with 17.
    #[test]
    fn the_tables_are_of_the_unicode_versions_that_were_looked_at() {
        use icu_properties::CodePointMapData;
        use icu_properties::props::GeneralCategory;
        let category = CodePointMapData::<GeneralCategory>::new();
        assert_eq!(category.get('\u{1c89}'), GeneralCategory::UppercaseLetter);
        assert_eq!(category.get('\u{20c1}'), GeneralCategory::CurrencySymbol);
        assert_eq!(unicode_normalization::UNICODE_VERSION.0, 18);
    }
}
