//! Disc against disc: the bounds that `docs/derivations/disc-disc.md` derives.

use carom_math::DVec2;
use carom_math::toi::{self, Invariants};
use carom_math::tolerance::NEARLY_TOUCHING;
use proptest::prelude::*;

use crate::cases::{Pair, decades, oriented, pairs, slant, ulps};
use crate::judge::{Candidate, judge};
use crate::oracle::{Big, Quadratic, U, Vector};
use crate::run::law;

/// Largest error of a time, in units of `U (|d| + R)/(|v| s)`, `s` the steepness: the discs are off by that
/// many half ulps of their distance and reach, seen along the path.
///
/// Derived as 12, and half of the second term where the discriminant is not mostly rounding error: with
/// `t = c/(−b + √disc)`, `−b ≥ s |d| |v|`, `√disc = s R |v|` and `t/(−b) ≤ 1/a`, in units of `U/(|v| s)`,
/// `c` is off by 3 |d|², contributing 3 |d|; `disc` by `DISCRIMINANT`, contributing 5 (|d| + R); `b` by 2
/// |d|; root, sum and quotient by R + 2 |d|.
pub(crate) const TIME: f64 = 12.0;

/// Largest relative error of the time to close a gap below R²/1024, in units of `U/s²`.
///
/// Derived as 16: the gap itself is off by one rounding, so only the denominator counts. It is at least
/// `s R |v|` even when the whole root is lost, and off by `U R |v| (10/s + 2 + s)`; four more roundings.
/// To first order, where the root is not lost, `disc` contributes a quarter of its 10.
const CLOSING: f64 = 16.0;

/// Largest error of the discriminant, in units of `U |v|² (R² + p |d|)`, `p` the impact parameter: beyond it
/// a hit is never lost and a miss never hit.
///
/// Derived as 5: `a` 2, `R²` 1, product 1, difference 1 on R²; `d × v` doubled when squared: 4 on p |d|.
pub(crate) const DISCRIMINANT: f64 = 5.0;

/// Largest error of `b`, in units of `U |d| |v|`.
const APPROACH: f64 = 2.0;

/// Largest error of `squared_gap` beyond its own last rounding, in units of `U (|d|² + R²)`: two products
/// and a sum.
const GAP: f64 = 2.0;

/// Below `NEARLY_TOUCHING` the products and sums are double-doubles: the sum of the three squares is off by
/// at most this part of R², 2 · 3 · 2⁻¹⁰⁶ (1 + 1/1024).
pub(crate) const GAP_FLOOR: f64 = 8.0 / (1u128 << 106) as f64;

/// The contact of discs whose `d` and `reach` are given exactly.
pub(crate) fn first_contact(q: &Quadratic) -> Vec<Candidate> {
    contact_within(q, DISCRIMINANT, APPROACH)
}

/// The contact of discs whose `d` and `reach` are differences and sums that are rounded once: `(d × v)²` is
/// off by 2 p |d| more, `R²` by 2, and `b` by 1.
pub(crate) fn first_contact_of_sums(q: &Quadratic) -> Vec<Candidate> {
    contact_within(q, DISCRIMINANT + 2.0, APPROACH + 1.0)
}

fn contact_within(q: &Quadratic, discriminant: f64, approach: f64) -> Vec<Candidate> {
    let (band, b_band) = (discriminant * q.discriminant_unit(), approach * q.b_unit());
    let hit = q.b.is_negative() && q.discriminant.is_positive();
    let time = if !hit || !q.c.is_positive() { Big::zero() } else { q.first() };
    let certain = hit && q.discriminant.f64() > band && -q.b.f64() > b_band;
    let possible = q.discriminant.f64() >= -band && q.b.f64() <= b_band && q.speed > 0.0;
    if possible {
        vec![Candidate { time: time_in_band(q, time), unit: q.time_unit(), certain }]
    } else {
        vec![]
    }
}

/// Within the band of a graze the root may not exist: then the closest approach stands for it.
fn time_in_band(q: &Quadratic, time: Big) -> Big {
    if q.b.is_negative() && q.c.is_positive() && !q.discriminant.is_positive() {
        (-&q.b).over(&q.a)
    } else {
        time
    }
}

fn quadratic(p: &Pair) -> Quadratic {
    Quadratic::new(&p.d.into(), &p.v.into(), &Big::new(p.reach))
}

#[test]
fn time_of_impact() {
    law("disc_disc", 40_000, TIME, pairs(), |p| {
        judge(toi::disc_disc(p.d, p.v, p.reach), &first_contact(&quadratic(&p)))
    });
}

