//! Discs that grow, against the quadratic with its growth in it, `|d + w t|² = (R + Γ t)²`, in exact
//! arithmetic: not the form that is tested, which grows with the discs.

use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::{Circle, DVec2, HalfPlane, Periods, Segment};
use proptest::prelude::*;

use crate::cases::{Pair, decades, few_ulps, pairs, ulps};
use crate::judge::{Candidate, judge};
use crate::oracle::{Big, Quadratic, U, Vector};
use crate::run::law;

/// Largest error of a time, in the units of [`candidates`].
///
/// Derived as 12 for the root (`disc_disc`); 2 for each component of `u`, whose product and difference are
/// rounded, seen over the time `τ`, which has a unit of its own; 3 for `h τ`, `1 − h τ` and the quotient.
const GROWING: f64 = 12.0;

/// As that, where `d` and `R` are a difference and a sum that were rounded, and the rate a quotient of such.
const OF_SUMS: f64 = 15.0;

/// What exact arithmetic knows of a pair. `speed` is `Γ`, at which the contact distance grows.
fn candidates(d: &Vector, w: &Vector, reach: &Big, speed: &Big) -> Vec<Candidate> {
    let rate = if reach.is_positive() { speed.over(reach) } else { Big::zero() };
    let shrinking = d.times(&rate);
    let u = w.minus(&shrinking);
    let q = Quadratic::new(d, &u, reach);
    let (h, rounding) = (rate.f64(), w.length() + rate.f64() * d.length());
    // How much larger the rounding of u is than that of a velocity of its size.
    let amplified = if q.speed > 0.0 { rounding / q.speed } else { f64::INFINITY };
    let band = (5.0 + 4.0 * amplified) * q.discriminant_unit();
    let b_band = (2.0 + 2.0 * amplified) * q.b_unit();
    let hit = q.b.is_negative() && q.discriminant.is_positive();
    let certain = hit && q.discriminant.f64() > band && -q.b.f64() > b_band;
    let possible = !(q.discriminant.f64() < -band) && !(q.b.f64() > b_band);
    if !possible {
        return Vec::new();
    }
    if hit && !q.c.is_positive() {
        // Of a reach that was rounded the gap may be a rounding on the other side of 0.
        let unit = q.time_unit();
        return vec![Candidate { time: Big::zero(), unit, certain }];
    }
    // The time in the frame that grows, and what is left of it.
    let tau = if hit { q.first().f64() } else { 0.0 };
    let unit = q.time_unit() * (1.0 + tau * rounding / (d.length() + reach.f64()));
    let left = 1.0 - h * tau;
    let known = certain && left > 100.0 * (h * unit + U);
    let candidate = match first_root(d, w, reach, speed) {
        Some(time) if known => {
            let unit = unit / (left * left) + U * time.f64() / left;
            Candidate { time, unit, certain: true }
        }
        // Grazes, and meetings at the end of all time: whatever the answer.
        _ => Candidate { time: Big::zero(), unit: f64::INFINITY, certain: false },
    };
    if known || left > -100.0 * (h * unit + U) || !certain { vec![candidate] } else { Vec::new() }
}

/// The first positive root of `(w² − Γ²) t² + 2 (d·w − R Γ) t + d² − R²` with `d² > R²`, whatever the sign of
/// its first coefficient.
fn first_root(d: &Vector, w: &Vector, reach: &Big, speed: &Big) -> Option<Big> {
    let a = w.dot(w) - speed.squared();
    let b = d.dot(w) - reach * speed;
    let c = d.dot(d) - reach.squared();
    let discriminant = b.squared() - &a * &c;
    if discriminant.is_negative() {
        return None;
    }
    let sum = &discriminant.sqrt() - &b;
    let is_ahead = if a.is_positive() { b.is_negative() } else { sum.is_positive() };
    is_ahead.then(|| c.over(&sum))
}

#[derive(Clone, Copy, Debug)]
struct Growing {
    pair: Pair,
    rate: f64,
}

/// Pairs as ever, with rates that hardly matter, that are all that matters, at which surfaces are as fast as
/// discs to some ulps, or at which the pair just keeps its shape.
fn growing() -> impl Strategy<Value = Growing> {
    let kind = one_of![
        3 => decades(-3.0, 3.0).prop_map(|factor| (0, factor, 0)),
        1 => decades(-15.0, 15.0).prop_map(|factor| (0, factor, 0)),
        1 => few_ulps().prop_map(|k| (1, 1.0, k)),
        1 => few_ulps().prop_map(|k| (2, 1.0, k)),
        1 => decades(-3.0, 3.0).prop_map(|factor| (3, factor, 0)),
    ];
    (pairs(), kind).prop_map(|(mut pair, (kind, factor, k))| {
        let speed = pair.v.length();
        let distance = pair.d.length();
        let rate = match kind {
            1 => ulps(speed / pair.reach, k),
            2 if distance > 0.0 => {
                // Away from each other as fast as the frame grows, up to ulps.
                let rate = speed / distance;
                pair.v = DVec2::new(ulps(pair.d.x * rate, k), pair.d.y * rate);
                rate
            }
            3 => {
                pair.v = DVec2::ZERO;
                factor
            }
            _ => factor * speed / pair.reach,
        };
        Growing { pair, rate }
    })
}

