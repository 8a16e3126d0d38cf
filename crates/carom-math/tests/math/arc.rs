//! Disc against arc, from either side, without its ends.

use std::f64::consts::{FRAC_PI_2, PI, TAU};

use carom_math::toi::{self, Memory, Motion, Side};
use carom_math::tolerance::touch_slack;
use carom_math::{Arc, Circle, DVec2};
use proptest::prelude::*;

use crate::cases::{decades, unit};
use crate::circle::{self, INSIDE, exit};
use crate::disc_disc::first_contact_of_sums;
use crate::judge::{Candidate, judge};
use crate::oracle::{Big, Quadratic, U, Vector};
use crate::run::law;

/// Half width of the band at the ends within which a contact may count as on the arc or not, in units of
/// `U (|q| + |d| + |x|)/s`: the slack at the seams and the error of the contact point.
const END: f64 = 64.0;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) disc: Motion,
    pub(crate) arc: Arc,
}

impl Case {
    fn round(&self) -> circle::Case {
        circle::Case { disc: self.disc, circle: self.arc.circle }
    }
}

/// Discs in and out of circles, and arcs of them: any, quarters, halves, slivers, nearly or wholly closed;
/// often with an end close to where the circle is met.
pub(crate) fn cases() -> impl Strategy<Value = Case> {
    let sweep = one_of![
        3 => 0.1..TAU,
        1 => prop::sample::select(vec![FRAC_PI_2, PI, 1.5 * PI]),
        1 => decades(-3.0, 0.0),
        1 => decades(-3.0, 0.0).prop_map(|gap| TAU - gap),
        1 => Just(TAU),
    ];
    let start = one_of![
        1 => (0.0..TAU).prop_map(|a| (a, false)),
        1 => (decades(-16.0, 0.0), any::<bool>()).prop_map(|(a, n)| (if n { -a } else { a }, true)),
    ];
    let end = any::<bool>();
    (one_of![circle::outside(), circle::inside()], start, sweep, end).prop_map(
        |(case, (start, aimed), sweep, last)| {
            let circle::Case { disc, circle } = case;
            let base = if aimed { angle_of_contact(&disc, &circle) } else { 0.0 };
            let start = base + start - if last { sweep } else { 0.0 };
            let full = sweep == TAU;
            let first = unit(start);
            let last = if full { first } else { unit(start + sweep) };
            Case { disc, arc: Arc { circle, first, last, major: sweep > PI, full } }
        },
    )
}

/// Roughly where the whole circle is met.
fn angle_of_contact(disc: &Motion, circle: &Circle) -> f64 {
    let (d, v) = (disc.position - circle.center, disc.velocity);
    let (a, b) = (v.length_squared(), d.dot(v));
    let outside = d.length() > circle.radius;
    let reach = if outside { circle.radius + disc.radius } else { circle.radius - disc.radius };
    let root = (b * b - a * (d.length_squared() - reach * reach)).max(0.0).sqrt();
    let t = if a > 0.0 { (if outside { -b - root } else { root - b }) / a } else { 0.0 };
    let at = d + v * t;
    at.y.atan2(at.x)
}

/// Position on the circle of a direction: its angle from the first end, as something that sorts like it.
fn around(arc: &Arc, x: &Vector) -> (u8, Big, Big) {
    let first = Vector::from(arc.first);
    let (along, up) = (first.dot(x), first.left().dot(x));
    // By quarters, then by the tangent within the quarter as a fraction.
    let quarter = match (up.is_negative(), along.is_negative()) {
        (false, false) => 0,
        (false, true) => 1,
        (true, true) => 2,
        (true, false) => 3,
    };
    let (up, along) = (up.abs(), along.abs());
    if quarter % 2 == 0 { (quarter, up, along) } else { (quarter, along, up) }
}

/// Whether the direction `x` is on the arc: the angle from the first end is at most that of the last.
fn is_on(arc: &Arc, x: &Vector) -> bool {
    let (here, last) = (around(arc, x), around(arc, &arc.last.into()));
    arc.full || here.0 < last.0 || here.0 == last.0 && &here.1 * &last.2 <= &last.1 * &here.2
}

/// Distance along the circle from `x` to the nearer end, while it is short.
fn to_end(arc: &Arc, x: &Vector) -> f64 {
    let off = |end: DVec2| {
        let end = Vector::from(end);
        if end.dot(x).is_positive() { end.left().dot(x).abs().f64() } else { x.length() }
    };
    if arc.full { f64::INFINITY } else { off(arc.first).min(off(arc.last)) }
}

