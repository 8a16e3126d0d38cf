use super::disc_half_plane::time_to_close;
use super::{Gap, Memory, Motion, Side, disc_circle_outside, gap_disc_circle_outside};
use crate::shape::{norm, norm1};
use crate::tolerance::{FRONT_DEPTH, FRONT_TOUCHES, touch_slack};
use crate::{Circle, DVec2, Segment};

/// Time until a disc touches a two-sided segment with round end points.
///
/// The straight stretch and its two ends, whichever comes first.
#[must_use]
pub fn disc_segment(disc: &Motion, segment: &Segment, memory: Memory) -> Option<f64> {
    let end = segment.start + segment.direction * segment.length;
    let ends =
        [segment.start, end].map(|point| disc_circle_outside(disc, &Circle::point(point), Memory::None));
    // A disc that has just met the stretch leaves its ends as well: they lie behind the same line.
    let ends = if memory.just_met() { [None, None] } else { ends };
    [disc_segment_body(disc, segment, memory), ends[0], ends[1]].into_iter().flatten().reduce(f64::min)
}

/// Time until a disc touches the straight stretch of a segment, from either side, without its round ends.
///
/// The disc is on the side that it remembers, else on the side of its centre; a centre exactly on the line
/// has no side, and then there is no contact, as for overlapping discs that separate.
#[inline]
#[must_use]
pub fn disc_segment_body(disc: &Motion, segment: &Segment, memory: Memory) -> Option<f64> {
    disc_segment_side(disc, segment, memory).map(|(t, _)| t)
}

/// Time until a disc touches the straight stretch like in [`disc_segment_body`], and the side on which it
/// does.
#[inline]
#[must_use]
pub fn disc_segment_side(disc: &Motion, segment: &Segment, memory: Memory) -> Option<(f64, Side)> {
    let height = (disc.position - segment.start).dot(segment.normal());
    let side = side_of(height, memory)?;
    let sign = side.sign();
    let approach = sign * disc.velocity.dot(segment.normal()) - disc.growth * disc.radius;
    if !(approach < 0.0) || memory.just_met() {
        return None;
    }
    if disc.radius == 0.0 && memory == Memory::None && runs_along(segment, disc, height, approach) {
        return None;
    }
    let gap = sign * height - disc.radius;
    let t = time_to_close(gap, approach);
    meets(segment, disc, gap, t, -approach).then_some((t, side))
}

/// Time until a disc touches a segment that stops only what comes from its left, the front; without its round
/// ends.
///
/// What is in its line or behind it passes, whatever its velocity. What remembers the front is in front.
#[inline(never)]
#[must_use]
pub fn disc_one_sided_segment(disc: &Motion, segment: &Segment, memory: Memory) -> Option<f64> {
    let height = (disc.position - segment.start).dot(segment.normal());
    match side_of(height, memory) {
        Some(Side::Front) if !is_in_line(disc, segment, memory) => disc_segment_body(disc, segment, memory),
        _ => None,
    }
}

/// Time until a disc touches the end `point` of a one-sided segment with this normal, coming from its front.
///
/// The end counts while the disc moves against the normal and has its centre in front of the line when it
/// touches. A disc that is over it already passes, if it does not remember the front. Of a disc that grows,
/// "moves" is meant in the frame that grows with it, about the end.
#[inline(never)]
#[must_use]
pub fn disc_one_sided_end(disc: &Motion, point: DVec2, normal: DVec2, memory: Memory) -> Option<f64> {
    let d = disc.position - point;
    if !((disc.velocity - d * disc.growth).dot(normal) < 0.0) || is_over_end(disc, point, memory) {
        return None;
    }
    let t = disc_circle_outside(disc, &Circle::point(point), memory)?;
    ((disc.position + disc.velocity * t - point).dot(normal) > 0.0).then_some(t)
}

/// Whether a disc at this distance from a one-sided segment, or over it, overlaps it by more than rounding:
/// it is on its way through, as what comes from the front is stopped before.
#[inline(always)]
pub(super) fn is_past_front(distance: f64, radius: f64, slack: f64) -> bool {
    distance < radius * (1.0 - FRONT_DEPTH) - FRONT_TOUCHES * slack
}

/// Whether a disc that does not remember to be in front of a one-sided segment is lower over its line than
/// one that touches it from there.
#[inline]
pub(super) fn is_in_line(disc: &Motion, segment: &Segment, memory: Memory) -> bool {
    let height = (disc.position - segment.start).dot(segment.normal());
    let slack = || touch_slack(norm1(disc.position) + norm1(segment.start) + segment.length);
    height < disc.radius && memory.side().is_none() && is_past_front(height, disc.radius, slack())
}

