use carom::DVec2;
use chacha20::ChaCha8Rng;
use chacha20::rand_core::{Rng as _, SeedableRng as _};

/// Random numbers of a seed, the same on every machine.
#[derive(Debug)]
pub(crate) struct Random(ChaCha8Rng);

impl Clone for Random {
    fn clone(&self) -> Self {
        Self(ChaCha8Rng::deserialize_state(&self.0.serialize_state()))
    }
}

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(ChaCha8Rng::seed_from_u64(seed))
    }

    /// From 0 up to 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, least: f64, most: f64) -> f64 {
        least + (most - least) * self.share()
    }

    /// A vector in a square around the origin.
    pub(crate) fn vector(&mut self, half: f64) -> DVec2 {
        DVec2::new(self.between(-half, half), self.between(-half, half))
    }
}
