use super::disc_half_plane::Height;
use super::path::Piece;
use super::{Motion, disc_circle_outside};
use crate::shape::norm1;
use crate::toi::disc_segment::{is_over_end, is_past_front};
use crate::toi::{self, Memory, Side};
use crate::tolerance::touch_slack;
use crate::{Circle, DVec2, Segment, sqrt};

/// Time until a disc on a parabola touches the straight stretch of a segment from either side, before
/// `until`, and on which side; without its round ends.
///
/// The places that the stretch forbids to the centre are two rectangles, one on each side. On a parabola
/// the centre sinks through the height of each at most once, front and back, in a stretch of time that
/// begins at the disc's radius, or where it turns back closer to the line, and ends on the line. The
/// contact is the first moment in these at which it is between the ends: the beginning, or where it comes
/// over the stretch through an end, as along a neighbour that shares the end. So what passes an end may be
/// hit on its way back, from the other side. The ends are generous by rounding, as those of
/// [`toi::disc_segment_side`].
///
/// Without acceleration it is that function, or else [`toi::disc_segment_entry`].
#[must_use]
pub fn disc_segment_side(
    disc: &Motion,
    segment: &Segment,
    memory: Memory,
    until: f64,
) -> Option<(f64, Side)> {
    if disc.is_straight() {
        let straight = disc.straight();
        let entry = || toi::disc_segment_entry(&straight, segment, memory);
        return toi::disc_segment_side(&straight, segment, memory).or_else(entry).filter(|(t, _)| *t < until);
    }
    let over = PathOverSegment::new(disc, segment, memory)?;
    let [front, back] = [Side::Front, Side::Back].map(|side| over.contact(side).map(|t| (t, side)));
    let first = match (front, back) {
        (Some(front), Some(back)) => Some(if back.0 < front.0 { back } else { front }),
        (front, back) => front.or(back),
    };
    first.filter(|(t, _)| *t < until)
}

/// Time until a disc on a parabola touches a segment that stops only what comes from its left, the front,
/// before `until`. What is on its way through it may come back to it once it has parted.
#[must_use]
pub fn disc_one_sided_segment(disc: &Motion, segment: &Segment, memory: Memory, until: f64) -> Option<f64> {
    let contact = if disc.is_straight() {
        let straight = disc.straight();
        let entry = || toi::disc_one_sided_entry(&straight, segment, memory);
        toi::disc_one_sided_segment(&straight, segment, memory).or_else(entry)
    } else {
        PathOverSegment::new(disc, segment, memory)?.contact_in_front()
    };
    contact.filter(|t| *t < until)
}

/// Time until a disc on a parabola touches the end `point` of a one-sided segment with this normal, coming
/// from its front, before `until`.
///
/// The end counts while the disc moves against the normal and has its centre in front of the line when it
/// touches. What touches it otherwise, or is over it already, may come back to it once it has parted.
#[must_use]
pub fn disc_one_sided_end(
    disc: &Motion,
    point: DVec2,
    normal: DVec2,
    memory: Memory,
    until: f64,
) -> Option<f64> {
    if disc.is_straight() {
        return toi::disc_one_sided_end(&disc.straight(), point, normal, memory).filter(|t| *t < until);
    }
    let path = disc.path_from(point);
    let counts = |t: &f64| path.at(*t).dot(normal) > 0.0 && path.velocity(*t).dot(normal) < 0.0;
    let mut passed = 0.0;
    if !is_over_end(&disc.straight(), point, memory) {
        let first = disc_circle_outside(disc, &Circle::point(point), memory, until)?;
        if counts(&first) {
            return Some(first);
        }
        passed = first;
    }
    // What turns back while it is over the end passes on.
    let comes_back = |piece: &Piece| piece.falls && path.gap_decided(piece.low, disc.radius) > 0.0;
    let later = path.pieces(disc.radius).filter(|piece| piece.low >= passed && comes_back(piece));
    let mut contacts = later.filter_map(|piece| path.crossing_in(&piece, disc.radius));
    contacts.find(counts).filter(|t| *t < until)
}

/// The path of a disc over a segment.
struct PathOverSegment<'a> {
    segment: &'a Segment,
    disc: &'a Motion,
    memory: Memory,
    /// Of the centre over the line, positive in front.
    height: Height,
    /// Of the foot from the start.
    along: Height,
}

impl<'a> PathOverSegment<'a> {
    /// `None` for a point that runs along the line, on neither side.
    fn new(disc: &'a Motion, segment: &'a Segment, memory: Memory) -> Option<Self> {
        let [height, along] =
            [segment.normal(), segment.direction].map(|n| Height::new(disc, segment.start, n));
        let over = PathOverSegment { segment, disc, memory, height, along };
        let runs_along = disc.radius == 0.0 && memory == Memory::None && over.runs_along();
        (!runs_along).then_some(over)
    }

