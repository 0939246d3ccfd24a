//! Values that stand for a credential without being one.

/// Words that are no credential, in lower case.
const WORDS: &[&str] = &[
    "true",
    "false",
    "null",
    "none",
    "nil",
    "undefined",
    "yes",
    "no",
    "on",
    "off",
    "empty",
    "unset",
    "required",
    "optional",
    "string",
    "str",
    "bool",
    "int",
    "bytes",
    "redacted",
    "hidden",
    "masked",
    "changeme",
    "change-me",
    "change_me",
    "placeholder",
    "tbd",
    "todo",
    "n/a",
    "xxx",
    "foobar",
    "missing",
    "invalid",
    "expired",
    "await",
    "new",
    "include",
    "omit",
    "same-origin",
    "prompt",
    "stdin",
    "unknown",
    "default",
    "function",
    "async",
    "value",
    "any",
    "number",
    "boolean",
    "object",
];

/// Names that configuration is read from.
const ROOTS: &[&str] = &[
    "self", "this", "cfg", "conf", "config", "process", "env", "os", "settings", "options", "opts",
    "args", "argv", "ctx", "context", "req", "request", "res", "response", "props", "params",
    "state", "secrets", "vars", "var", "local", "data", "input", "inputs", "matrix", "github",
    "values", "app", "user", "import", "std", "session",
];

/// Whether `value` is a variable, a template, a path, an expression, a filler or a plain word of
/// [`WORDS`].
pub(super) fn is_placeholder(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else {
        // The value holds characters without an ASCII reading: no placeholder does.
        return false;
    };
    let lower = text.to_ascii_lowercase();
    is_filler(text)
        || is_variable(text)
        || is_path(text)
        || is_expression(text)
        || lower.trim_start_matches(['[', '(']).starts_with("your")
        || WORDS.contains(&lower.as_str())
        || (text.len() < 10 && text.bytes().all(|b| b.is_ascii_digit()))
}

/// `***`, `...`, `xxxx`: nothing that carries information.
fn is_filler(text: &str) -> bool {
    text.bytes().all(|b| !b.is_ascii_alphanumeric())
        || text.bytes().all(|b| matches!(b, b'x' | b'X') || !b.is_ascii_alphanumeric())
}

/// `$X`, `${…}`, `$(…)`, `%X%`, `<your key>`, `{{…}}`, `{x}`, `:x`, `@x`.
fn is_variable(text: &str) -> bool {
    if let Some(name) = text.strip_prefix('$') {
        return name.starts_with(['{', '(']) || is_identifier(name);
    }
    if let Some(name) = text.strip_prefix('%') {
        return name.strip_suffix('%').is_some_and(is_identifier)
            || (name.starts_with(['(', '{']))
            || matches!(name, "s" | "v" | "d");
    }
    if let Some(name) = text.strip_prefix('<') {
        // Without its end, which a space may have cut off, only words are one.
        let closed = name.strip_suffix('>');
        let name = closed.unwrap_or(name);
        return (closed.is_some() || !name.bytes().any(|b| b.is_ascii_digit()))
            && name.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
            && name.bytes().all(|b| b.is_ascii_alphanumeric() || b" _-.:/|".contains(&b));
    }
    if let Some(name) = text.strip_prefix('{') {
        return name.starts_with('{')
            || name
                .strip_suffix('}')
                .is_some_and(|name| is_identifier(name) || is_member_path(name));
    }
    false
}

/// `/etc/key.pem`, `./key`, `~/.ssh/id_ed25519`, `C:\keys`.
fn is_path(text: &str) -> bool {
    let rooted = text.starts_with('/') && text.len() < 40 || text.starts_with("file:");
    let drive = text.as_bytes().get(1..3).is_some_and(|b| b == b":\\");
    let relative = ["./", "../", "~/", "~\\", ".\\"].iter().any(|start| text.starts_with(start));
    (rooted || drive || relative)
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"/\\._-~: ".contains(&b))
}

/// `cfg.password`, `f(…)`, `env["X"]`, `Type::new()`, `Brand<string`.
fn is_expression(text: &str) -> bool {
    if let Some((name, rest)) = text.split_once(['(', '[', '<']) {
        // What is opened is closed at the end, or cut off by where the value ends.
        let behind = rest.rsplit_once([')', ']', '>']).map_or("", |(_, behind)| behind);
        let generic = text.as_bytes().get(name.len()) == Some(&b'<');
        let name = name.trim_end_matches('!');
        let named = is_identifier(name) || is_member_path(name);
        let typed = name.bytes().next().is_some_and(|b| b.is_ascii_uppercase())
            && name.bytes().any(|b| b.is_ascii_lowercase())
            && !name.bytes().any(|b| b.is_ascii_digit());
        return named
            && (!generic || typed)
            && (behind.is_empty() || behind.starts_with(['.', '?']));
    }
    is_member_path(text)
        && (text.bytes().all(|b| !b.is_ascii_digit())
            || text.split(['.', ':']).next().is_some_and(|root| ROOTS.contains(&root)))
}

/// Identifiers joined by `.`, `?.` or `::`; at least two.
fn is_member_path(text: &str) -> bool {
    let text = text.trim_end_matches(['!', '?']);
    let text = text.replace("::", ".").replace("?.", ".").replace("->", ".");
    text.contains('.') && text.split('.').all(is_identifier)
}

fn is_identifier(text: &str) -> bool {
    text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

#[cfg(test)]
mod tests {
    use super::is_placeholder;

    #[test]
    fn placeholders_survive_and_credentials_do_not() {
        for text in [
            "$GITHUB_TOKEN",
            "${API_KEY}",
            "$(cat file)",
            "%TOKEN%",
            "<your",
            "<your-key>",
            "{{ x",
            "{token}",
            "***",
            "...",
            "xxxx",
            "xxxx-XXXX",
            "[your",
            "true",
            "None",
            "your_key_here",
            "4096",
            "~/.ssh/id_ed25519",
            "/etc/ssl/key.pem",
            "./key",
            "C:\\keys\\a.pem",
            "cfg.password",
            "process.env.KEY2",
            "getToken(",
            "os.environ[",
            "Secret::new(1)",
            "self.token1",
            "vec![1]",
            "Option<String>",
        ] {
            assert!(is_placeholder(text.as_bytes()), "{text}");
        }
        for text in [
            "tulip",
            "EXAMPLE-abc1",
            "0123456789",
            "hunter2.x",
            "[session-todo]EX",
            "p@ss",
            "a(1)x",
            "ab[x]cd",
        ] {
            assert!(!is_placeholder(text.as_bytes()), "{text}");
        }
    }
}
