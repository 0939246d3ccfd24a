//! Stage 3: reserved tags. Their brackets are swapped rather than removed: removal could join a
//! new tag, could leave nothing, and would make an item about a tag unreadable.

use super::shadow::Shadow;

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
    "tool-call",
    "tool-calls",
    "tool-result",
    "tool-results",
    "tool-response",
    "tool-output",
    "tool-use",
    "tool-use-error",
    "function-call",
    "function-calls",
    "function-result",
    "function-results",
    "function-response",
    "function-output",
    "antml:function-calls",
    "antml:function-results",
    "antml:invoke",
    "antml:parameter",
    "antml:thinking",
    "user-prompt-submit-hook",
    "command-name",
    "command-message",
    "command-args",
    "local-command-stdout",
    "local-command-stderr",
    "environment-context",
    "user-instructions",
];

/// Swaps the brackets of every reserved tag and of `<|` in `text`; tells whether any was.
pub(super) fn swap(text: &mut String, shadow: &Shadow) -> bool {
    let bytes = shadow.bytes();
    let mut swaps: Vec<(usize, char)> = Vec::new();
    for open in memchr::memchr_iter(b'<', bytes) {
        if bytes.get(open + 1) == Some(&b'|') {
            swaps.push((open, '['));
            continue;
        }
        let Some(after) = reserved_name(text, shadow, open + 1) else { continue };
        swaps.push((open, '['));
        let closing = bytes.iter().skip(after).position(|b| matches!(b, b'<' | b'>'));
        if let Some(close) = closing.map(|offset| after + offset)
            && bytes.get(close) == Some(&b'>')
        {
            swaps.push((close, ']'));
        }
    }
    swaps.sort_unstable();
    swaps.dedup();
    for (at, bracket) in swaps.iter().rev() {
        text.replace_range(shadow.span(*at..at + 1), bracket.encode_utf8(&mut [0; 4]));
    }
    !swaps.is_empty()
}

/// Where a reserved name starts at `from`, past spaces and slashes, the index after it.
fn reserved_name(text: &str, shadow: &Shadow, from: usize) -> Option<usize> {
    let bytes = shadow.bytes();
    let skipped = bytes.iter().skip(from).take_while(|b| matches!(b, b' ' | b'/')).count();
    let start = from + skipped;
    RESERVED.iter().find_map(|name| {
        let end = start + name.len();
        let found = bytes.get(start..end)?;
        let equal = found.iter().zip(name.bytes()).all(|(b, expected)| fold(*b) == expected);
        let ends = !shadow.char_at(text, end).is_some_and(continues_name);
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
    use super::super::shadow::Shadow;

    fn swapped(text: &str) -> String {
        let mut out = text.to_owned();
        super::swap(&mut out, &Shadow::of(text));
        out
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
    }

    #[test]
    fn other_angles_stay() {
        for text in ["<session-todos>", "<session-todo-list>", "Vec<T>", "a < b", "<sessions>"] {
            assert_eq!(swapped(text), text);
        }
    }
}