    /// Whether a point is on the line within rounding, and stays there for as long as it takes to move by the
    /// length of the segment.
    fn runs_along(&self) -> bool {
        let PathOverSegment { height, along, segment, .. } = self;
        let slack = self.slack(0.0);
        let passes = (segment.length / along.rate.abs()).min(sqrt(segment.length / along.bend.abs()));
        height.gap.abs() <= slack && (height.rate.abs() + height.bend.abs() * passes) * passes <= slack
    }

    /// What counts as touching among the lengths that the place at `t` is made of.
    fn slack(&self, t: f64) -> f64 {
        let path = self.disc.path_from(DVec2::ZERO);
        touch_slack(path.size(t) + norm1(self.segment.start) + self.segment.length + self.disc.radius)
    }

    /// The height after an impact.
    fn again(&self, seen: Height) -> Height {
        let radius = self.disc.radius;
        let size = || norm1(self.disc.position) + norm1(self.segment.start);
        let surface = Height { gap: seen.gap - radius, ..seen }.again(radius, size);
        Height { gap: surface.gap + radius, ..surface }
    }

    /// The height as seen from a side, with what the disc remembers.
    fn height_from(&self, side: Side) -> Height {
        let seen = if side == Side::Front { self.height } else { self.height.turned() };
        match (self.memory, self.memory.side() == Some(side)) {
            (Memory::None, _) => seen,
            (Memory::Near(_), true) => Height { gap: seen.gap.max(0.0), ..seen },
            (Memory::Near(_), false) => Height { gap: seen.gap.min(0.0), ..seen },
            (Memory::Met(_), true) => self.again(seen),
            (Memory::Met(_), false) => self.again(seen.turned()).turned(),
        }
    }

    /// The contact from the front of a one-sided segment. What is in its line or behind it comes out at the
    /// front before.
    fn contact_in_front(&self) -> Option<f64> {
        let PathOverSegment { height, memory, disc, .. } = self;
        let is_past = |t: f64| {
            let gap = height.after(t).gap;
            gap < disc.radius && memory.side().is_none() && is_past_front(gap, disc.radius, self.slack(t))
        };
        let surface = Height { gap: height.gap - disc.radius, ..*height };
        if is_past(0.0) && !surface.rises_above_zero() {
            return None;
        }
        self.contact(Side::Front).filter(|t| !is_past(*t))
    }

    /// The contact from a side.
    fn contact(&self, side: Side) -> Option<f64> {
        let height = self.height_from(side);
        let is_here = height.gap > 0.0 || self.memory.side() == Some(side);
        if !is_here && !height.rises_above_zero() {
            return None;
        }
        let surface = Height { gap: height.gap - self.disc.radius, ..height };
        let begins = surface.falls_to_zero()?;
        let ends = height.falls_to_zero().unwrap_or(f64::INFINITY);
        if self.meets(&surface, begins) {
            return Some(begins);
        }
        let entry = begins + self.along.after(begins).comes_between(self.segment.length)?;
        let slack = self.slack(entry);
        let may_be_past = self.memory.side().is_some() || self.disc.radius <= slack;
        let is_on_side = entry < ends || (may_be_past && height.after(entry).gap >= -slack);
        // What has turned away from the line since does not come back to it.
        (is_on_side && height.after(entry).rate < 0.0).then_some(entry)
    }

    /// Whether a disc that begins to sink into the surface at `t` is between the ends then, like
    /// [`toi::disc_segment_side`] asks.
    ///
    /// Its slack beyond an end is for what has passed that end just now: what is on its way to it comes over
    /// the stretch later, or never, and what begins past it has left it before.
    fn meets(&self, surface: &Height, t: f64) -> bool {
        let along = self.along.after(t);
        let (past_start, past_end) = (-along.gap, along.gap - self.segment.length);
        let beyond = past_start.max(past_end);
        let slack = self.slack(t);
        if beyond <= slack {
            return true;
        }
        let (leaves, past_first) = if past_end > past_start {
            (along.rate > 0.0, self.along.gap - self.segment.length)
        } else {
            (along.rate < 0.0, -self.along.gap)
        };
        if past_first > slack {
            return false;
        }
        let surface = surface.after(t);
        let approach = surface.rate.abs();
        leaves && surface.gap >= -slack && beyond * approach <= slack * (approach + along.rate.abs())
    }
}

impl Height {
    /// As seen from the other side.
    fn turned(&self) -> Height {
        Height { gap: -self.gap, rate: -self.rate, bend: -self.bend }
    }

    /// The first time at which it comes between 0 and `length` from outside.
    fn comes_between(&self, length: f64) -> Option<f64> {
        let Height { gap, rate, bend } = *self;
        let outside = if gap < 0.0 { self.turned() } else { Height { gap: gap - length, rate, bend } };
        outside.falls_to_zero()
    }
}
