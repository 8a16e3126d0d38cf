//! Random numbers that are the same for ever: the keystream of ChaCha with 8 rounds, and formulas of our own.

use carom_engine::DVec2;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng as _, SeedableRng as _};

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// The key is the seed as 8 bytes, lowest first, then zeros.
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// From 0 up to 1.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((n as f64 * self.uniform()) as usize).min(n.saturating_sub(1))
    }

    /// Every order equally likely (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }

    /// A point of the unit disc, every one equally likely.
    pub(crate) fn in_disc(&mut self) -> DVec2 {
        loop {
            let point = DVec2::new(2.0 * self.uniform() - 1.0, 2.0 * self.uniform() - 1.0);
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }
}