#[derive(Clone, Copy, PartialEq)]
enum Place {
    On,
    Off,
    AtAnEnd,
}

fn place(case: &Case, time: &Big) -> Place {
    let v = Vector::from(case.disc.velocity);
    let d = case.round().offset();
    let x = d.ahead(&v, time);
    let size = case.arc.circle.center.length() + d.length() + x.length();
    let least = (U * size / x.length()).sqrt();
    let steepness = x.dot(&v).abs().f64() / (x.length() * v.length());
    let band = END * U * size / steepness.max(least);
    match () {
        // A contact at the centre, or so grazing that its place is unknown.
        () if x.length() == 0.0 || band > 0.5 * x.length() => Place::AtAnEnd,
        () if to_end(&case.arc, &x) <= band => Place::AtAnEnd,
        () if is_on(&case.arc, &x) => Place::On,
        () => Place::Off,
    }
}

fn keep_on_arc(case: &Case, found: Vec<Candidate>, sure: bool) -> Vec<Candidate> {
    found
        .into_iter()
        .filter_map(|c| match place(case, &c.time) {
            Place::On => Some(Candidate { certain: c.certain && sure, ..c }),
            Place::Off => None,
            Place::AtAnEnd => Some(Candidate { certain: false, ..c }),
        })
        .collect()
}

/// From outside: where the disc reaches the circle, or else where it leaves it after flying in.
fn front(case: &Case, sure: bool) -> Vec<Candidate> {
    let mut found = keep_on_arc(case, first_contact_of_sums(&case.round().outside()), sure);
    if found.iter().any(|c| c.certain) || !(case.arc.circle.radius > case.disc.radius) {
        return found;
    }
    let room = case.round().inside();
    let enters = first_contact_of_sums(&room);
    let surely_enters = enters.iter().any(|c| c.certain);
    if !enters.is_empty() && room.b.is_negative() && room.discriminant.is_positive() {
        let undecided = !found.is_empty();
        found.extend(keep_on_arc(case, vec![last_of(&room)], sure && surely_enters && !undecided));
    }
    found
}

fn last_of(q: &Quadratic) -> Candidate {
    Candidate { time: q.last(), unit: q.time_unit(), certain: true }
}

fn back(case: &Case, sure: bool) -> Vec<Candidate> {
    keep_on_arc(case, exit(&case.round().inside()), sure)
}

/// The side of the centre, `None` where rounding decides.
fn side(case: &Case) -> Option<Side> {
    let q = case.round().quadratic(Big::new(case.arc.circle.radius));
    let band = 8.0 * U * (q.distance * q.distance + q.reach * q.reach);
    match q.c.f64() {
        c if c > band => Some(Side::Front),
        c if c < -band => Some(Side::Back),
        _ => None,
    }
}

/// Whether the disc has the radius of the arc, up to rounding. There is one place for it inside then, in
/// which the direction of the wall is rounding: what happens there is a rule of its own, which the engine's
/// laws on slides test.
fn fits(case: &Case) -> bool {
    toi::fits(&case.arc.circle, case.disc.radius)
}

/// In the unit of `disc_disc`: that of the inside, which is the larger one.
#[test]
fn either_side() {
    law("disc_arc", 40_000, INSIDE, cases(), |case| {
        if fits(&case) {
            return Ok(0.0);
        }
        let got = toi::disc_arc(&case.disc, &case.arc, Memory::None);
        let candidates = match side(&case) {
            Some(Side::Front) => front(&case, true),
            Some(Side::Back) => back(&case, true),
            None => [front(&case, false), back(&case, false)].concat(),
        };
        judge(got, &candidates)
    });
}

/// Whether the path of a point is tangent to the arc at an end, up to rounding: as along a wall that leads
/// there. A point on the outside of that passes the end.
fn leads_past_an_end(case: &Case) -> bool {
    let Case { disc, arc } = case;
    let (d, direction) = (disc.position - arc.circle.center, disc.velocity.normalize());
    let sum = |x: DVec2| x.x.abs() + x.y.abs();
    // Twice the four that the ends of arcs, computed from angles, are given.
    let slack = 8.0 * touch_slack(sum(arc.circle.center) + arc.circle.radius + sum(d));
    let is_met = |end: DVec2| {
        let is_through = (end * arc.circle.radius - d).perp_dot(direction).abs() <= slack;
        // Within the slack of the tangent for as long as that is within it of the circle.
        is_through && end.dot(direction).powi(2) * arc.circle.radius <= slack
    };
    disc.radius <= slack && (is_met(arc.first) || is_met(arc.last))
}

