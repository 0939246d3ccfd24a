//! Repeatable random numbers: the same seed gives the same drill.

use std::time::Duration;

/// SplitMix64, which is small, well mixed, and the same on every machine.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// Starts at a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 bits.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// A time below `bound`, in microseconds.
    pub fn shorter_than(&mut self, bound: Duration) -> Duration {
        let micros = u64::try_from(bound.as_micros()).unwrap_or(u64::MAX).max(1);
        Duration::from_micros(self.below(micros))
    }
}
