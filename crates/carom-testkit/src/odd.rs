//! Zeros, infinities, NaN and extreme numbers, for tests of builders.

use crate::rng::{Rng, cases};
use core::fmt::Display;
use glam::DVec2;

/// The numbers. As counts they are truncated and saturate.
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

/// The numbers that a builder is given, in the order in which it asks for them: plain ones, and odd ones at
/// some places.
#[derive(Clone, Debug)]
pub struct Numbers<'a> {
    /// The places of odd numbers, counted from 0, and these.
    pub odd: &'a [(usize, f64)],
    /// How many numbers have been asked for.
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

/// Calls a test with plain numbers, with each odd one in place of each, and with this many random pairs of
/// odd ones. The test returns how many numbers it has asked for.
pub fn each_odd(pairs: u64, mut test: impl FnMut(&[(usize, f64)]) -> usize) {
    let (count, rng) = (test(&[]), &mut Rng::new(1));
    for at in 0..count {
        for odd in ODD {
            test(&[(at, odd)]);
        }
    }
    for _ in 0..cases(if count > 1 { pairs } else { 0 }) {
        let mut pair = || (rng.below(count), rng.pick(&ODD));
        test(&[pair(), pair()]);
    }
}

/// Calls a builder as [`each_odd`] does: plain numbers are accepted, and a refusal is a sentence of a line or
/// two.
pub fn works_or_says_why<E: Display>(what: &str, pairs: u64, build: impl Fn(&mut Numbers) -> Result<(), E>) {
    each_odd(pairs, |odd| {
        let n = &mut Numbers { odd, next: 0 };
        if let Err(error) = build(n) {
            let text = error.to_string();
            assert!(!odd.is_empty() && (16..200).contains(&text.len()), "{what} with {odd:?}: {text}");
        }
        n.next
    });
}
