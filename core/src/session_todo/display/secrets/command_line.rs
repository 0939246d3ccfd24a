//! Credentials among the arguments of a command line.

use std::ops::Range;

use super::checks::Check;
use super::keys::{self, KeyKind};
use super::value::Value;

/// Commands with a short option whose value is a password, and whether a user stands before it.
const SHORT_OPTIONS: &[(&[&str], &[&str], Form)] = &[
    (&["curl", "wget", "http", "https", "xh"], &["-u", "-a", "-U"], Form::UserAndPassword),
    (
        &["curl", "wget", "http", "https", "xh"],
        &["--user", "--auth", "--proxy-user"],
        Form::UserAndPassword,
    ),
    (
        &["mysql", "mysqldump", "mysqladmin", "mariadb", "mariadb-dump", "7z", "rar"],
        &["-p"],
        Form::Glued,
    ),
    (&["sshpass"], &["-p"], Form::Password),
    (
        &[
            "docker",
            "podman",
            "helm",
            "az",
            "oc",
            "buildah",
            "skopeo",
            "mongo",
            "mongosh",
            "mongodump",
        ],
        &["-p"],
        Form::LoginPassword,
    ),
    (&["redis-cli"], &["-a"], Form::Password),
    (&["zip", "unzip"], &["-P"], Form::Password),
    (&["ldapsearch", "ldapmodify", "ldapadd"], &["-w"], Form::Password),
    (&["smbclient"], &["-U"], Form::UserPercentPassword),
    (&["openssl"], &["-pass", "-passin", "-passout", "-k"], Form::PassPrefix),
];

/// How the value of a short option is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// `-u user:v`, the space optional.
    UserAndPassword,
    /// `-pv`, never with a space.
    Glued,
    /// `-p v`, the space optional.
    Password,
    /// `-p v` of a login, where other uses of the option take a number.
    LoginPassword,
    /// `-U user%v`.
    UserPercentPassword,
    /// `-pass pass:v`.
    PassPrefix,
}

/// How far before an option its command may stand.
const MAX_COMMAND: usize = 160;

/// Adds the values of all options that take a credential.
pub(super) fn find(shadow: &[u8], found: &mut Vec<Range<usize>>) {
    for dash in memchr::memchr_iter(b'-', shadow) {
        let before = dash.checked_sub(1).and_then(|at| shadow.get(at)).copied().unwrap_or(b' ');
        if matches!(before, b' ' | b'"' | b'\'' | b'`' | b'[' | b'(' | b'=' | b',') {
            long_option(shadow, dash, found);
            short_option(shadow, dash, found);
        }
    }
    for command in [&b"set "[..], b"setx ", b"ENV "] {
        for at in memchr::memmem::find_iter(shadow, command) {
            setting(shadow, at + command.len(), found);
        }
    }
}

/// `config set key v`, `ENV key v`.
fn setting(shadow: &[u8], at: usize, found: &mut Vec<Range<usize>>) {
    let rest = shadow.get(at..).unwrap_or_default();
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || b"-_./:@".contains(b);
    let length = rest.iter().take(keys::MAX_KEY).take_while(is_name).count();
    let name = rest.get(..length).unwrap_or_default();
    if rest.get(length) != Some(&b' ') || keys::kind(name, false) != Some(KeyKind::Secret) {
        return;
    }
    let value = Value::at(shadow, at + length + 1);
    if Check::Colon.passes(name, value.checked(shadow)) {
        found.push(value.whole(shadow));
    }
}

/// `--api-key v`. The form with `=` is an assignment like any other.
fn long_option(shadow: &[u8], dash: usize, found: &mut Vec<Range<usize>>) {
    let rest = shadow.get(dash..).unwrap_or_default();
    let dashes = rest.iter().take(2).take_while(|b| **b == b'-').count();
    let name = rest.get(dashes..).unwrap_or_default();
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
    let length = name.iter().take(keys::MAX_KEY).take_while(is_name).count();
    let end = dash + dashes + length;
    // `["--token", "v"]` too.
    let gap = shadow.get(end..).unwrap_or_default();
    let value_at = match gap {
        [b'"' | b'\'', b',', ..] => end + 2,
        [b' ', ..] => end + 1,
        _ => return,
    };
    let name = name.get(..length).unwrap_or_default();
    if length < 2 || keys::kind(name, false) != Some(KeyKind::Secret) {
        return;
    }
    let value = Value::at(shadow, value_at);
    let check = if value.quoted.is_some() { Check::Assigned } else { Check::Colon };
    if !shadow.get(value.range.start..).is_some_and(|value| value.starts_with(b"-"))
        && check.passes(name, value.checked(shadow))
    {
        found.push(value.whole(shadow));
    }
}

