//! What the server calls itself on its connections to the Host. People see it beside what the
//! client wrote.

use maka_core::{ClientName, IdFault};

const OWN_NAME: &str = "maka mcp";
/// Bytes of the client's own name that are kept; the rule of the wire is 128 in all.
const MAX_BYTES: usize = 100;

/// The name of the connection for a client, which may have named itself.
///
/// # Errors
/// None that can come: the name is made fit for the rule.
pub(super) fn of_client(named: Option<&str>) -> Result<ClientName, IdFault> {
    let mut name = String::new();
    for character in named.unwrap_or_default().chars().filter(|letter| !letter.is_control()) {
        if name.len() + character.len_utf8() > MAX_BYTES {
            break;
        }
        name.push(character);
    }
    match name.trim() {
        "" => ClientName::parse(OWN_NAME),
        name => ClientName::parse(format!("{name} (mcp)")),
    }
}

#[cfg(test)]
mod tests {
    use super::of_client;

    #[test]
    fn any_name_a_client_gives_is_made_fit() {
        let name = |named| of_client(named).unwrap().as_str().to_owned();
        assert_eq!(name(None), "maka mcp");
        assert_eq!(name(Some(" \u{1b}\n ")), "maka mcp");
        assert_eq!(name(Some("claude-code")), "claude-code (mcp)");
        assert_eq!(name(Some("a\u{1b}[31mb\nc")), "a[31mbc (mcp)");
        let long = "é".repeat(400);
        assert_eq!(name(Some(&long)), format!("{} (mcp)", "é".repeat(50)));
    }
}
