//! Overlap against exact arithmetic, away from the rounding of the squares.

use carom_math::overlap::{overlaps, overlaps_at, touches_or_overlaps, touches_or_overlaps_at};
use proptest::prelude::*;

use crate::cases::{pairs, scale};
use crate::oracle::{Big, U, Vector};
use crate::run::law;

/// Half width of the band around |d| = R within which the rounded squares may disagree with the exact ones,
/// in units of `U (|d|² + R²)`: two roundings of |d|², one of R².
const BAND: f64 = 2.0;

/// Compares whether discs overlap, and whether they touch or overlap, with a squared gap that is known to
/// `band`.
fn judge(answers: (bool, bool), gap: f64, band: f64) -> Result<f64, String> {
    match answers {
        (true, true) if gap < band => Ok(0.0),
        (false, false) if gap > -band => Ok(0.0),
        (false, true) if gap.abs() <= band => Ok(0.0),
        other => Err(format!("{other:?} for a squared gap of {gap:e} ± {band:e}")),
    }
}

#[test]
fn now() {
    law("overlaps", 30_000, 0.0, pairs(), |p| {
        let d = Vector::from(p.d);
        let gap = (d.dot(&d) - Big::new(p.reach).squared()).f64();
        let band = BAND * U * (p.d.length_squared() + p.reach * p.reach);
        judge((overlaps(p.d, p.reach), touches_or_overlaps(p.d, p.reach)), gap, band)
    });
}

#[test]
fn later() {
    // From the time to cross a contact distance and around it, into the past too.
    let cases = (pairs(), -30.0..30.0f64, one_of![3 => Just(1.0), 1 => scale()]);
    law("overlaps_at", 30_000, 0.0, cases, |(p, dt, stretch)| {
        let speed = p.v.length();
        let dt = if speed > 0.0 { dt * stretch * p.reach / speed } else { dt };
        let at = Vector::from(p.d).ahead(&p.v.into(), &Big::new(dt));
        let gap = (at.dot(&at) - Big::new(p.reach).squared()).f64();
        // The position itself is rounded: by the path, and by the sum.
        let (there, moved) = (at.length(), U * (speed * dt.abs() + at.length()));
        let band = BAND * U * (there * there + p.reach * p.reach) + 4.0 * moved * (there + moved);
        let answers = (overlaps_at(p.d, p.v, p.reach, dt), touches_or_overlaps_at(p.d, p.v, p.reach, dt));
        judge(answers, gap, band).map_err(|error| format!("{error} after {dt:e}"))
    });
}
