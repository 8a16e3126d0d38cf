//! Numbers that nobody means, for the builders of tests.

use crate::rng::{Rng, cases};
use glam::DVec2;

/// What nobody means: of numbers and, rounded and cut off, of counts.
pub const ODD: [f64; 26] = [
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::from_bits(1),
    -f64::MIN_POSITIVE,
    1e-50,
    1e-16,
    1e-15,
    1e-9,
    1e9,
    1e15,
    -1e15,
    1e15_f64.next_up(),
    1e50,
    1e51,
    1e308,
    f64::MIN,
    u32::MAX as f64,
    u64::MAX as f64,
    8.673617379884035e-19,
    1.152921504606847e18,
];

/// Gives the numbers of a builder: plain ones but for some, by the order in which they are asked for.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    pub odd: &'a [(usize, f64)],
    pub next: usize,
}

impl Numbers<'_> {
    pub fn get(&mut self, plain: f64) -> f64 {
        self.next += 1;
        self.odd.iter().find(|(at, _)| *at + 1 == self.next).map_or(plain, |(_, odd)| *odd)
    }

    pub fn place(&mut self, x: f64, y: f64) -> DVec2 {
        DVec2::new(self.get(x), self.get(y))
    }

    pub fn count(&mut self, plain: u32) -> u64 {
        self.get(f64::from(plain)) as u64
    }

    pub fn few(&mut self, plain: u32) -> u32 {
        self.get(f64::from(plain)) as u32
    }
}

/// Knocks at a door with plain numbers, with each odd one in place of each, and with so many random pairs.
/// `knock` says how many numbers it has asked for.
pub fn each_odd(pairs: u64, mut knock: impl FnMut(&[(usize, f64)]) -> usize) {
    let (count, rng) = (knock(&[]), &mut Rng::new(1));
    for at in 0..count {
        for odd in ODD {
            knock(&[(at, odd)]);
        }
    }
    for _ in 0..cases(if count > 1 { pairs } else { 0 }) {
        let mut pair = || (rng.below(count), rng.pick(&ODD));
        knock(&[pair(), pair()]);
    }
}
