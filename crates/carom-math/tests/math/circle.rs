//! Disc against circle: from outside, and from inside as a round room.

use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::tolerance::{NEARLY_TOUCHING, TOUCH_ULPS};
use carom_math::{Circle, DVec2};
use proptest::prelude::*;

use crate::cases::{Pair, decades, oriented, pairs, rooms, scale};
use crate::disc_disc::{GAP_FLOOR, TIME, first_contact_of_sums};
use crate::judge::{Candidate, judge};
use crate::oracle::{Big, Quadratic, U, Vector};
use crate::run::law;

/// In the unit of `disc_disc`, from outside: its bound, and one rounding each of `p − q` and `R + r`.
pub(crate) const OUTSIDE: f64 = TIME + 2.0;

/// In the same unit, from inside. Derived as 18: with `t = (−b + √(b² − a c))/a`, in units of `U/(|v| s)`,
/// `b` contributes 2 |d|, and 4 |d| more by its square; `c`, off by 4 R², contributes 4 R; `a` and the
/// products 5 R, root, sum and quotient 8 R; the roundings of `p − q` and `R − r` |d| + R.
pub(crate) const INSIDE: f64 = 18.0;

/// A disc and a circle whose centre, seen from that of the circle, moves as the pair says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) disc: Motion,
    pub(crate) circle: Circle,
}

impl Case {
    pub(crate) fn outside(&self) -> Quadratic {
        self.quadratic(Big::new(self.circle.radius) + Big::new(self.disc.radius))
    }

    /// The room that is left for the centre, 0 for a disc that does not fit.
    pub(crate) fn inside(&self) -> Quadratic {
        let room = Big::new(self.circle.radius) - Big::new(self.disc.radius);
        self.quadratic(if room.is_negative() { Big::zero() } else { room })
    }

    pub(crate) fn quadratic(&self, reach: Big) -> Quadratic {
        Quadratic::new(&self.offset(), &self.disc.velocity.into(), &reach)
    }

    pub(crate) fn offset(&self) -> Vector {
        Vector::from(self.disc.position).minus(&self.circle.center.into())
    }
}

/// Share of the contact distance that is the disc's own radius, and place of the circle in its radii.
fn shares() -> impl Strategy<Value = (f64, f64)> {
    (one_of![Just(0.0), Just(0.5), 0.0..1.0, decades(-9.0, 0.0)], one_of![Just(0.0), decades(-2.0, 9.0)])
}

fn case(p: Pair, circle: f64, disc: f64, far: f64) -> Case {
    let center = DVec2::new(0.6, -0.8) * (far * p.reach);
    Case { disc: Motion::new(center + p.d, p.v, disc), circle: Circle { center, radius: circle } }
}

pub(crate) fn outside() -> impl Strategy<Value = Case> {
    (pairs(), shares()).prop_map(|(p, (share, far))| {
        let disc = p.reach * share;
        case(p, p.reach - disc, disc, far)
    })
}

pub(crate) fn inside() -> impl Strategy<Value = Case> {
    // At times the disc is larger than the room.
    let too_large = prop::bool::weighted(0.03);
    (rooms(), shares(), too_large).prop_map(|(p, (share, far), too_large)| {
        let disc = p.reach * share;
        case(p, if too_large { disc * 0.7 } else { p.reach + disc }, disc, far)
    })
}

/// When the centre leaves the room: exact, and in every case there is an answer unless the disc rests.
pub(crate) fn exit(q: &Quadratic) -> Vec<Candidate> {
    if q.speed == 0.0 {
        return vec![];
    }
    let time = match () {
        () if !q.c.is_positive() => q.last(),
        () if !q.b.is_negative() => Big::zero(),
        () if q.discriminant.is_positive() => q.last(),
        () => (-&q.b).over(&q.a),
    };
    vec![Candidate { time, unit: q.time_unit(), certain: true }]
}

