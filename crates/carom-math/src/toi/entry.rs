//! First contact through the ends of a surface: for discs that slide along a neighbour of it.
//!
//! The places that a surface forbids to a centre are a rectangle of half-width `r` around a segment, and the
//! sector `R − r ≤ |x − c| ≤ R + r` of an annulus around an arc. A path that comes from afar enters them
//! through their long sides, or first meets the round end. A path along a neighbour that shares the end is an
//! ulp past the long side already, or tangent to it, when it comes over the surface: then the contact is the
//! entry through the end. These functions return that one, for paths on which [`super::disc_segment_body`]
//! and [`super::disc_arc`] find no other. See `docs/derivations/disc-wall.md`, "Joints".

use super::disc_arc::{fits_at, grazes_end, meets, over_end, side_of, stops};
use super::disc_circle::{fits, leaves};
use super::disc_segment::is_in_line;
use super::{Memory, Motion, Side, disc_disc};
use crate::shape::norm1;
use crate::tolerance::touch_slack;
use crate::{Arc, DVec2, Segment};

/// Time until a disc that is past the line of a segment by less than its radius, and sinks, comes over the
/// stretch.
///
/// `None` for a disc that is in front of the line by its radius or more when it comes over it: it does not
/// touch the stretch then.
#[must_use]
pub fn disc_segment_entry(disc: &Motion, segment: &Segment, memory: Memory) -> Option<(f64, Side)> {
    let from_start = disc.position - segment.start;
    let height = from_start.dot(segment.normal());
    let side = super::disc_segment::side_of(height, memory)?;
    let sign = side.sign();
    let sinking = -(sign * disc.velocity.dot(segment.normal()));
    if !(sinking + disc.growth * disc.radius > 0.0) || memory.just_met() {
        return None;
    }
    let (along, glide) = (from_start.dot(segment.direction), disc.velocity.dot(segment.direction));
    let entry = if along < 0.0 && glide > 0.0 {
        -along / glide
    } else if along > segment.length && glide < 0.0 {
        (segment.length - along) / glide
    } else {
        return None;
    };
    // The centre is still on its side: a point may be an ulp past the line.
    let above = sign * height - sinking * entry;
    let slack = touch_slack(norm1(disc.position) + norm1(segment.start) + segment.length);
    let may_be_past = memory.side().is_some()
        || (disc.radius <= slack && !super::disc_segment::runs_along(segment, disc, height, -sinking));
    let is_on_side = above > 0.0 || (may_be_past && above >= -slack);
    let radius = disc.radius * (1.0 + disc.growth * entry);
    (above <= radius && is_on_side).then_some((entry, side))
}

/// As [`disc_segment_entry`], of a segment that stops only what comes from its front: what comes over it
/// lower than it touches it from there passes.
#[inline(never)]
#[must_use]
pub fn disc_one_sided_entry(disc: &Motion, segment: &Segment, memory: Memory) -> Option<f64> {
    let (t, side) = disc_segment_entry(disc, segment, memory)?;
    let position = disc.position + disc.velocity * t;
    let radius = disc.radius * (1.0 + disc.growth * t);
    let then = Motion { position, radius, ..*disc };
    (side == Side::Front && !is_in_line(&then, segment, memory)).then_some(t)
}

/// Time until a disc comes over an arc while it is at the arc's surface or past it and moves into it; and on
/// which side.
#[must_use]
pub fn disc_arc_entry(disc: &Motion, arc: &Arc, memory: Memory) -> Option<(f64, Side)> {
    if arc.full {
        return None;
    }
    let path =
        PathOverArc { arc, d: disc.position - arc.circle.center, v: disc.velocity, radius: disc.radius };
    let from_inside = |t| (t, Side::Back);
    match side_of(path.d, arc, memory) {
        Side::Back => path.meets_from_inside(memory).map(from_inside),
        Side::Front if memory.just_met() => None,
        Side::Front => match grazes_end(arc, disc) {
            // A point on the outside of the wall that leads there passes.
            Some(t) => memory.side().is_none().then_some((t, Side::Back)),
            // What recedes from the circle of radius `R + r`, or misses it, never comes over the arc.
            None => {
                disc_disc(path.d, path.v, arc.circle.radius + disc.radius)?;
                path.in_front().map(|t| (t, Side::Front)).or_else(|| path.through_opening().map(from_inside))
            }
        },
    }
}

/// The path of a centre at `d` from the middle of an arc.
struct PathOverArc<'a> {
    arc: &'a Arc,
    d: DVec2,
    v: DVec2,
    /// Of the disc.
    radius: f64,
}

impl PathOverArc<'_> {
    /// From inside the circle. From the time of `leaves` on the centre is at the circle of radius `R − r` or
    /// past it, and moves outwards: so does a tangent to it, from the point of contact on, which does not
    /// cross it.
    fn meets_from_inside(&self, memory: Memory) -> Option<f64> {
        if fits(&self.arc.circle, self.radius)
            && let Some(t) = fits_at(self.arc, self.d, self.v)
        {
            return stops(self.arc, self.v, memory).then_some(t);
        }
        let just_met = memory.just_met();
        let exit = leaves(self.d, self.v, self.arc.circle.radius - self.radius, just_met)?;
        if !just_met && meets(self.arc, self.d, self.v, exit) {
            return Some(exit);
        }
        let (entry, distance) = over_end(self.arc, self.d, self.v)?;
        // A point that runs along a wall to the arc's end gets there on the circle, within rounding.
        let scale = norm1(self.arc.circle.center) + self.arc.circle.radius;
        let slack = if memory.side().is_some() { touch_slack(scale) } else { 0.0 };
        (entry >= exit && distance < self.arc.circle.radius + slack).then_some(entry)
    }

    /// From outside the circle through the opening of the arc.
    fn through_opening(&self) -> Option<f64> {
        let (cross, radius) = (self.d.perp_dot(self.v), self.arc.circle.radius);
        let comes_inside = cross * cross < radius * radius * self.v.length_squared();
        comes_inside.then(|| self.meets_from_inside(Memory::None)).flatten()
    }

    /// Over the arc between the circles of radius `R` and `R + r`, on the way inwards.
    fn in_front(&self) -> Option<f64> {
        let (entry, distance) = over_end(self.arc, self.d, self.v)?;
        let at = self.d + self.v * entry;
        // A tangent moves neither inwards nor outwards: what shows is rounding.
        let moves_inwards = -at.dot(self.v) > touch_slack(norm1(at) * norm1(self.v));
        let radius = self.arc.circle.radius;
        (moves_inwards && distance > radius && distance <= radius + self.radius).then_some(entry)
    }
}
