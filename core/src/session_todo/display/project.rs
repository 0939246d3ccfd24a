//! The driver: repeats the stages until they change nothing.

use std::borrow::Cow;

use super::shadow::Shadow;
use super::{clean, secrets, tags};

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
#[must_use]
pub fn project(stored: &str) -> Cow<'_, str> {
    if stored.is_empty() || is_untouched(stored) {
        return Cow::Borrowed(stored);
    }
    let mut text = once(stored);
    if text == stored {
        return Cow::Borrowed(stored);
    }
    for _ in 1..MAX_ROUNDS {
        let again = once(&text);
        if again == text {
            return Cow::Owned(text);
        }
        text = again;
    }
    if once(&text) == text { Cow::Owned(text) } else { Cow::Owned(REDACTED.to_owned()) }
}

/// Decides in cheap passes that no stage would act: the common case of plain ASCII prose.
fn is_untouched(stored: &str) -> bool {
    clean::is_clean_ascii(stored) && !stored.contains('<') && !secrets::may_act(stored.as_bytes())
}

/// One round of all stages over non-empty text.
fn once(text: &str) -> String {
    let mut text = clean::clean(text);
    if text.is_empty() {
        return INVISIBLE.to_owned();
    }
    let mut shadow = Shadow::of(&text);
    if tags::swap(&mut text, &shadow) {
        shadow = Shadow::of(&text);
    }
    secrets::mask(text, &shadow)
}

#[cfg(test)]
mod tests {
    use super::{is_untouched, once, project};
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

    proptest! {
        #[test]
        fn the_fast_path_only_skips_what_no_stage_changes(text in fragments()) {
            if !text.is_empty() && is_untouched(&text) {
                prop_assert_eq!(once(&text), text);
            }
        }

        #[test]
        fn two_rounds_suffice_for_ordinary_text(text in fragments()) {
            let twice = once(&once(&text));
            prop_assert_eq!(project(&text).into_owned(), twice);
        }
    }

    #[test]
    fn plain_prose_is_borrowed() {
        let prose =
            "Fix the parser: it drops the last token of a line, see packages/core/src/lib.rs";
        assert!(matches!(project(prose), std::borrow::Cow::Borrowed(_)));
    }
}
