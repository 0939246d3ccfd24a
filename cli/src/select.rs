//! Which Session a person means: an id, the unique start of an id, an exact name, or `@last`.

use maka_core::{Session, SessionId, SessionName};
use maka_host_client::HostClient;

use crate::calls;
use crate::failure::Failure;
use crate::output::{rfc3339, safe};

/// The newest Session that is not archived.
const LAST: &str = "@last";
/// The most candidates that an ambiguous selection lists.
const SHOWN: usize = 10;

/// Finds the Session that `given` names. A whole id wins over a name, a name over the start of an
/// id, so that no new Session can change what a name meant before.
///
/// # Errors
/// Exit code 3 where nothing matches, 1 with the candidates where several do.
pub(crate) async fn select(client: &HostClient, given: &str) -> Result<Session, Failure> {
    if given == LAST {
        return calls::newest(client).await?.ok_or_else(|| {
            Failure::not_found("there is no unarchived Session")
                .with_hint("make one: maka session new")
        });
    }
    if let Ok(id) = SessionId::parse(given)
        && let Some(session) = calls::session(client, &id).await?
    {
        return Ok(session);
    }
    let sessions = client.session_list(true).await?;
    choose(sessions, given)
}

/// Chooses among all Sessions by exact name, then by the start of the id.
fn choose(sessions: Vec<Session>, given: &str) -> Result<Session, Failure> {
    let name = SessionName::parse(given).ok();
    let named = |session: &Session| {
        session.name.as_str() == given || name.as_ref().is_some_and(|name| *name == session.name)
    };
    let (by_name, others): (Vec<_>, Vec<_>) = sessions.into_iter().partition(named);
    let begins =
        |session: &Session| !given.is_empty() && session.session_id.as_str().starts_with(given);
    let (how, mut found) = if by_name.is_empty() {
        ("id", others.into_iter().filter(begins).collect::<Vec<_>>())
    } else {
        ("name", by_name)
    };
    if found.len() > 1 {
        return Err(ambiguous(how, given, &found));
    }
    found.pop().ok_or_else(|| {
        Failure::not_found(format!("there is no Session {:?}", safe(given)))
            .with_hint("see what there is: maka session list")
    })
}

fn ambiguous(how: &str, given: &str, found: &[Session]) -> Failure {
    let verb = if how == "id" { "begin with" } else { "are named" };
    let mut message = format!("{} Sessions {verb} {:?}:", found.len(), safe(given));
    for session in found.iter().take(SHOWN) {
        let archived = if session.archived { "  archived" } else { "" };
        message.push_str(&format!(
            "\n  {}  {}  {}{archived}",
            session.session_id,
            rfc3339(session.created_at),
            safe(session.name.as_str())
        ));
    }
    if found.len() > SHOWN {
        message.push_str(&format!("\n  and {} more", found.len() - SHOWN));
    }
    let hint = if how == "id" { "give more of the id" } else { "name one by its id" };
    Failure::refused(message).with_hint(hint)
}

#[cfg(test)]
mod tests {
    use maka_core::{Session, SessionId, SessionName, Timestamp};

    use super::choose;
    use crate::exit::Exit;

    fn session(id: &str, name: &str) -> Session {
        Session {
            session_id: SessionId::parse(id).unwrap(),
            name: SessionName::parse(name).unwrap(),
            archived: false,
            created_at: Timestamp::from_millis(0),
            revision: 1,
            lineage: None,
        }
    }

    fn all() -> Vec<Session> {
        vec![
            session("aa1", "one"),
            session("aa2", "two"),
            session("b3", "two"),
            session("c4", "aa1 notes"),
            session("d5", "b"),
        ]
    }

    #[test]
    fn a_name_wins_over_the_start_of_an_id() {
        assert_eq!(choose(all(), "b").unwrap().session_id.as_str(), "d5");
        assert_eq!(choose(all(), "b3").unwrap().session_id.as_str(), "b3");
        assert_eq!(choose(all(), " aa1  notes ").unwrap().session_id.as_str(), "c4");
    }

    #[test]
    fn several_are_listed_and_refused() {
        for (given, how, hint) in [
            ("aa", "begin with", "give more of the id"),
            ("two", "are named", "name one by its id"),
        ] {
            let failure = choose(all(), given).unwrap_err();
            assert_eq!(failure.exit(), Exit::Refused);
            let message = failure.message().unwrap();
            assert!(message.contains(how) && message.contains("aa2"), "{message}");
            assert_eq!(failure.hint(), Some(hint));
        }
    }

    #[test]
    fn nothing_is_not_found() {
        for given in ["zz", "", "\u{1b}[31m"] {
            let failure = choose(all(), given).unwrap_err();
            assert_eq!(failure.exit(), Exit::NotFound);
            assert!(!failure.message().unwrap().contains('\u{1b}'));
        }
    }
}
