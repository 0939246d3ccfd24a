//! The driver: repeats the stages until they change nothing.

use std::borrow::Cow;

use super::{clean, secrets, shadow, tags};

/// Stands in the place of a masked credential.
pub const REDACTED: &str = "[redacted]";
/// Stands in the place of text of which nothing visible is left.
pub const INVISIBLE: &str = "[invisible]";

/// Rounds after which text that still changes is given up. Two suffice for nearly everything.
const MAX_ROUNDS: usize = 4;

/// Projects stored text for display.
///
/// The result is one line in NFC without control, bidi-control or stray invisible characters,
/// without openers of reserved tags, with credentials replaced by [`REDACTED`]; it is empty only
/// for empty input. Projecting twice gives the same as once. The result may be longer than the
/// input; a surface that truncates does so afterwards, at grapheme boundaries.
///
/// Takes time in proportion to the length, and borrows where nothing is to be changed.
#[must_use]
pub fn project(stored: &str) -> Cow<'_, str> {
    settle(stored, once)
}

/// Repeats a round until it changes nothing.
fn settle(stored: &str, round: impl Fn(&str) -> Option<String>) -> Cow<'_, str> {
    let Some(mut text) = round(stored) else { return Cow::Borrowed(stored) };
    for _ in 1..MAX_ROUNDS {
        match round(&text) {
            Some(again) => text = again,
            None => return Cow::Owned(text),
        }
    }
    Cow::Borrowed(REDACTED)
}

/// One round of all stages; `None` where none of them changes anything.
fn once(text: &str) -> Option<String> {
    let cleaned = clean::clean(text);
    if cleaned.is_empty() {
        return (!text.is_empty()).then(|| INVISIBLE.to_owned());
    }
    let changed = act(&cleaned, secrets::mask);
    changed.or_else(|| (cleaned != text).then(|| cleaned.into_owned()))
}

/// The stages after the first.
fn act(cleaned: &str, mask: fn(&str, &[u8]) -> Option<String>) -> Option<String> {
    let reading = shadow::shadow(cleaned);
    match tags::swap(cleaned, &reading) {
        None => mask(cleaned, &reading),
        Some(swapped) => {
            let reading = shadow::shadow(&swapped);
            mask(&swapped, &reading).or_else(|| Some(swapped.clone()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{INVISIBLE, REDACTED, act, clean, once, project, secrets, settle};
    use proptest::prelude::*;

    /// Pieces that stages act on, to be strewn over ordinary text.
    fn fragments() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            Just("password".to_owned()),
            Just("api_key".to_owned()),
            Just("token: ".to_owned()),
            Just("=".to_owned()),
            Just(": ".to_owned()),
            Just("\"".to_owned()),
            Just("Bearer ".to_owned()),
            Just("sk-".to_owned()),
            Just("ghp_".to_owned()),
            Just("://u:".to_owned()),
            Just("@host".to_owned()),
            Just("curl -u ".to_owned()),
            Just("<session-todo>".to_owned()),
            Just("</".to_owned()),
            Just("--token ".to_owned()),
            Just("eyJ".to_owned()),
            Just("-----BEGIN PRIVATE KEY-----".to_owned()),
            "[A-Za-z0-9]{1,50}",
            "[a-z ,.!?()-]{1,20}",
        ];
        prop::collection::vec(piece, 1..8).prop_map(|pieces| pieces.concat())
    }

    /// One round without any shortcut.
    fn once_slowly(text: &str) -> Option<String> {
        let cleaned = clean::clean_fully(text);
        if cleaned.is_empty() {
            return (!text.is_empty()).then(|| INVISIBLE.to_owned());
        }
        let acted = act(&cleaned, secrets::mask_fully).unwrap_or(cleaned);
        (acted != text).then_some(acted)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_000))]

        #[test]
        fn the_shortcuts_change_no_outcome(text in prop_oneof![
            fragments(),
            "[ -~]{0,60}",
            "[a-zA-Z0-9=:_./@ -]{0,60}",
            "\\PC{0,20}",
            "[ a-z<é中한Яü\u{301}\u{200d}\u{feff}\u{1100}\u{3b1}]{0,16}",
        ]) {
            prop_assert_eq!(project(&text), settle(&text, once_slowly));
        }

        #[test]
        fn two_rounds_suffice_for_ordinary_text(text in fragments()) {
            let first = once(&text).unwrap_or(text);
            let second = once(&first).unwrap_or(first);
            prop_assert_eq!(once(&second), None);
        }
    }

    #[test]
    fn text_that_never_settles_is_masked_whole() {
        assert_eq!(settle("a", |text| Some(format!("{text}a"))), REDACTED);
        assert_eq!(project(REDACTED), REDACTED);
        assert_eq!(project(INVISIBLE), INVISIBLE);
    }

    #[test]
    fn plain_prose_is_borrowed() {
        let prose =
            "Fix the parser: it drops the last token of a line, see packages/core/src/lib.rs";
        assert!(matches!(project(prose), std::borrow::Cow::Borrowed(_)));
    }
}
