//! Stage 3: reserved tags. Their brackets are swapped rather than removed: removal could join a
//! new tag, could leave nothing, and would make an item about a tag unreadable.

use super::shadow::replace;

/// Names that a host or a model wraps its own text in. Data: add a line to reserve another.
const RESERVED: &[&str] = &[
    "session-todo",
    "session-task-ledger",
    "task-ledger",
    "system-reminder",
    "system-instruction",
    "system-instructions",
    "system-prompt",
    "system-message",
    "system-notification",
    "system-warning",
    "tool-call",
    "tool-calls",
    "tool-result",
    "tool-results",
    "tool-response",
    "tool-responses",
    "tool-output",
    "tool-outputs",
    "tool-use",
    "tool-use-error",
    "tool-error",
    "tool-code",
    "function-call",
    "function-calls",
    "function-result",
    "function-results",
    "function-response",
    "function-responses",
    "function-output",
    "antml:function-calls",
    "antml:function-results",
    "antml:invoke",
    "antml:parameter",
    "antml:thinking",
    "user-prompt-submit-hook",
    "user-message",
    "user-query",
    "user-instructions",
    "assistant-message",
    "developer-message",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "task-notification",
    "teammate-message",
    "environment-context",
    "environment-details",
    "conversation-summary",
    "additional-context",
    "attached-files",
    "new-diagnostics",
    "ide-selection",
    "ide-opened-file",
    "start-of-turn",
    "end-of-turn",
    "begin-of-text",
    "end-of-text",
];

/// Swaps the brackets of every reserved tag and of `<|`; `None` where there is none.
pub(super) fn swap(text: &str, shadow: &[u8]) -> Option<String> {
    memchr::memchr(b'<', shadow)?;
    let raw: Vec<char> = text.chars().collect();
    let mut swaps: Vec<(usize, &str)> = Vec::new();
    for open in memchr::memchr_iter(b'<', shadow) {
        if shadow.get(open + 1) == Some(&b'|') {
            swaps.push((open, "["));
            continue;
        }
        let Some(after) = reserved_name(&raw, shadow, open + 1) else { continue };
        swaps.push((open, "["));
        let rest = shadow.get(after..).unwrap_or_default();
        let closing = memchr::memchr2(b'<', b'>', rest).map(|offset| after + offset);
        if let Some(close) = closing
            && shadow.get(close) == Some(&b'>')
        {
            swaps.push((close, "]"));
        }
    }
    let edits = swaps.iter().map(|(at, bracket)| (*at..at + 1, *bracket));
    (!swaps.is_empty()).then(|| replace(text, edits))
}

/// Where a reserved name starts at `from`, past spaces and slashes, the index after it. A backslash
/// too: JSON and scripts may write a closing tag as `<\/name>`.
fn reserved_name(raw: &[char], shadow: &[u8], from: usize) -> Option<usize> {
    let is_skipped = |b: &&u8| matches!(b, b' ' | b'/' | b'\\');
    let skipped = shadow.iter().skip(from).take_while(is_skipped).count();
    let start = from + skipped;
    RESERVED.iter().find_map(|name| {
        let end = start + name.len();
        let found = shadow.get(start..end)?;
        let equal = found.iter().zip(name.bytes()).all(|(b, expected)| fold(*b) == expected);
        let ends = !raw.get(end).is_some_and(|c| continues_name(*c));
        (equal && ends).then_some(end)
    })
}

/// ASCII letter case folded, `_` read as `-`.
const fn fold(byte: u8) -> u8 {
    if byte == b'_' { b'-' } else { byte.to_ascii_lowercase() }
}

/// Whether a raw character makes a longer name of the one before it.
fn continues_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':' | '-')
}

#[cfg(test)]
mod tests {
    use super::super::shadow::shadow;

    fn swapped(text: &str) -> String {
        super::swap(text, &shadow(text)).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn reserved_tags_lose_their_brackets_however_they_are_written() {
        assert_eq!(swapped("a </session-todo> b"), "a [/session-todo] b");
        assert_eq!(swapped("<Session_Todo x=\"1\">"), "[Session_Todo x=\"1\"]");
        assert_eq!(swapped("< / session-todo > y"), "[ / session-todo ] y");
        assert_eq!(swapped("x </session-todo"), "x [/session-todo");
        assert_eq!(swapped("＜/session-todo＞"), "[/session-todo]");
        assert_eq!(swapped("<<session-todo>session-todo>"), "<[session-todo]session-todo>");
        assert_eq!(swapped("<tool_result<x>"), "[tool_result<x>");
        assert_eq!(swapped("<|im_start|>"), "[|im_start|>");
        assert_eq!(swapped(r"<\/session-todo>"), r"[\/session-todo]");
        assert_eq!(swapped("«/session-todo»"), "[/session-todo]");
    }

    #[test]
    fn other_angles_stay() {
        for text in ["<session-todos>", "<session-todo-list>", "Vec<T>", "a < b", "<sessions>"] {
            assert_eq!(swapped(text), text);
        }
    }
}
