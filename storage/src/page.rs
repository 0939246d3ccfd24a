//! Pages of Sessions, newest first: their bounds and their cursors.

use maka_core::{PageRequest, Session, SessionId, StoreError};

const DEFAULT_LIMIT: u32 = 100;
const MAX_LIMIT: u32 = 500;

/// Entries of the page.
pub(crate) fn limit(request: &PageRequest) -> usize {
    usize::try_from(bounded(request)).unwrap_or(usize::MAX)
}

/// Rows to ask for: the one beyond the page tells that there is a further one.
pub(crate) fn one_more(request: &PageRequest) -> u32 {
    bounded(request) + 1
}

fn bounded(request: &PageRequest) -> u32 {
    request.limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT)
}

/// The place after which a page starts: before it in (`created_at`, `session_id`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Milliseconds since the Unix epoch.
    pub(crate) created_at: i64,
    /// A Session id, or text that sorts after all of them.
    pub(crate) session_id: String,
}

impl Cursor {
    /// Where the page starts.
    ///
    /// # Errors
    /// [`StoreError::InvalidCursor`].
    pub(crate) fn of(request: &PageRequest) -> Result<Self, StoreError> {
        match &request.cursor {
            // '~' sorts after every character of an id.
            None => Ok(Self { created_at: i64::MAX, session_id: "~".to_owned() }),
            Some(text) => Self::parse(text).ok_or(StoreError::InvalidCursor),
        }
    }

    /// The place of an entry.
    pub(crate) fn after(session: &Session) -> Self {
        Self {
            created_at: session.created_at.as_millis(),
            session_id: session.session_id.as_str().to_owned(),
        }
    }

    /// The opaque text.
    pub(crate) fn to_text(&self) -> String {
        format!("{}.{}", self.created_at, self.session_id)
    }

    fn parse(text: &str) -> Option<Self> {
        let (created_at, session_id) = text.split_once('.')?;
        let session_id = SessionId::parse(session_id).ok()?;
        let cursor = Self {
            created_at: created_at.parse().ok()?,
            session_id: session_id.as_str().to_owned(),
        };
        // Only the text that was given out: no "+1", no "007".
        (cursor.to_text() == text).then_some(cursor)
    }
}

#[cfg(test)]
mod tests {
    use maka_core::PageRequest;

    use super::{Cursor, limit, one_more};

    #[test]
    fn only_texts_that_were_given_out_are_cursors() {
        let cursor = Cursor { created_at: -5, session_id: "a-B_9".to_owned() };
        assert_eq!(Cursor::parse(&cursor.to_text()), Some(cursor));
        for bad in ["", ".", "5", "5.", ".a", "+5.a", "05.a", "5.a/b", "5.a.b", "x.a", " 5.a"] {
            assert_eq!(Cursor::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_limit_is_taken_to_its_nearest_bound() {
        for (asked, given) in [(None, 100), (Some(0), 1), (Some(7), 7), (Some(501), 500)] {
            let request = PageRequest { cursor: None, limit: asked };
            assert_eq!(limit(&request), given);
            assert_eq!(usize::try_from(one_more(&request)).expect("small"), given + 1);
        }
    }
}