#[test]
fn from_outside() {
    law("disc_circle_outside", 40_000, OUTSIDE, outside(), |case| {
        let met = toi::disc_circle_outside(&case.disc, &case.circle, Memory::Met(Side::Front));
        if met.is_some() {
            return Err(format!("meets again at {met:?}"));
        }
        let got = toi::disc_circle_outside(&case.disc, &case.circle, Memory::None);
        judge(got, &first_contact_of_sums(&case.outside()))
    });
}

#[test]
fn from_inside() {
    law("disc_circle_inside", 40_000, INSIDE, inside(), |case| {
        judge(toi::disc_circle_inside(&case.disc, &case.circle, Memory::None), &exit(&case.inside()))
    });
}

/// Relative error of a time inside, next to the wall and with `d` and the room given exactly, in units of
/// `U (1 + 1/s)`: b² and −a c have one sign, so the discriminant does not cancel, and even a disc that
/// skims along the wall knows its time to `1/s`, not `1/s²`. Derived as 8: `b` is off by 2/s of the root,
/// once by itself and once by its square; `a`, `c`, root, sum and quotient by 8.
const SKIMMING: f64 = 8.0;

#[test]
fn skimming_the_wall_does_not_cancel() {
    law("disc_circle_inside, skimming", 40_000, SKIMMING, rooms(), |p| {
        let case = case(p, p.reach, 0.0, 0.0);
        let q = case.inside();
        let depth = -q.c.f64() / (p.reach * p.reach);
        let exactly_there = depth == 0.0 || depth > GAP_FLOOR;
        if !(exactly_there && depth < 0.99 * NEARLY_TOUCHING && q.discriminant.is_positive()) {
            return Ok(0.0);
        }
        let t = toi::disc_circle_inside(&case.disc, &case.circle, Memory::None).ok_or("never leaves")?;
        let exact = q.last();
        if !exact.is_positive() {
            return if t == 0.0 { Ok(0.0) } else { Err(format!("{t:e} instead of now")) };
        }
        // At most at a right angle to the normal, b itself is rounding error: then the bound is absolute.
        let unit = U * (1.0 + 1.0 / q.steepness()) + if depth > 0.0 { GAP_FLOOR / depth } else { 0.0 };
        let relative = exact.distance(t) / exact.f64() / unit;
        Ok(if q.b.abs().f64() < 4.0 * q.b_unit() {
            relative.min(exact.distance(t) / q.time_unit())
        } else {
            relative
        })
    });
}

#[test]
fn the_chord_after_an_impact() {
    law("disc_circle_inside, just met", 40_000, INSIDE, inside(), |case| {
        let q = case.inside();
        let got = toi::disc_circle_inside(&case.disc, &case.circle, Memory::Met(Side::Back));
        if q.speed == 0.0 || (q.c.f64() / (q.reach * q.reach)).abs() > 1e-4 {
            return Ok(0.0);
        }
        // Its velocity leads inwards, whatever rounding says: the far end of the chord through it.
        let inwards = q.b.abs();
        let disc = if q.discriminant.is_negative() { Big::zero() } else { q.discriminant.clone() };
        let time = (disc.sqrt() + inwards).over(&q.a);
        judge(got, &[Candidate { time, unit: q.time_unit(), certain: true }])
    });
}