#[test]
fn a_remembered_side_is_the_side() {
    law("disc_arc, remembered side", 30_000, INSIDE, cases(), |case| {
        if fits(&case) {
            return Ok(0.0);
        }
        let met = toi::disc_arc(&case.disc, &case.arc, Memory::Met(Side::Front));
        if met.is_some() {
            return Err(format!("meets again at {met:?}"));
        }
        // Only a disc at the surface remembers: of others the side is known.
        let sides = match side(&case) {
            Some(side) => vec![side],
            None => vec![Side::Front, Side::Back],
        };
        sides.into_iter().try_fold(0.0, |largest: f64, side| {
            let got = toi::disc_arc(&case.disc, &case.arc, Memory::Near(side));
            if side == Side::Front && got.is_none() && leads_past_an_end(&case) {
                return Ok(largest);
            }
            let candidates = if side == Side::Front { front(&case, true) } else { back(&case, true) };
            Ok(largest.max(judge(got, &candidates)?))
        })
    });
}

#[test]
fn the_span_of_an_arc() {
    law("Arc::spans", 40_000, 0.0, (cases(), 0.0..TAU), |(case, angle)| {
        let x = unit(angle) * case.arc.circle.radius;
        let exact = Vector::from(x);
        let near_end = to_end(&case.arc, &exact) < 16.0 * U * x.length();
        match case.arc.spans(x) == is_on(&case.arc, &exact) || near_end {
            true => Ok(0.0),
            false => Err(format!("{x} is {}on the arc", if is_on(&case.arc, &exact) { "" } else { "not " })),
        }
    });
}

/// The ends, and what is an ulp past them, belong to the arc.
#[test]
fn ends_are_on_the_arc() {
    law("arc ends", 20_000, 0.0, (cases(), -1i64..2, -1i64..2), |(case, kx, ky)| {
        for end in [case.arc.first, case.arc.last] {
            let nudge = DVec2::new(kx as f64, ky as f64) * (f64::EPSILON * 0.5);
            let x = (end + nudge) * case.arc.circle.radius;
            if !case.arc.spans(x) {
                return Err(format!("{x} is a gap"));
            }
        }
        Ok(0.0)
    });
}

/// Distances are those of the circle, on the side where the disc is; none off the arc.
#[test]
fn gaps() {
    law("gaps to arcs", 30_000, 0.0, cases(), |case| {
        if fits(&case) {
            return Ok(0.0);
        }
        let Case { disc, arc } = &case;
        let gap = toi::gap_disc_arc(disc, arc, Memory::None);
        let from = disc.position - arc.circle.center;
        // The ends are generous by the rounding of the place.
        let sum = |x: DVec2| x.x.abs() + x.y.abs();
        let slack = touch_slack(sum(arc.circle.center) + sum(from));
        let expected = arc.spans_within(from, slack).then(|| match side(&case) {
            Some(Side::Back) => toi::gap_disc_circle_inside(disc, &arc.circle),
            Some(Side::Front) => toi::gap_disc_circle_outside(disc, &arc.circle),
            None if gap.is_some_and(|g| g.side == Side::Back) => {
                toi::gap_disc_circle_inside(disc, &arc.circle)
            }
            None => toi::gap_disc_circle_outside(disc, &arc.circle),
        });
        if gap == expected { Ok(0.0) } else { Err(format!("{gap:?} instead of {expected:?}")) }
    });
}

/// A full arc is the circle, whatever its ends say.
#[test]
fn a_full_arc_has_no_gap() {
    law("full arcs", 10_000, 0.0, cases(), |case| {
        let closed = Arc { full: true, major: false, ..case.arc };
        let circle =
            toi::disc_arc(&case.disc, &Arc { first: DVec2::X, last: DVec2::X, ..closed }, Memory::None);
        let got = toi::disc_arc(&case.disc, &closed, Memory::None);
        if got == circle && closed.spans(-case.arc.first) && closed.spans(case.arc.last.perp()) {
            return Ok(0.0);
        }
        Err(format!("{got:?} instead of {circle:?}"))
    });
}
