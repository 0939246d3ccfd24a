//! What holds of the projection for every input whatever.

use icu_properties::props::{BidiControl, DefaultIgnorableCodePoint, GeneralCategory};
use icu_properties::{CodePointMapData, CodePointSetData};
use maka_core::session_todo::display::project;
use proptest::prelude::*;
use unicode_normalization::is_nfc;

/// The Default_Ignorable characters that may stay in their context.
fn may_stay(c: char) -> bool {
    matches!(
        c,
        '\u{200c}' | '\u{200d}' | '\u{fe0e}' | '\u{fe0f}' | '\u{180b}'..='\u{180f}'
            | '\u{e0020}'..='\u{e007f}'
    )
}

/// Asserts all that the projection promises of any output.
pub(crate) fn assert_invariants(input: &str) {
    let output = project(input);
    let shown = || format!("{} -> {}", input.escape_unicode(), output.escape_unicode());
    assert_eq!(project(&output), output, "not idempotent: {}", shown());
    assert_eq!(output.is_empty(), input.is_empty(), "{}", shown());
    assert!(is_nfc(&output), "not NFC: {}", shown());
    assert!(!output.contains("  ") && output.trim() == output, "spaces: {}", shown());
    for c in output.chars() {
        let category = CodePointMapData::<GeneralCategory>::new().get(c);
        assert!(
            !matches!(
                category,
                GeneralCategory::Control
                    | GeneralCategory::LineSeparator
                    | GeneralCategory::ParagraphSeparator
                    | GeneralCategory::PrivateUse
            ),
            "{category:?}: {}",
            shown()
        );
        assert!(!CodePointSetData::new::<BidiControl>().contains(c), "bidi: {}", shown());
        let ignorable = CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c);
        assert!(!ignorable || may_stay(c), "invisible: {}", shown());
    }
    let marks = output.split(|c| {
        may_stay(c)
            || CodePointMapData::<GeneralCategory>::new().get(c) != GeneralCategory::NonspacingMark
    });
    assert!(marks.map(|run| run.chars().count()).max() <= Some(8), "marks: {}", shown());
    let folded = output.to_lowercase();
    for opener in ["<session-todo", "</session-todo", "<system-reminder", "<tool_result", "<|"] {
        for (at, _) in folded.match_indices(opener) {
            let next = folded.get(at + opener.len()..).and_then(|rest| rest.chars().next());
            let longer = next.is_some_and(|c| c.is_ascii_alphanumeric() || "_.:-".contains(c));
            assert!(longer && opener != "<|", "{opener}: {}", shown());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn they_hold_for_any_text(text in any::<String>()) {
        assert_invariants(&text);
    }

    #[test]
    fn they_hold_for_text_of_what_the_stages_act_on(
        text in "[ a-c1🏴👨👩🌈❤🏽#\\u{200c}\\u{200d}\\u{fe0e}\\u{fe0f}\\u{20e3}\\u{301}\\u{316}\\u{93c}\\u{94d}\\u{915}\\u{937}\\u{645}\\u{62e}\\u{650}\\u{1820}\\u{180b}\\u{180e}\\u{e0067}\\u{e007f}\\u{202e}\\u{ad}\\u{1b}\\[\\u{9b}\\u{fffd}\\u{e000}]{0,24}"
    ) {
        assert_invariants(&text);
    }

    #[test]
    fn they_hold_for_tags_and_credentials(
        pieces in prop::collection::vec(prop::sample::select(vec![
            "<", ">", "/", " ", "|", "session-todo", "system_reminder", "tool_result", "\u{200b}",
            "password", "token", "=", ": ", "\"", "'", "ghp_", "sk-", "AAAA1111BBBB2222", "abc",
            "[redacted]", "]", "[", "://", "u:", "@", "&", "Bearer ", "-----BEGIN PRIVATE KEY-----",
            "\u{1b}[0m", "，", "密", "е", "＜", "curl -u ", "--token ", "eyJ", ".", "xoxb-",
        ]), 0..12)
    ) {
        assert_invariants(&pieces.concat());
    }
}

#[test]
fn a_long_text_of_keys_takes_time_in_proportion_to_its_length() {
    // A hundred thousand keys: a search that went back over values would not end.
    for piece in [
        "token:",
        "token=f(",
        "token='",
        "token=\"$(",
        "sk-",
        "password=$",
        "://a:b",
        "://a:b/",
        "<session-todo",
        "<//",
        "密<session-todo",
        "eyJ.",
        "cookie:a=b;",
        "cookie: a",
        "Authorization: Digest a=1, ",
        "bearer ",
        "curl -u a:",
        "--token ",
        "set token ",
        "name: token value: ",
        "ghp_",
        "a]",
        "]",
        "&a",
        "-----BEGIN PRIVATE KEY----- A: ",
        "-----BEGIN PRIVATE KEY-----",
        "/hooks/",
        "ب\u{200c}\u{64b}",
        "\u{301}",
        "👩\u{200d}",
    ] {
        assert_invariants(&piece.repeat(100_000 / piece.len()));
    }
}