/// Which chords are sliding: shorter than 2⁻³³ of the room. They are flown until the sagitta `|v|² t² / 2R`
/// is half of what counts as touching, 2 · 2⁻⁵² R; all others to their far end, 2 |d·v| / |v|².
///
/// Relative error in units of `U`. On an axis the gap is exactly 0; `b` is off by 1, its square's root by 1,
/// `a` by 2, sum and quotient by 2. The flattest chord is off by 3.
#[test]
fn sliding_is_a_chord_below_a_fraction_of_the_room() {
    const SLIDING: f64 = 1.0 / (1u64 << 33) as f64;
    let off = one_of![
        2 => decades(-16.0, -4.0),
        1 => (decades(-12.0, -1.0), any::<bool>())
            .prop_map(|(x, n)| 0.5 * SLIDING * if n { 1.0 - x } else { 1.0 + x }),
    ];
    let cases = (off, 0usize..4, any::<bool>(), scale(), scale());
    law("sliding along the wall", 20_000, 6.0, cases, |(off, axis, left, radius, speed)| {
        let along = [DVec2::X, DVec2::Y, DVec2::NEG_X, DVec2::NEG_Y][axis];
        let room = Circle { center: DVec2::ZERO, radius };
        let velocity = oriented(along, -off.sin(), if left { off.cos() } else { -off.cos() }) * speed;
        let disc = Motion::new(along * radius, velocity, 0.0);
        let got = toi::disc_circle_inside(&disc, &room, Memory::Met(Side::Back)).ok_or("never leaves")?;
        let (v, d) = (Vector::from(velocity), Vector::from(disc.position));
        let speed2 = v.dot(&v);
        let chord = (Big::new(2.0) * d.dot(&v).abs()).over(&speed2);
        let sagitta = Big::new(0.5 * TOUCH_ULPS * f64::EPSILON * radius);
        let flattest = (Big::new(2.0 * radius) * sagitta).over(&speed2).sqrt();
        let error = |t: &Big| t.distance(got) / t.f64() / U;
        let share = (&chord * &speed2.sqrt()).f64() / radius;
        Ok(match share / SLIDING - 1.0 {
            short if short < -1e-14 => error(&flattest),
            long if long > 1e-14 => error(&chord),
            _ => error(&flattest).min(error(&chord)),
        })
    });
}

/// A chord at 10⁻⁸ rad to the wall, thousands of bounces in a row by rotation: none is lost, none doubled.
#[test]
fn whispering_gallery() {
    let room = Circle { center: DVec2::ZERO, radius: 1.0 };
    let angle = 1e-8f64;
    let chord = 2.0 * angle.sin();
    let mut position = DVec2::new(1.0, 0.0);
    let mut velocity = DVec2::new(-angle.sin(), angle.cos());
    for bounce in 0..10_000 {
        let disc = Motion::new(position, velocity, 0.0);
        let t = toi::disc_circle_inside(&disc, &room, Memory::Met(Side::Back)).unwrap();
        // A position is off by up to an ulp, seen along the chord 10⁸ times as much: as long as the chord
        // itself.
        assert!(t >= 0.0 && t < 4.0 * chord, "bounce {bounce}: {t:e}");
        position += velocity * t;
        let normal = position / position.length();
        velocity -= 2.0 * velocity.dot(normal) * normal;
        assert!((position.length() - 1.0).abs() < 1e-15 * f64::from(bounce + 8));
    }
}

/// Distance of the edge, in units of `U (|d| + R + r)`: `p − q` 1, its length 3, sums 2.
#[test]
fn gaps() {
    law("gaps to circles", 30_000, 6.0, one_of![outside(), inside()], |case| {
        let Case { disc, circle } = &case;
        let d = case.offset();
        let unit = (U * (d.length() + circle.radius + disc.radius)).max(f64::MIN_POSITIVE);
        let distance = d.dot(&d).sqrt();
        let (ring, own) = (Big::new(circle.radius), Big::new(disc.radius));
        let outer = toi::gap_disc_circle_outside(disc, circle);
        let inner = toi::gap_disc_circle_inside(disc, circle);
        assert_eq!((outer.side, inner.side), (Side::Front, Side::Back));
        assert!((inner.normal.length() - 1.0).abs() < 4.0 * U);
        // What fits touches all of the circle in its middle: it faces what is ahead.
        let ahead = disc.velocity.try_normalize().unwrap_or(DVec2::X);
        if !(toi::fits(circle, disc.radius) && inner.normal.distance(ahead) < 4.0 * U) {
            assert_eq!(outer.normal, -inner.normal);
            assert!(d.length() > 0.0 || inner.normal == DVec2::X);
        }
        let front = (&distance - &(&ring + &own)).distance(outer.distance);
        let back = ((ring - own) - distance).distance(inner.distance);
        Ok(front.max(back) / unit)
    });
}
