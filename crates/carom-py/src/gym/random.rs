//! Random numbers by counter: the same on every machine, whoever asks.

use carom_engine::DVec2;

/// The number of a counter: the finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014, mix variant 13).
fn mixed(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The seed of an episode of a stream.
pub(crate) fn seed_of(stream: u64, episode: u64) -> u64 {
    mixed(mixed(stream) ^ episode)
}

/// A stream of numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Random {
    seed: u64,
    counter: u64,
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Random { seed: mixed(seed), counter: 0 }
    }

    /// From 0 to 1, without 1.
    fn share(&mut self) -> f64 {
        self.counter += 1;
        (mixed(self.seed ^ self.counter) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// A vector between two corners.
    pub(crate) fn between(&mut self, min: DVec2, max: DVec2) -> DVec2 {
        let (x, y) = (self.share(), self.share());
        min + (max - min) * DVec2::new(x, y)
    }
}
