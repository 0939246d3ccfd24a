//! Compares and searches SQL text by its tokens: white space, comments and the letter case of
//! unquoted text do not count; quoted text, which string literals are, counts to the letter.

/// One token of SQL text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A keyword, number or unquoted name, in lower case.
    Word(String),
    /// Text between quotes, which stand in front; doubled quotes are undone.
    Quoted(char, String),
    /// Anything else, a character at a time.
    Symbol(char),
}

impl Token {
    /// Whether the token can stand for the object called `name`, which is in lower case. SQLite
    /// takes any kind of quoted text for a name where one is due.
    fn names(&self, name: &str) -> bool {
        match self {
            Self::Word(word) => word == name,
            Self::Quoted(_, text) => text.to_ascii_lowercase() == name,
            Self::Symbol(_) => false,
        }
    }
}

/// Splits SQL text into its tokens.
pub(super) fn tokens(sql: &str) -> Vec<Token> {
    let mut chars = sql.chars().peekable();
    let mut out = Vec::new();
    while let Some(first) = chars.next() {
        match first {
            '-' if chars.peek() == Some(&'-') => while chars.next_if(|c| *c != '\n').is_some() {},
            '/' if chars.peek() == Some(&'*') => {
                chars.next();
                skip_comment(&mut chars);
            }
            '\'' | '"' | '`' => out.push(Token::Quoted(first, quoted(&mut chars, first, true))),
            '[' => out.push(Token::Quoted(first, quoted(&mut chars, ']', false))),
            c if is_word(c) => {
                let mut word = String::from(c.to_ascii_lowercase());
                while let Some(c) = chars.next_if(|c| is_word(*c)) {
                    word.push(c.to_ascii_lowercase());
                }
                out.push(Token::Word(word));
            }
            c if c.is_ascii_whitespace() => {}
            c => out.push(Token::Symbol(c)),
        }
    }
    out
}

/// Whether two statements are the same by their tokens.
pub(super) fn same(left: &str, right: &str) -> bool {
    tokens(left) == tokens(right)
}

/// Whether the statement mentions the object called `name`, which is in lower case.
pub(super) fn mentions(sql: &str, name: &str) -> bool {
    tokens(sql).iter().any(|token| token.names(name))
}

/// Splits a script into its statements, each without its semicolon.
pub(super) fn statements(script: &str) -> Vec<Vec<Token>> {
    tokens(script)
        .split(|token| *token == Token::Symbol(';'))
        .filter(|statement| !statement.is_empty())
        .map(<[Token]>::to_vec)
        .collect()
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()
}

fn skip_comment(chars: &mut impl Iterator<Item = char>) {
    let mut last = ' ';
    for c in chars {
        if last == '*' && c == '/' {
            return;
        }
        last = c;
    }
}

fn quoted(
    chars: &mut std::iter::Peekable<impl Iterator<Item = char>>,
    close: char,
    doubles: bool,
) -> String {
    let mut text = String::new();
    while let Some(c) = chars.next() {
        if c == close && (!doubles || chars.next_if_eq(&close).is_none()) {
            break;
        }
        text.push(c);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{mentions, same, statements};

    #[test]
    fn white_space_comments_and_letter_case_of_unquoted_text_do_not_count() {
        let typed = "CREATE TABLE a (\n  b TEXT NOT NULL\n)";
        assert!(same(typed, "create table A(b text /* the b */ not null) -- end"));
        assert!(!same(typed, "CREATE TABLE a (b TEXT)"));
    }

    #[test]
    fn the_letter_case_of_quoted_text_counts() {
        assert!(same("CHECK (s IN ('on', 'it''s'))", "check(s in('on','it''s'))"));
        assert!(!same("CHECK (s IN ('on'))", "CHECK (s IN ('ON'))"));
        assert!(!same("CHECK (s IN ('on'))", "CHECK (s IN ('on '))"));
        assert!(!same("SELECT \"a\"", "SELECT 'a'"));
    }

    #[test]
    fn a_name_is_found_quoted_or_not_and_never_in_part() {
        for sql in ["SELECT * FROM Ledger", "SELECT * FROM \"LEDGER\"", "SELECT [ledger].a"] {
            assert!(mentions(sql, "ledger"), "{sql}");
        }
        for sql in ["SELECT * FROM ledger_2", "SELECT 1 -- ledger", "SELECT 'my ledger'"] {
            assert!(!mentions(sql, "ledger"), "{sql}");
        }
    }

    #[test]
    fn a_script_is_split_at_semicolons_outside_of_comments_and_quotes() {
        assert_eq!(statements("-- a; b\nSELECT ';'; SELECT 2;\n").len(), 2);
    }
}
