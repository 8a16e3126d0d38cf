use crate::eft::DoubleDouble;
use crate::tolerance::NEARLY_TOUCHING;
use crate::{DVec2, sqrt};

/// `|d|² − reach²`: negative inside, 0 touching, positive apart.
///
/// The plain expression is good unless the two squares nearly cancel; then it is summed from exact products
/// and rounded once, so that its sign and its leading digits are right down to 10⁻³¹ reach².
#[inline(always)]
#[must_use]
pub fn squared_gap(d: DVec2, reach: f64) -> f64 {
    let reach2 = reach * reach;
    let plain = (d.x * d.x + d.y * d.y) - reach2;
    if plain.abs() < NEARLY_TOUCHING * reach2 { squared_gap_exact(d, reach) } else { plain }
}

#[cold]
#[inline(never)]
fn squared_gap_exact(d: DVec2, reach: f64) -> f64 {
    let gap = DoubleDouble::product(d.x, d.x) + DoubleDouble::product(d.y, d.y)
        - DoubleDouble::product(reach, reach);
    gap.to_f64()
}

/// Time to the first contact of two discs in uniform relative motion.
///
/// `d` and `v` are position and velocity of the second relative to the first, `reach` the distance of the
/// centres at contact (the sum of the radii). `None` when they recede, miss or graze; 0 when they overlap, or
/// touch, and approach. Symmetric: swapping the two (negating `d` and `v`) gives the same bits.
///
/// The contact is the smaller root of `a t² + 2 b t + c` with `a = v·v`, `b = d·v`, `c = |d|² − reach²`:
/// taken as `c / (−b + √disc)`, where numerator and both terms of the denominator are positive, so nothing
/// cancels. The discriminant is `a reach² − (d × v)²`, whose rounding is that of moving the discs by a few
/// ulps of `d`; `b² − a c` would cancel for discs that graze from afar. If neither moves, `b` is 0 and the
/// pair recedes: there is no division by `a`, hence no epsilon for "not moving".
///
/// With `s` the cosine between path and normal at contact, the time is off by at most that in which the
/// discs move by `12 · 2⁻⁵³ (|d| + reach)/s`, and where they nearly touch, relatively by at most `16 ·
/// 2⁻⁵³/s²`. A hit is missed, or a miss hit, only within `5 · 2⁻⁵³ (1 + |d|/reach)` of `s² = 0`. Derived in
/// `docs/derivations/disc-disc.md`. It takes `|d||v|` and `|v| reach` from 10⁻¹⁴⁰ to 10¹⁵⁰; below, where
/// `v·v` underflows, the pair does not move.
#[inline(always)]
#[must_use]
pub fn disc_disc(d: DVec2, v: DVec2, reach: f64) -> Option<f64> {
    let b = d.x * v.x + d.y * v.y;
    let cross = d.x * v.y - d.y * v.x;
    let disc = (v.x * v.x + v.y * v.y) * (reach * reach) - cross * cross;
    if b < 0.0 && disc > 0.0 { Some(earlier_root(b, squared_gap(d, reach), disc)) } else { None }
}

/// The smaller root for `b < 0`, or 0 if the discs are already in contact.
#[inline(always)]
pub(super) fn earlier_root(b: f64, c: f64, disc: f64) -> f64 {
    if c > 0.0 { c / (-b + sqrt(disc)) } else { 0.0 }
}

/// Both roots of `a t² + 2 b t + c`, in order, for `a > 0` and a discriminant that is not negative.
///
/// The root of larger magnitude adds two numbers of one sign, the other follows from the product `c/a`.
#[inline(always)]
pub(super) fn both_roots(a: f64, b: f64, c: f64, disc: f64) -> (f64, f64) {
    let root = sqrt(disc);
    if b < 0.0 {
        let sum = root - b;
        (c / sum, sum / a)
    } else {
        let sum = -(b + root);
        (sum / a, c / sum)
    }
}

/// The whole story of two discs in uniform relative motion, the past included.
///
/// Times are relative to now and negative in the past: `exit < 0` is "collided before",
/// `enter > 0` is "will collide", `enter ≤ 0 ≤ exit` is "overlaps now".
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Encounter {
    /// They never touch.
    Never,
    /// They touch once, at this time, and do not overlap.
    Graze(f64),
    /// They touch first at `enter`, part at `exit`, and overlap in between.
    Through {
        /// First touch.
        enter: f64,
        /// Last touch.
        exit: f64,
    },
    /// They do not move relative to each other and touch or overlap for ever.
    Always,
}

/// When two discs in uniform relative motion touch, ever; arguments as for [`disc_disc`].
///
/// Two points (`reach` = 0) that pass through one place graze. A graze is an exact zero of the rounded
/// discriminant: a statement about the numbers given, not about a tolerance.
#[must_use]
pub fn disc_disc_encounter(d: DVec2, v: DVec2, reach: f64) -> Encounter {
    let a = v.x * v.x + v.y * v.y;
    let b = d.x * v.x + d.y * v.y;
    let cross = d.x * v.y - d.y * v.x;
    encounter(a, b, squared_gap(d, reach), a * (reach * reach) - cross * cross)
}

/// The encounter from the coefficients of `a t² + 2 b t + c` and its discriminant.
pub(super) fn encounter(a: f64, b: f64, c: f64, disc: f64) -> Encounter {
    if a == 0.0 {
        return if c <= 0.0 { Encounter::Always } else { Encounter::Never };
    }
    if disc < 0.0 || disc.is_nan() {
        return Encounter::Never;
    }
    if disc == 0.0 {
        return Encounter::Graze(-b / a);
    }
    let (enter, exit) = both_roots(a, b, c, disc);
    // Where the discriminant is all rounding error, the two roots may come out in the wrong order.
    Encounter::Through { enter, exit: exit.max(enter) }
}

/// The fraction in [0, 1] of a step `dt > 0` at which the discs first touch; `None` if not within it.
///
/// Arguments as for [`disc_disc`]; 0 if they overlap and approach now. `None` too for a `dt` that is not
/// positive and finite.
#[must_use]
pub fn disc_disc_within(d: DVec2, v: DVec2, reach: f64, dt: f64) -> Option<f64> {
    if !(dt > 0.0 && dt.is_finite()) {
        return None;
    }
    let t = disc_disc(d, v, reach)?;
    // The quotient of t ≤ dt cannot round above 1.
    (t <= dt).then(|| t / dt)
}