fn short_option(shadow: &[u8], dash: usize, found: &mut Vec<Range<usize>>) {
    let rest = shadow.get(dash..).unwrap_or_default();
    for (commands, options, form) in SHORT_OPTIONS {
        let option = options.iter().find(|option| rest.starts_with(option.as_bytes()));
        let Some(option) = option else { continue };
        let spaced = matches!(rest.get(option.len()), Some(b' ' | b'='));
        let glued = option.len() == 2 && !spaced;
        let written = match form {
            Form::Glued => glued,
            Form::LoginPassword | Form::PassPrefix => spaced,
            Form::UserAndPassword | Form::Password | Form::UserPercentPassword => spaced || glued,
        };
        if written && follows_command(shadow, dash, commands) {
            let value = Value::at(shadow, dash + option.len() + usize::from(spaced));
            short_value(shadow, value, *form, found);
        }
    }
}

fn short_value(shadow: &[u8], value: Value, form: Form, found: &mut Vec<Range<usize>>) {
    let text = shadow.get(value.range.clone()).unwrap_or_default();
    let skipped = match form {
        Form::UserAndPassword => text.iter().position(|b| *b == b':').map(|colon| colon + 1),
        Form::UserPercentPassword => text.iter().position(|b| *b == b'%').map(|sign| sign + 1),
        Form::PassPrefix => text.starts_with(b"pass:").then_some(5),
        Form::Glued | Form::Password | Form::LoginPassword => Some(0),
    };
    let Some(skipped) = skipped else { return };
    let range = value.range.start + skipped..value.whole(shadow).end;
    let password = text.get(skipped..).unwrap_or_default();
    let check = match form {
        Form::Glued | Form::LoginPassword => Check::Colon,
        Form::UserAndPassword | Form::Password | Form::UserPercentPassword | Form::PassPrefix => {
            Check::Assigned
        }
    };
    if !password.starts_with(b"-") && check.passes(b"", password) {
        found.push(range);
    }
}

/// Whether one of `commands` stands as a word before `dash` in the same command.
fn follows_command(shadow: &[u8], dash: usize, commands: &[&str]) -> bool {
    let head = shadow.get(dash.saturating_sub(MAX_COMMAND)..dash).unwrap_or_default();
    let command = head.rsplit(|b| matches!(b, b'|' | b';')).next().unwrap_or_default();
    command
        .split(|b| !(b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')))
        .any(|word| commands.iter().any(|command| word == command.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::find;

    fn masked(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text.as_bytes(), &mut found);
        found.into_iter().map(|span| text.get(span).expect("ASCII")).collect()
    }

    #[test]
    fn options_that_take_a_credential_are_found() {
        for (text, value) in [
            ("x --api-key tulip1 -v", "tulip1"),
            ("x --db_password 'a b'", "a b"),
            ("x -token tulip1", "tulip1"),
            ("[\"--token\", \"tulip\"]", "tulip"),
            ("curl -sS -u me:tulip http://h", "tulip"),
            ("curl -ume:tulip", "tulip"),
            ("mysql -uroot -ptulip1 db", "tulip1"),
            ("sshpass -p tulip ssh h", "tulip"),
            ("docker login -u me -p tulip1", "tulip1"),
            ("openssl enc -pass pass:tulip", "tulip"),
            ("smbclient -U me%tulip //h/s", "tulip"),
            ("npm config set //r/:_authToken tulip1 x", "tulip1"),
        ] {
            assert_eq!(masked(text), [value], "{text}");
        }
    }

    #[test]
    fn other_options_survive() {
        for text in [
            "add --token flag",
            "x --token --verbose",
            "docker run -p 8080:80 -u 1000:1000",
            "git push -u origin main:main",
            "mkdir -p a1b2c3",
            "curl -u $USER:$PASS",
            "x --token-file a1b2c3",
            "ssh -p 2222 h",
            "curl x; git -u a:bcd",
        ] {
            assert!(masked(text).is_empty(), "{text}: {:?}", masked(text));
        }
    }
}
