//! When two discs touch that do not move uniformly relative to each other: by friction, or a thruster.

use super::seen::SeenDisc;
use carom_engine::DVec2;

/// The motion of a disc from the present on: a parabola, until friction has stopped it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leg {
    velocity: DVec2,
    pub(super) acceleration: DVec2,
    /// In how many seconds it stops; infinite if never.
    pub(super) until: f64,
}

impl Leg {
    /// Of a disc in a world in which it is so heavy for its mass.
    pub(super) fn of(disc: &SeenDisc, weight: f64) -> Self {
        let (velocity, acceleration) = (disc.velocity(), disc.acceleration());
        let slowing = disc.body().friction * weight;
        let until = if slowing > 0.0 { velocity.length() / slowing } else { f64::INFINITY };
        Leg { velocity, acceleration, until }
    }

    /// How far it is in `s` seconds from where it is now. Of the past it is the same parabola.
    pub(super) fn way(&self, s: f64) -> DVec2 {
        let s = s.min(self.until);
        (self.velocity + self.acceleration * (0.5 * s)) * s
    }

    /// Velocity and acceleration just after `s` seconds.
    fn after(&self, s: f64) -> [DVec2; 2] {
        if s >= self.until {
            return [DVec2::ZERO; 2];
        }
        [self.velocity + self.acceleration * s, self.acceleration]
    }
}

/// The contact times that come, or, if none do, the last ones that were; the second one is infinite if they
/// do not part. `d` is from the first disc to the second, which touch at a distance of `reach`.
pub(super) fn contacts(d: DVec2, [a, b]: [Leg; 2], reach: f64) -> Option<(f64, f64)> {
    let stops = [a.until.min(b.until), a.until.max(b.until)];
    let mut begins = vec![f64::NEG_INFINITY];
    begins.extend(stops.into_iter().filter(|stop| stop.is_finite()));
    let mut times = Vec::new();
    for (k, &begin) in begins.iter().enumerate() {
        let end = begins.get(k + 1).copied().unwrap_or(f64::INFINITY);
        let from = if begin.is_finite() { begin } else { 0.0 };
        let [v, acceleration] = [0, 1].map(|k| b.after(from)[k] - a.after(from)[k]);
        let polynomial = squared_gap(d + b.way(from) - a.way(from), v, acceleration, reach);
        let bound = bound(&polynomial);
        let (low, high) = ((begin - from).max(-bound), (end - from).min(bound));
        times.extend(crossings(&polynomial, low, high).into_iter().map(|s| s + from));
    }
    // They are apart at first, if they were ever apart, so every other crossing is an end.
    let pairs = times.chunks(2).map(|pair| (pair[0], pair.get(1).copied().unwrap_or(f64::INFINITY)));
    let mut pairs = pairs.collect::<Vec<_>>().into_iter();
    let last = pairs.as_slice().last().copied();
    pairs.find(|pair| pair.1 >= 0.0).or(last)
}

/// The coefficients of `|d + v s + a s²/2|² − R²`, the constant one first.
fn squared_gap(d: DVec2, v: DVec2, a: DVec2, reach: f64) -> [f64; 5] {
    let constant = d.length_squared() - reach * reach;
    [constant, 2.0 * d.dot(v), v.length_squared() + d.dot(a), v.dot(a), 0.25 * a.length_squared()]
}

/// No root of a polynomial is farther from 0 than this (Fujiwara, 1916).
fn bound(polynomial: &[f64]) -> f64 {
    let Some(degree) = polynomial.iter().rposition(|&c| c != 0.0) else { return 0.0 };
    let terms = polynomial[..degree].iter().enumerate();
    let terms = terms.map(|(k, c)| (c / polynomial[degree]).abs().powf(1.0 / (degree - k) as f64));
    2.0 * terms.fold(0.0, f64::max)
}

/// Where a polynomial changes its sign, in order: between places where its derivative does it is monotonic,
/// and has one root at most, which halving finds to the last bit.
fn crossings(polynomial: &[f64], low: f64, high: f64) -> Vec<f64> {
    if polynomial.len() < 2 || low >= high {
        return Vec::new();
    }
    let value = |s: f64| polynomial.iter().rev().fold(0.0, |sum, c| sum * s + c);
    let derivative: Vec<f64> = polynomial.iter().enumerate().skip(1).map(|(k, c)| c * k as f64).collect();
    let mut edges = vec![low];
    edges.extend(crossings(&derivative, low, high));
    edges.push(high);
    let ends = edges.windows(2).filter(|ends| (value(ends[0]) > 0.0) != (value(ends[1]) > 0.0));
    ends.map(|ends| {
        let [mut before, mut after] = [ends[0], ends[1]];
        let is_positive = value(before) > 0.0;
        loop {
            let middle = before + 0.5 * (after - before);
            if middle <= before || middle >= after {
                return after;
            }
            *(if (value(middle) > 0.0) == is_positive { &mut before } else { &mut after }) = middle;
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(s + 3)(s − 1)(s − 2)(s − 2.5)`, and a double root, at which no sign changes.
    #[test]
    fn crossings_are_all_roots_of_odd_order() {
        let four = [-15.0, 23.5, -7.0, -2.5, 1.0];
        let found = crossings(&four, -bound(&four), bound(&four));
        assert_eq!(found.len(), 4);
        for (found, root) in found.iter().zip([-3.0, 1.0, 2.0, 2.5]) {
            assert!((found - root).abs() < 1e-14, "{found} {root}");
        }
        let twice = [1.0, -2.0, 1.0, 0.0, 0.0];
        assert!(crossings(&twice, -9.0, 9.0).len().is_multiple_of(2));
        assert!(crossings(&[0.0; 5], -9.0, 9.0).is_empty() && bound(&[0.0; 5]) == 0.0);
    }
}
