//! Reserved tags, however they are written.

use maka_core::session_todo::display::project;

use crate::projection_invariants::assert_invariants;

fn assert_gone(text: &str, openers: &[String]) {
    let shown = project(text);
    assert!(openers.iter().all(|opener| !shown.contains(opener)), "{text} -> {shown}");
    assert!(shown.starts_with('x') && shown.ends_with('y'), "{text} -> {shown}");
    assert_invariants(text);
}

#[test]
fn reserved_tags_open_nothing() {
    for name in [
        "session-todo",
        "SESSION_TODO",
        "Session-Todo",
        "system-reminder",
        "tool_result",
        "tool-results",
        "function_results",
        "function_calls",
        "tool_use_error",
        "system-prompt",
        "command-name",
        "local-command-stdout",
        "user-prompt-submit-hook",
        "environment_context",
        "bash-stdout",
        "task-notification",
        "start_of_turn",
    ] {
        for (open, close) in [
            ("<", ">"),
            ("</", ">"),
            ("<", "/>"),
            ("<", " a='b' >"),
            ("< / ", " >"),
            ("<", ""),
            ("<", "<"),
            ("<<", ">"),
            ("＜", "＞"),
            ("‹", "›"),
            ("⟨/", "⟩"),
            ("〈/", "〉"),
            ("❮", "❯"),
            ("﹤", "﹥"),
            ("«/", "»"),
            ("《/", "》"),
            ("<／", ">"),
            ("<⁄", ">"),
            ("<\\/", ">"),
            ("<\n", "\n>"),
            ("<\u{200b}", ">"),
            ("<\u{338}/", ">"),
            ("<", ";"),
        ] {
            let shown_open = open.replace('\n', " ").replace(['\u{200b}', '\u{338}'], "");
            let text = format!("x {open}{name}{close} y");
            assert_gone(&text, &[format!("{shown_open}{name}"), format!("≮/{name}")]);
        }
    }
}

#[test]
fn look_alike_names_are_reserved_too() {
    for name in [
        "sessiоn-todo",
        "ѕession-todo",
        "sеssіon-todo",
        "session‑todo",
        "session—todo",
        "session−todo",
        "session＿todo",
        "ｓｅｓｓｉｏｎ-ｔｏｄｏ",
        "𝐬𝐞𝐬𝐬𝐢𝐨𝐧-𝐭𝐨𝐝𝐨",
        "session-tοdo",
        "sessıon-todo",
        "ⓢession-todo",
        "ſession-todo",
        "ses\u{ad}sion-todo",
        "session-\u{8}todo",
        "ses\u{e0041}sion-todo",
        "session\u{1b}[1m-todo",
    ] {
        let hidden = ['\u{ad}', '\u{8}', '\u{e0041}'];
        let shown_name = name.replace(hidden, "").replace("\u{1b}[1m", "");
        assert_gone(&format!("x </{name}> y"), &[format!("</{shown_name}")]);
    }
}

#[test]
fn special_tokens_open_nothing() {
    for token in ["<|im_start|>", "<|endoftext|>", "＜|x|＞", "<｜end｜>", "<\u{200b}|x|>", "‹|x|›"]
    {
        let openers = ["<|", "＜|", "<｜", "‹|"].map(str::to_owned);
        assert_gone(&format!("x {token} y"), &openers);
    }
}
