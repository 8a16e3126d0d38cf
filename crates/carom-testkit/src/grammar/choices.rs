use crate::rng::Rng;
use glam::DVec2;

/// A source of choices: random numbers of a seed, or the bytes of a fuzzer.
pub trait Choices {
    /// From 0 to `n - 1`.
    fn below(&mut self, n: usize) -> usize;

    /// In `[0, 1)`.
    fn unit(&mut self) -> f64;

    /// Whether it has run out.
    fn is_over(&self) -> bool {
        false
    }
}

impl dyn Choices + '_ {
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn range(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn vector(&mut self, size: f64) -> DVec2 {
        DVec2::new(self.range(-size, size), self.range(-size, size))
    }
}

impl Choices for Rng {
    fn below(&mut self, n: usize) -> usize {
        Rng::below(self, n)
    }

    fn unit(&mut self) -> f64 {
        Rng::unit(self)
    }
}

/// Choices from bytes, zeros after their end.
#[derive(Clone, Copy, Debug)]
pub struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }
}

impl Choices for Bytes<'_> {
    fn below(&mut self, n: usize) -> usize {
        usize::from(self.byte()) % n
    }

    fn unit(&mut self) -> f64 {
        f64::from(u16::from_le_bytes([self.byte(), self.byte()])) / 65536.0
    }

    fn is_over(&self) -> bool {
        self.0.is_empty()
    }
}