#[test]
fn time_of_impact() {
    law("disc_disc_growing", 60_000, GROWING, growing(), |Growing { pair: p, rate }| {
        let reach = Big::new(p.reach);
        let exact = candidates(&p.d.into(), &p.v.into(), &reach, &(&reach * &Big::new(rate)));
        judge(toi::disc_disc_growing(p.d, p.v, p.reach, rate), &exact)
    });
}

/// A fixed disc that does not grow with the other.
#[test]
fn time_to_a_fixed_disc() {
    let cases = (growing(), one_of![1 => Just(0.0), 1 => Just(1.0), 3 => 0.0..1.0]);
    law("disc_circle_outside_growing", 40_000, OF_SUMS, cases, |(Growing { pair: p, rate }, share)| {
        let (radius, fixed) = (p.reach * share, p.reach * (1.0 - share));
        let disc = Motion { growth: rate, ..Motion::new(p.d, p.v, radius) };
        let circle = Circle { center: DVec2::ZERO, radius: fixed };
        let reach = Big::new(radius) + Big::new(fixed);
        let exact = candidates(&p.d.into(), &p.v.into(), &reach, &(Big::new(radius) * Big::new(rate)));
        judge(toi::disc_circle_outside(&disc, &circle, Memory::None), &exact)
    });
}

/// A rate of 0 gives the bits of the plain function.
#[test]
fn no_growth_is_no_growth() {
    law("growth of 0", 40_000, 0.0, pairs(), |p| {
        let [growing, plain] =
            [toi::disc_disc_growing(p.d, p.v, p.reach, 0.0), toi::disc_disc(p.d, p.v, p.reach)];
        if growing.map(f64::to_bits) == plain.map(f64::to_bits) { Ok(0.0) } else { Err(format!("{p:?}")) }
    });
}

/// Largest error of a time to reach a line, in units of `U (|p − q| + (|v| + h r) t)/w`, `w` the speed of
/// approach: as without growth 4, with a rounding more of `h r`.
const LINE: f64 = 5.0;

/// With the line, the edge comes nearer at `h r − v·n`: a half-plane, and a segment where it is long enough.
#[test]
fn time_to_a_line() {
    law("lines, growing", 40_000, LINE, growing(), |Growing { pair: p, rate }| {
        let disc = Motion { growth: rate, ..Motion::new(p.d, p.v, p.reach) };
        let normal = DVec2::new(0.6, 0.8);
        let plane = HalfPlane { point: DVec2::ZERO, normal };
        let n = Vector::from(normal);
        let height = Vector::from(p.d).dot(&n);
        let swelling = Big::new(p.reach) * Big::new(rate);
        let closing = &swelling - &Vector::from(p.v).dot(&n);
        let speeds = p.v.length() + swelling.f64();
        let gap = &height - &Big::new(p.reach);
        let time = if gap.is_positive() && closing.is_positive() { gap.over(&closing) } else { Big::zero() };
        let certain = closing.f64() > 4.0 * U * speeds;
        let unit = U * (p.d.length() + p.reach + speeds * time.f64()) / closing.f64().abs();
        let got = toi::disc_half_plane(&disc, &plane, Memory::None);
        let possible = closing.f64() > -4.0 * U * speeds;
        let candidates =
            if possible { vec![Candidate { time: time.clone(), unit, certain }] } else { Vec::new() };
        let error = if certain || !possible { judge(got, &candidates)? } else { 0.0 };
        // The normal of a segment is to the left of its direction.
        let long = 1e6 * (p.d.length() + (p.v.length() + p.reach * rate) * time.f64() + p.reach);
        let direction = DVec2::new(normal.y, -normal.x);
        let segment = Segment { start: direction * (-0.5 * long), direction, length: long };
        if gap.is_positive() && certain && long.is_finite() {
            let hit = toi::disc_segment_side(&disc, &segment, Memory::None);
            // The start that is far away costs its digits.
            let error = hit.map_or(f64::INFINITY, |(t, _)| time.distance(t)) * closing.f64() / (U * long);
            if error > 8.0 || hit.is_some_and(|(_, side)| side != Side::Front) {
                return Err(format!("{hit:?} on a segment, error {error}"));
            }
        }
        Ok(error)
    });
}

