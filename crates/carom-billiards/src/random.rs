//! Random numbers that are the same for ever: the keystream of ChaCha with 8 rounds, and formulas of our own.

use carom_engine::DVec2;
use carom_engine::math::elementary::{ln, sin_cos};
use carom_engine::math::sqrt;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

pub(crate) struct Random(ChaCha8Rng);

impl Random {
    /// The key is the seed as 8 bytes, lowest first, then zeros.
    pub(crate) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// The key is the seed, then a number, then zeros: one of many streams of the seed.
    pub(crate) fn numbered(seed: u64, number: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&number.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Two independent normal numbers of mean 0 and variance 1: Box and Muller, Ann. Math. Stat. 29 (1958)
    /// 610.
    pub(crate) fn normal_pair(&mut self) -> [f64; 2] {
        let radius = sqrt(-2.0 * ln(1.0 - self.uniform()));
        let (sin, cos) = sin_cos(core::f64::consts::TAU * self.uniform());
        [radius * cos, radius * sin]
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
