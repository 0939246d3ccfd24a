//! Sessions that were seen to be present. Every read and write of a list asks for its Session's
//! presence, and only this process changes it, so the answer is kept.

use std::collections::HashSet;
use std::sync::{PoisonError, RwLock};

use maka_core::SessionId;

/// The most ids kept, about 100 bytes each; one over, and all are looked up anew.
const MOST: usize = 4096;

/// The ids. An id leaves when its Session does, inside the Session's admission lane.
#[derive(Debug, Default)]
pub(crate) struct KnownPresent {
    ids: RwLock<HashSet<SessionId>>,
}

impl KnownPresent {
    pub(crate) fn contains(&self, session: &SessionId) -> bool {
        self.ids.read().unwrap_or_else(PoisonError::into_inner).contains(session)
    }

    pub(crate) fn insert(&self, session: &SessionId) {
        let mut ids = self.ids.write().unwrap_or_else(PoisonError::into_inner);
        if ids.len() >= MOST {
            ids.clear();
        }
        ids.insert(session.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::{KnownPresent, MOST};
    use maka_core::SessionId;

    #[test]
    fn it_never_holds_more_than_its_bound() {
        let known = KnownPresent::default();
        let ids: Vec<SessionId> =
            (0..=MOST).map(|n| SessionId::parse(format!("s{n}")).expect("an id")).collect();
        for id in &ids {
            known.insert(id);
            assert!(known.contains(id));
        }
        let kept = ids.iter().filter(|id| known.contains(id)).count();
        assert!(kept <= MOST, "{kept}");
    }
}