/// The stretch ends where the centre is beyond it at the contact, and there its end is hit.
#[test]
fn ends_of_segments() {
    let segment = Segment::new(DVec2::new(0.0, 0.0), DVec2::new(10.0, 0.0)).unwrap();
    let at = |x: f64, v: f64| Motion { growth: 0.5, ..Motion::new(DVec2::new(x, 2.0), DVec2::X * v, 1.0) };
    // Over the stretch, at rest and gliding: the edge comes down at ½.
    for (x, v) in [(5.0, 0.0), (0.0, 0.0), (10.0, -0.3), (-3.0, 2.0)] {
        let hit = toi::disc_segment_side(&at(x, v), &segment, Memory::None);
        assert_eq!(hit, Some((2.0, Side::Front)), "{x} {v}");
    }
    for (x, v) in [(-0.1, 0.0), (9.0, 1.0)] {
        assert_eq!(toi::disc_segment_side(&at(x, v), &segment, Memory::None), None, "{x} {v}");
    }
    // 3-4-5 from the end: a radius of 1 has grown to 5 after 8 s.
    let beside = Motion { growth: 0.5, ..Motion::new(DVec2::new(-3.0, 4.0), DVec2::ZERO, 1.0) };
    let hit = toi::disc_one_sided_end(&beside, segment.start, DVec2::Y, Memory::None).unwrap();
    assert!((hit - 8.0).abs() < 1e-14, "{hit}");
    let behind = Motion { position: DVec2::new(-3.0, -4.0), ..beside };
    assert_eq!(toi::disc_one_sided_end(&behind, segment.start, DVec2::Y, Memory::None), None);
    let met = Memory::Met(Side::Front);
    assert_eq!(toi::disc_one_sided_end(&beside, segment.start, DVec2::Y, met), None);
    assert_eq!(toi::disc_segment_side(&at(5.0, 0.0), &segment, met), None);
}

/// Who recedes as fast as the frame grows, or faster, is never met: 1/h is the end of the time of that frame.
#[test]
fn at_the_end_of_time() {
    let (d, reach, rate) = (DVec2::X * 3.0, 2.0, 0.5);
    // Surfaces come at 1 a second.
    for speed in [1.0, 1.0 + f64::EPSILON, 1.25, 1.5, 7.0] {
        assert_eq!(toi::disc_disc_growing(d, DVec2::X * speed, reach, rate), None, "{speed}");
    }
    for short in [0.5, 1e-3, 1e-9] {
        let t = toi::disc_disc_growing(d, DVec2::X * (1.0 - short), reach, rate).unwrap();
        // The rounding of 1 − short, and that of 1 − h τ, which is short/3.
        assert!((t * short - 1.0).abs() < 8.0 * f64::EPSILON / short, "{short} {t}");
    }
    for rate in [1e-300, 1e-15, 1e15, 1e200] {
        let t = toi::disc_disc_growing(d, DVec2::ZERO, reach, rate);
        let expected = 0.5 / rate;
        if rate < 1e150 && rate > 1e-140 {
            assert!((t.unwrap() / expected - 1.0).abs() < 8.0 * f64::EPSILON, "{rate:e} {t:?}");
        }
    }
    // Inside each other: they part if their centres do as fast as the frame grows.
    for (speed, now) in [(0.0, true), (0.24, true), (0.25, false), (1.0, false)] {
        let met = toi::disc_disc_growing(DVec2::X * 0.5, DVec2::X * speed, reach, rate);
        assert_eq!(met, now.then_some(0.0), "{speed}");
    }
}

/// Against trying every image.
#[test]
fn images() {
    let cases = (growing(), 0.3f64..3.0, prop::sample::select(vec![0u8, 1, 2]), 0.0f64..8.0);
    law("images, growing", 3000, 0.0, cases, |(Growing { pair, rate }, tall, axes, until)| {
        // In units of a length of the rectangle, with speeds and rates that cross few of it.
        let (d, reach) = (pair.d / (10.0 * pair.reach), 0.1);
        let speed = pair.v.length();
        let v = if speed > 0.0 { pair.v / speed } else { DVec2::ZERO };
        let rate = if rate > 0.0 { (rate * pair.reach / speed.max(1e-300)).clamp(1e-3, 0.4) } else { 0.0 };
        let periods = match axes {
            0 => Periods::new(Some(1.0), None),
            1 => Periods::new(None, Some(tall)),
            _ => Periods::new(Some(1.0), Some(tall)),
        }
        .unwrap();
        // No image touches at the start, and growth ends before discs touch more than 0.49 periods apart, as
        // in a world.
        let widest = 0.49 * periods.shortest() / reach;
        if d.length() > 20.0 || periods.nearest(d).length() <= reach || widest <= 1.0 {
            return Ok(0.0);
        }
        let until = if rate > 0.0 { until.min((widest - 1.0) / rate) } else { until };
        let turns = |period: Option<f64>, most: i32| if period.is_some() { -most..=most } else { 0..=0 };
        let images = turns(periods.x(), 60).flat_map(|i| turns(periods.y(), 90).map(move |j| [i, j]));
        let times = images.filter_map(|turns| {
            let image = periods.image(d, turns.map(f64::from).into());
            toi::disc_disc_growing(image, v, reach, rate)
        });
        let expected = times.reduce(f64::min).filter(|dt| *dt <= until);
        let found = toi::disc_disc_images_growing(d, v, reach, rate, &periods, [0.0, until], |_| false);
        let found = found.filter(|dt| *dt <= until);
        if found == expected { Ok(0.0) } else { Err(format!("{found:?} instead of {expected:?}")) }
    });
}