#[test]
fn closing_the_last_gap_is_relatively_exact() {
    let near = (pairs(), -13.0..-3.1, slant()).prop_map(|(p, gap, slant)| {
        // The generator's own touching pairs, and gaps down to 10⁻¹³ R with every heading.
        let along = p.d.normalize_or(DVec2::X) * p.reach * (1.0 + 10f64.powf(gap));
        let v = oriented(along, -slant.cos(), slant.sin());
        if p.d.length() < 1.0003 * p.reach { p } else { Pair { d: along, v, reach: p.reach } }
    });
    law("disc_disc, nearly touching", 40_000, CLOSING, near, |p| {
        let q = quadratic(&p);
        let gap = q.c.f64() / (p.reach * p.reach);
        let s2 = q.steepness().powi(2);
        let (Some(t), true) = (toi::disc_disc(p.d, p.v, p.reach), s2 > 0.0 && q.b.is_negative()) else {
            return Ok(0.0);
        };
        if !(gap > GAP_FLOOR && gap < 0.99 * NEARLY_TOUCHING) {
            return Ok(0.0);
        }
        // Below this the discriminant is its own rounding error, and only the absolute bound holds.
        if q.discriminant.f64() < DISCRIMINANT * q.discriminant_unit() {
            return Ok(0.0);
        }
        let exact = q.first();
        Ok(exact.distance(t) / exact.f64() / (U / s2 + GAP_FLOOR / gap))
    });
}

#[test]
fn squared_gap_is_off_by_a_few_roundings() {
    law("squared_gap", 40_000, GAP, pairs(), |p| {
        let (exact, got) = (quadratic(&p).c, toi::squared_gap(p.d, p.reach));
        let error = exact.distance(got) - U * exact.abs().f64();
        Ok((error / (U * (p.d.length_squared() + p.reach * p.reach))).max(0.0))
    });
}

#[test]
fn a_small_squared_gap_keeps_its_sign_and_digits() {
    law("squared_gap, nearly touching", 40_000, 1.0, pairs(), |p| {
        let (exact, got) = (quadratic(&p).c, toi::squared_gap(p.d, p.reach));
        let (size, floor) = (exact.abs().f64(), GAP_FLOOR * p.reach * p.reach);
        if size > 0.99 * NEARLY_TOUCHING * p.reach * p.reach {
            return Ok(0.0);
        }
        if size > floor && (got > 0.0) != exact.is_positive() {
            return Err(format!("sign of {} lost: {got}", exact.f64()));
        }
        Ok(exact.distance(got) / (U * size + floor).max(f64::MIN_POSITIVE))
    });
}

#[test]
fn within_a_step() {
    let cases = (pairs(), one_of![decades(-3.0, 3.0), (-4i64..5).prop_map(|k| k as f64)]);
    law("disc_disc_within", 20_000, TIME + 1.0, cases, |(p, step)| {
        let Some(t) = toi::disc_disc(p.d, p.v, p.reach) else {
            return match toi::disc_disc_within(p.d, p.v, p.reach, 1.0) {
                None => Ok(0.0),
                Some(f) => Err(format!("fraction {f} of a contact that is none")),
            };
        };
        // Steps around the contact: by factors, and by single ulps.
        let dt = if step.fract() == 0.0 { ulps(t, step as i64) } else { t * step };
        if !(dt > 0.0 && dt.is_finite()) {
            let none = toi::disc_disc_within(p.d, p.v, p.reach, dt).is_none();
            return if none { Ok(0.0) } else { Err(format!("an answer for a step of {dt}")) };
        }
        match toi::disc_disc_within(p.d, p.v, p.reach, dt) {
            None if t > dt => Ok(0.0),
            Some(f) if t <= dt && (0.0..=1.0).contains(&f) => {
                let q = quadratic(&p);
                let unit = q.time_unit() + U * t;
                let time = Big::new(f) * Big::new(dt);
                Ok(first_contact(&q)
                    .iter()
                    .map(|c| (&time - &c.time).abs().f64() / unit)
                    .fold(f64::INFINITY, f64::min))
            }
            answer => Err(format!("{answer:?} for contact at {t} in a step of {dt}")),
        }
    });
}

#[test]
fn no_step_no_answer() {
    let (d, v) = (DVec2::new(3.0, 0.0), DVec2::new(-1.0, 0.0));
    for dt in [0.0, -0.0, -1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(toi::disc_disc_within(d, v, 1.0, dt), None, "{dt}");
    }
    assert_eq!(toi::disc_disc_within(d, v, 1.0, 2.0), Some(1.0));
    assert_eq!(toi::disc_disc_within(d, v, 1.0, 8.0), Some(0.25));
    assert_eq!(toi::disc_disc_within(d, v, 1.0, 2.0 - f64::EPSILON), None);
}

