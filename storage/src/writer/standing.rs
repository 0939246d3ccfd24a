//! Whether the database may still be used.

use std::sync::atomic::{AtomicBool, Ordering};

use maka_core::StoreError;

/// Open until it is closed or the owner lease is lost; never open again.
#[derive(Debug, Default)]
pub(crate) struct Standing {
    ended: AtomicBool,
}

impl Standing {
    /// Ends the use of the database.
    pub(crate) fn end(&self) {
        self.ended.store(true, Ordering::SeqCst);
    }

    /// # Errors
    /// [`StoreError::InvalidLease`] once the database is closed or its lease is lost.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        if self.ended.load(Ordering::SeqCst) { Err(StoreError::InvalidLease) } else { Ok(()) }
    }
}
