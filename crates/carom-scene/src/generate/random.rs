//! Random numbers that are the same for ever: a generator by name, and formulas of our own on top of its
//! bits.
//!
//! Libraries change how they turn a seed into a key and bits into numbers. So only the keystream of ChaCha
//! with 8 rounds, which is a standard, is taken from one; seeding, uniform and normal numbers are written
//! down here.

use crate::model::Generator;
use carom_math::elementary;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng, SeedableRng};
use glam::DVec2;

/// A stream of random numbers.
///
/// The key is the seed as 8 bytes, lowest first, then 24 zeros; block counter and nonce start at 0. The
/// 64-bit words are the keystream's bytes, lowest first.
#[derive(Debug)]
pub struct Random {
    rng: ChaCha8Rng,
}

impl Clone for Random {
    fn clone(&self) -> Self {
        Self { rng: ChaCha8Rng::deserialize_state(&self.rng.serialize_state()) }
    }
}

impl Random {
    /// The stream that belongs to a generator and a seed.
    #[must_use]
    pub fn new(generator: Generator, seed: u64) -> Self {
        match generator {
            Generator::ChaCha8 => {
                let mut key = [0; 32];
                key[..8].copy_from_slice(&seed.to_le_bytes());
                Self { rng: ChaCha8Rng::from_seed(key) }
            }
        }
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// A number in [0, 1): the upper 53 bits times 2⁻⁵³, exactly.
    pub fn uniform(&mut self) -> f64 {
        const TO_UNIT: f64 = 1.0 / (1u64 << 53) as f64;
        (self.bits() >> 11) as f64 * TO_UNIT
    }

    /// A number in [low, high): `low + (high − low)·uniform`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A whole number below `n`: `⌊n·uniform⌋`. Off from even by at most n·2⁻⁵³; 0 when `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((n as f64 * self.uniform()) as usize).min(n.saturating_sub(1))
    }

    /// Two independent normal numbers of mean 0 and variance 1 (Box and Muller 1958), from two uniform ones:
    /// `√(−2 ln(1 − u₁))·(cos 2πu₂, sin 2πu₂)`. `1 − u₁` is never 0, so the logarithm is finite.
    pub fn normal_pair(&mut self) -> DVec2 {
        let radius = carom_math::sqrt(-2.0 * elementary::ln(1.0 - self.uniform()));
        self.direction() * radius
    }

    /// A unit vector of any direction: `(cos 2πu, sin 2πu)`.
    pub fn direction(&mut self) -> DVec2 {
        let angle = std::f64::consts::TAU * self.uniform();
        let (sin, cos) = elementary::sin_cos(angle);
        DVec2::new(cos, sin)
    }

    /// A point in the disc of radius 1, evenly spread: points of the square `2u − 1`, x before y, until one
    /// is inside.
    pub fn in_unit_disc(&mut self) -> DVec2 {
        loop {
            let x = 2.0 * self.uniform() - 1.0;
            let y = 2.0 * self.uniform() - 1.0;
            if x * x + y * y <= 1.0 {
                return DVec2::new(x, y);
            }
        }
    }

    /// Puts the items into a random order (Fisher and Yates, from the last item down).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first bytes of ChaCha8's keystream for key 0 and nonce 0: test vector TC1 of
    /// draft-strombergson-chacha-test-vectors-00.
    #[test]
    fn the_keystream_is_that_of_the_standard() {
        let mut random = Random::new(Generator::ChaCha8, 0);
        let bytes: Vec<u8> = (0..2).flat_map(|_| random.bits().to_le_bytes()).collect();
        assert_eq!(
            bytes,
            [0x3e, 0x00, 0xef, 0x2f, 0x89, 0x5f, 0x40, 0xd6, 0x7f, 0x5b, 0xb8, 0xe8, 0x1f, 0x09, 0xa5, 0xa1]
        );
    }

    #[test]
    fn uniform_is_the_upper_53_bits() {
        let (mut bits, mut uniform) =
            (Random::new(Generator::ChaCha8, 7), Random::new(Generator::ChaCha8, 7));
        for _ in 0..1000 {
            let want = (bits.bits() >> 11) as f64 / 9_007_199_254_740_992.0;
            let got = uniform.uniform();
            assert_eq!(got, want);
            assert!((0.0..1.0).contains(&got));
        }
    }

    #[test]
    fn normal_numbers_have_the_moments_of_the_normal_distribution() {
        let mut random = Random::new(Generator::ChaCha8, 1);
        let n = 100_000;
        let (mut mean, mut square, mut fourth, mut cross) = (DVec2::ZERO, 0.0, 0.0, 0.0);
        for _ in 0..n {
            let v = random.normal_pair();
            mean += v;
            square += v.length_squared();
            fourth += v.x.powi(4) + v.y.powi(4);
            cross += v.x * v.y;
        }
        let n = f64::from(n);
        // Five standard errors: 1/√n for a mean, √(2/2n) for a variance, √(96/2n) for a fourth moment.
        assert!((mean / n).abs().max_element() < 5.0 / n.sqrt());
        assert!((square / (2.0 * n) - 1.0).abs() < 5.0 / n.sqrt());
        assert!((fourth / (2.0 * n) - 3.0).abs() < 5.0 * (48.0 / n).sqrt());
        assert!((cross / n).abs() < 5.0 / n.sqrt());
    }

    #[test]
    fn a_shuffle_keeps_the_items_and_reaches_every_order() {
        let mut random = Random::new(Generator::ChaCha8, 3);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6000 {
            let mut items = [0, 1, 2];
            random.shuffle(&mut items);
            *seen.entry(items).or_insert(0) += 1;
        }
        assert_eq!(seen.len(), 6);
        // 1000 each, give or take five standard deviations of √(6000·1/6·5/6) = 29.
        assert!(seen.values().all(|&count| (855..=1145).contains(&count)), "{seen:?}");
    }
}
