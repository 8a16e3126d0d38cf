//! Numbers for scenes.

use carom_engine::DVec2;

/// SplitMix64 (Steele, Lea and Flood 2014), from −½ to ½.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64 - 0.5
    }

    pub(crate) fn vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.next(), self.next()) * size
    }
}