/// As [`is_in_line`], of the end of one.
#[inline]
pub(super) fn is_over_end(disc: &Motion, point: DVec2, memory: Memory) -> bool {
    let (d, slack) = (disc.position - point, || touch_slack(norm1(disc.position) + norm1(point)));
    let is_over = d.length_squared() < disc.radius * disc.radius && memory.side().is_none();
    is_over && is_past_front(norm(d), disc.radius, slack())
}

#[inline(always)]
pub(super) fn side_of(height: f64, memory: Memory) -> Option<Side> {
    memory.side().or(if height > 0.0 {
        Some(Side::Front)
    } else if height < 0.0 {
        Some(Side::Back)
    } else {
        None
    })
}

/// Whether a point is on the line within rounding, and stays there over the length of the segment: it is on
/// neither side, and does not meet it.
#[cold]
pub(super) fn runs_along(segment: &Segment, disc: &Motion, height: f64, approach: f64) -> bool {
    let slack = touch_slack(norm1(disc.position) + norm1(segment.start) + segment.length);
    let glide = disc.velocity.dot(segment.direction).abs();
    height.abs() <= slack && approach.abs() * segment.length <= slack * glide
}

/// Whether a disc at distance `gap` of the segment's line, which it meets at time `t` at the speed of
/// `approach` > 0, meets it between the ends.
///
/// The ends are generous by the error of the contact point: a few ulps of everything that goes into it, and
/// as much times `glide/approach` along the line. Otherwise a point could slip between two walls that share
/// a vertex, from afar or at a glancing angle. What is met there passes the end within a few ulps. A disc
/// that is past the line by more than rounding has no such error: it meets the stretch only if it faces it
/// now. Nor has one that starts past the end and is still past it then: it comes over the stretch later, or
/// never.
#[inline(always)]
fn meets(segment: &Segment, disc: &Motion, gap: f64, t: f64, approach: f64) -> bool {
    let position = disc.position + disc.velocity * t;
    let along = (position - segment.start).dot(segment.direction);
    let past_ends = |along: f64| [-along, along - segment.length];
    let [past_start, past_end] = past_ends(along);
    let beyond = past_start.max(past_end);
    let sizes = norm1(disc.position) + norm1(position) + norm1(segment.start);
    let slack = touch_slack(sizes + segment.length + disc.radius);
    if beyond <= slack {
        return true;
    }
    let glide = disc.velocity.dot(segment.direction).abs();
    let before = past_ends((disc.position - segment.start).dot(segment.direction));
    let starts_past = before[usize::from(past_end > past_start)] > slack;
    gap >= -slack && !starts_past && beyond * approach <= slack * (approach + glide)
}

/// Whether the foot of the perpendicular from `position` lies on the segment, generously by a few ulps.
#[inline]
fn covers(segment: &Segment, position: DVec2) -> bool {
    let along = (position - segment.start).dot(segment.direction);
    let slack = touch_slack(norm1(position) + norm1(segment.start) + segment.length);
    along >= -slack && along <= segment.length + slack
}

/// Distance of a disc from the straight stretch of a segment; `None` where the nearest point is an end.
#[inline]
#[must_use]
pub fn gap_disc_segment_body(disc: &Motion, segment: &Segment, memory: Memory) -> Option<Gap> {
    if !covers(segment, disc.position) {
        return None;
    }
    let height = (disc.position - segment.start).dot(segment.normal());
    let side = side_of(height, memory).unwrap_or(Side::Front);
    let sign = side.sign();
    Some(Gap { distance: sign * height - disc.radius, normal: -(segment.normal() * sign), side })
}

/// Distance of a disc from the straight stretch of a one-sided segment; `None` where the nearest point is an
/// end, behind the line, and for what is on its way through it.
#[inline(never)]
#[must_use]
pub fn gap_disc_one_sided_segment(disc: &Motion, segment: &Segment, memory: Memory) -> Option<Gap> {
    let gap = gap_disc_segment_body(disc, segment, memory).filter(|gap| gap.side == Side::Front);
    gap.filter(|_| !is_in_line(disc, segment, memory))
}

/// Distance of a disc from the end of a one-sided segment; `None` behind its line, and for what is on its way
/// through it.
#[inline(never)]
#[must_use]
pub fn gap_disc_one_sided_end(disc: &Motion, point: DVec2, normal: DVec2, memory: Memory) -> Option<Gap> {
    let is_in_front = (disc.position - point).dot(normal) > 0.0 && !is_over_end(disc, point, memory);
    is_in_front.then(|| gap_disc_circle_outside(disc, &Circle::point(point)))
}