/// As `TIME`, with `|d|` rounded once more in the invariants, and the rounding of `d·v` and `|d × v|²`.
const INVARIANTS: f64 = 12.0;

/// A disc pair, turned into space about the x axis: components then have nothing to do with the plane's.
pub(crate) fn spheres(p: &Pair, turn: f64) -> (Quadratic, Invariants) {
    let (cos, sin) = (turn.cos(), turn.sin());
    let d = Vector::new(&[p.d.x, p.d.y * cos, p.d.y * sin]);
    let v = Vector::new(&[p.v.x, p.v.y * cos, p.v.y * sin]);
    let q = Quadratic::new(&d, &v, &Big::new(p.reach));
    let (a, b) = (q.a.clone(), q.b.clone());
    let cross2 = &(&a * &d.dot(&d)) - &b.squared();
    let numbers = Invariants {
        speed2: a.f64(),
        approach: b.f64(),
        cross2: cross2.f64(),
        distance: d.dot(&d).sqrt().f64(),
        reach: p.reach,
    };
    (q, numbers)
}

#[test]
fn spheres_by_their_invariants() {
    let cases = (pairs(), 0.0..std::f64::consts::TAU);
    law("Invariants, spheres", 30_000, INVARIANTS, cases, |(p, turn)| {
        let (q, numbers) = spheres(&p, turn);
        judge(numbers.time_of_impact(), &first_contact(&q))
    });
}

/// There is no epsilon for "not moving": zero and the smallest numbers need no branch of their own.
#[test]
fn standing_still_needs_no_epsilon() {
    let tiniest = f64::from_bits(1);
    for d in [DVec2::new(3.0, 0.0), DVec2::new(0.5, 0.0), DVec2::ZERO, DVec2::new(1.0, 0.0)] {
        assert_eq!(toi::disc_disc(d, DVec2::ZERO, 1.0), None, "{d}");
        assert_eq!(toi::disc_disc(d, DVec2::new(-0.0, 0.0), 1.0), None, "{d}");
        // v·v underflows to 0: no contact either, and none before 10¹⁵⁰ s is lost with it.
        assert_eq!(toi::disc_disc(d, DVec2::new(-tiniest, 0.0), 1.0), None, "{d}");
    }
    // Slow is not still: 10⁻¹⁴⁰ a second meets after 2 · 10¹⁴⁰ s.
    let slow = toi::disc_disc(DVec2::new(3.0, 0.0), DVec2::new(-1e-140, 0.0), 1.0).unwrap();
    assert!((slow / 2e140 - 1.0).abs() < 4.0 * f64::EPSILON, "{slow:e}");
    // A common guard, v·v < 10⁻¹² "does not move", would lose a contact in two weeks at a micrometre a
    // second.
    let creep = toi::disc_disc(DVec2::new(2.0, 0.0), DVec2::new(-0.9e-6, 0.0), 1.0).unwrap();
    assert!(creep < 14.0 * 86_400.0);
}

/// A contact is a gap that falls. Discs inside each other that pass at a right angle are at their closest:
/// the gap does not fall, and rises from there on.
#[test]
fn at_the_closest_approach_there_is_no_contact() {
    for d in [DVec2::new(0.5, 0.0), DVec2::new(-0.5, 0.0), DVec2::new(0.3, 0.4)] {
        assert_eq!(toi::disc_disc(d, d.perp(), 1.0), None, "{d}");
        assert_eq!(toi::disc_disc(d, d.perp() - d * f64::EPSILON, 1.0), Some(0.0), "{d}");
        let across = Invariants { speed2: 1.0, approach: 0.0, cross2: 0.25, distance: 0.5, reach: 1.0 };
        assert_eq!(across.time_of_impact(), None);
        assert_eq!(Invariants { approach: -1e-300, ..across }.time_of_impact(), Some(0.0));
    }
}

#[test]
fn what_is_not_a_number_never_meets() {
    let (d, v) = (DVec2::new(3.0, 0.0), DVec2::new(-1.0, 0.0));
    let nan = DVec2::new(f64::NAN, 0.0);
    assert_eq!(toi::disc_disc(nan, v, 1.0), None);
    assert_eq!(toi::disc_disc(d, nan, 1.0), None);
    assert_eq!(toi::disc_disc(d, v, f64::NAN), None);
}
