//! Discs whose radii grow, all in proportion to themselves, as where dense packings are made (Lubachevsky and Stillinger,
//! J. Stat. Phys. 60 (1990) 561).
//!
//! `rate` is the growth per second in proportion to the radii at the moment at which the positions hold, `h ≥ 0`: a
//! radius is `r (1 + h t)` after `t` seconds. Two centres `d` apart, with relative velocity `w`, touch when
//!
//! `|d + w t| = R (1 + h t)`.
//!
//! Divided by `1 + h t`, with `τ = t / (1 + h t)`, so that `1 / (1 + h t) = 1 − h τ` and `t = τ / (1 − h τ)`, that is
//!
//! `|d + u τ| = R`, `u = w − h d`:
//!
//! two discs of constant size, seen in a frame that grows with them, in a time that comes to `1/h` as the other one has no
//! end. So the root is that of [`disc_disc`] with all its care for grazes and small gaps, there is no other quadratic, and
//! no case of a leading coefficient that changes its sign; discs that reach each other only for `h τ ≥ 1` never do. "Approaching" is
//! `d·u < 0`, and as the path is straight in that frame, who recedes does so for ever.
//!
//! The velocity `u` is rounded to some ulps of `|w| + h |d|`, which moves the discs by as much as one rounding of the
//! velocities and of the growth does. A rate of 0 gives the bits of the plain functions.

use super::disc_half_plane::time_to_close;
use super::disc_segment::{meets, side_of};
use super::{Memory, Motion, Side, disc_disc};
use crate::{Circle, DVec2, HalfPlane, Segment};

/// Time to the first contact of two discs that grow at a `rate`; else as [`disc_disc`].
#[inline]
#[must_use]
pub fn disc_disc_growing(d: DVec2, w: DVec2, reach: f64, rate: f64) -> Option<f64> {
    let tau = disc_disc(d, w - d * rate, reach)?;
    let left = 1.0 - rate * tau;
    (left > 0.0).then(|| tau / left)
}

/// Time until a disc that grows touches a solid half-plane; else as [`super::disc_half_plane`].
#[must_use]
pub fn disc_half_plane_growing(disc: &Motion, plane: &HalfPlane, memory: Memory, rate: f64) -> Option<f64> {
    let approach = disc.velocity.dot(plane.normal) - rate * disc.radius;
    if !(approach < 0.0) || memory.just_met() {
        return None;
    }
    Some(time_to_close((disc.position - plane.point).dot(plane.normal) - disc.radius, approach))
}

/// Time until a disc that grows touches a fixed disc or point from outside; else as [`super::disc_circle_outside`].
///
/// The sum of the radii `c + r` grows by `h r`, so the rate of the pair is `h r / (c + r)`.
#[must_use]
pub fn disc_circle_outside_growing(disc: &Motion, circle: &Circle, memory: Memory, rate: f64) -> Option<f64> {
    if memory.just_met() {
        return None;
    }
    let reach = circle.radius + disc.radius;
    // Two points do not grow.
    let rate = if reach > 0.0 { rate * (disc.radius / reach) } else { 0.0 };
    disc_disc_growing(disc.position - circle.center, disc.velocity, reach, rate)
}

/// Time until a disc that grows touches the straight stretch of a segment, and on which side; else as
/// [`super::disc_segment_body`].
#[must_use]
pub fn disc_segment_body_growing(
    disc: &Motion,
    segment: &Segment,
    memory: Memory,
    rate: f64,
) -> Option<(f64, Side)> {
    let height = (disc.position - segment.start).dot(segment.normal());
    let side = side_of(height, memory)?;
    let approach = side.sign() * disc.velocity.dot(segment.normal()) - rate * disc.radius;
    if !(approach < 0.0) || memory.just_met() {
        return None;
    }
    let gap = side.sign() * height - disc.radius;
    let t = time_to_close(gap, approach);
    meets(segment, disc, gap, t, -approach).then_some((t, side))
}

/// As [`disc_segment_body_growing`] for a segment that stops only what comes from its left, the front.
#[must_use]
pub fn disc_one_sided_segment_growing(
    disc: &Motion,
    segment: &Segment,
    memory: Memory,
    rate: f64,
) -> Option<(f64, Side)> {
    disc_segment_body_growing(disc, segment, memory, rate).filter(|(_, side)| *side == Side::Front)
}

/// Time until a disc that grows touches the end of a one-sided segment; else as [`super::disc_one_sided_end`], where "moves
/// against the normal" is meant in the frame that grows with the disc, about the end.
#[must_use]
pub fn disc_one_sided_end_growing(
    disc: &Motion,
    point: DVec2,
    normal: DVec2,
    memory: Memory,
    rate: f64,
) -> Option<f64> {
    let d = disc.position - point;
    if !((disc.velocity - d * rate).dot(normal) < 0.0) {
        return None;
    }
    let t = disc_circle_outside_growing(disc, &Circle { center: point, radius: 0.0 }, memory, rate)?;
    ((d + disc.velocity * t).dot(normal) > 0.0).then_some(t)
}
