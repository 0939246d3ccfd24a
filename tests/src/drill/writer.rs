//! One writer: it owns one Session and sends that Session's numbered lists in order.

use anyhow::{Context, Result, bail};
use maka_core::SessionId;

use crate::numbered;
use crate::wire::Wire;

/// What a writer knows of its own list.
#[derive(Debug, Clone)]
pub(super) struct Writer {
    /// Which writer it is, from 0.
    pub(super) index: u32,
    /// Its Session.
    pub(super) session: SessionId,
    /// The last number that was sent; 0 before the first.
    pub(super) sent: u64,
    /// The last number that was acknowledged, or found after a kill; 0 before the first.
    pub(super) settled: u64,
    /// How many were acknowledged in all.
    pub(super) acknowledged: u64,
}

impl Writer {
    pub(super) const fn new(index: u32, session: SessionId) -> Self {
        Self { index, session, sent: 0, settled: 0, acknowledged: 0 }
    }

    /// Writes until the connection ends.
    ///
    /// # Errors
    /// Where the Host answers a write with anything but success.
    pub(super) fn write_until_killed(&mut self, wire: &mut Wire) -> Result<()> {
        loop {
            let number = self.sent + 1;
            self.sent = number;
            match wire.tool("todo_write", &numbered::arguments(self.index, number)) {
                // The Host is gone; whether the list was saved is what the drill finds out.
                Err(_) => return Ok(()),
                Ok(Err(refused)) => {
                    return Err(refused).with_context(|| format!("write list {number}"));
                }
                Ok(Ok(settled)) if !settled.ok => bail!("list {number}: {}", settled.text),
                Ok(Ok(_)) => {
                    self.settled = number;
                    self.acknowledged += 1;
                }
            }
        }
    }
}
