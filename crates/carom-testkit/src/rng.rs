use glam::DVec2;

/// How many times as many cases a campaign runs as the tests do: `CAROM_CASES`.
pub fn campaign() -> Option<u32> {
    std::env::var("CAROM_CASES").ok().and_then(|factor| factor.parse().ok())
}

/// How many random cases to try: `usual`, or as many times as many for a campaign.
pub fn cases(usual: u64) -> u64 {
    usual * u64::from(campaign().unwrap_or(1))
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): enough for choosing test cases, and the same everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Rng(seed.wrapping_mul(0xD134_2543_DE82_EF95).wrapping_add(0x1234_5678_9ABC_DEF1))
    }

    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to `n - 1`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// In `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.range(-size, size), self.range(-size, size))
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// A random order of `0..n`.
    pub fn permutation(&mut self, n: usize) -> Vec<usize> {
        let mut order: Vec<usize> = (0..n).collect();
        for i in (1..n).rev() {
            order.swap(i, self.below(i + 1));
        }
        order
    }
}
