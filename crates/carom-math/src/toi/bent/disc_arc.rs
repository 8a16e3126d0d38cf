use super::again::leaves_again;
use super::path::{Path, Piece};
use super::root;
use super::{Motion, disc_disc_again};
use crate::shape::norm1;
use crate::toi::disc_arc::{spans_where_met, stops};
use crate::toi::disc_circle::{fits, fitting_slack};
use crate::toi::{self, Memory, Side, squared_gap};
use crate::tolerance::{ARC_END_TOUCHES, touch_slack};
use crate::{Arc, DVec2};

/// Time until a disc on a parabola touches an arc, from outside or from inside, before `until`, and on which
/// side; without its round ends.
///
/// The places that the arc forbids to the centre are sectors of two annuli, one on each side of it. While
/// the distance from the middle of the circle shrinks, the centre sinks into the outer one from `R + r`, or
/// from where it turns back, to `R`; while it grows, into the inner one from `R − r` to `R`. There are at
/// most four such stretches of time on a parabola, and the contact is the first moment in them at which the
/// centre is within the arc's angles: the beginning of one, or where it comes over the arc through an end.
///
/// What has just met the arc ([`Memory::Met`]) is taken to part from it, as in [`super::disc_disc_again`], or
/// inwards, as in [`super::disc_circle_inside`]. Without acceleration it is [`toi::disc_arc_side`], or else
/// [`toi::disc_arc_entry`].
#[must_use]
pub fn disc_arc_side(disc: &Motion, arc: &Arc, memory: Memory, until: f64) -> Option<(f64, Side)> {
    if disc.is_straight() {
        let straight = disc.straight();
        let entry = || toi::disc_arc_entry(&straight, arc, memory);
        return toi::disc_arc_side(&straight, arc, memory).or_else(entry).filter(|(t, _)| *t < until);
    }
    let around = PathAroundArc::new(disc, arc, memory);
    if around.fits && around.is_in_the_middle(around.path.d) {
        let ahead = if disc.velocity == DVec2::ZERO { disc.acceleration } else { disc.velocity };
        if stops(arc, ahead, memory) {
            return Some((0.0, Side::Back)).filter(|_| 0.0 < until);
        }
    }
    let contact = if memory.just_met() { around.contact_again(until) } else { around.contact(until) };
    contact.filter(|(t, _)| *t < until)
}

/// The path of a centre around the middle of an arc.
struct PathAroundArc<'a> {
    arc: &'a Arc,
    path: Path,
    memory: Memory,
    /// Radii of the circles on which the centre is at contact.
    outer: f64,
    inner: f64,
    is_point: bool,
    /// Whether the disc has the radius of the arc, within rounding.
    fits: bool,
}

/// A stretch of time in which the centre moves through what the arc forbids, towards the arc: from `begins`
/// until it is on the arc's circle, or the piece ends.
#[derive(Clone, Copy)]
struct Stretch {
    begins: f64,
    piece: Piece,
    side: Side,
}

impl<'a> PathAroundArc<'a> {
    fn new(disc: &Motion, arc: &'a Arc, memory: Memory) -> Self {
        let path = disc.path_from(arc.circle.center);
        let radius = arc.circle.radius;
        PathAroundArc {
            arc,
            path,
            memory,
            outer: radius + disc.radius,
            inner: (radius - disc.radius).max(0.0),
            is_point: disc.radius <= touch_slack(norm1(arc.circle.center) + radius + norm1(path.d)),
            fits: fits(&arc.circle, disc.radius),
        }
    }

    fn contact(&self, until: f64) -> Option<(f64, Side)> {
        let mut from = 0.0;
        if squared_gap(self.path.d, self.outer) > 0.0 {
            // What never comes to the outer circle has no part in anything.
            from = self.path.first_contact(self.outer, until)?;
            if self.memory.side() != Some(Side::Back) && self.meets(from, Side::Front) {
                return Some((from, Side::Front));
            }
        }
        let pieces = self.path.pieces(self.outer).take_while(|piece| piece.low < until);
        let mut stretches =
            pieces.filter(|piece| !(piece.high < from)).filter_map(|piece| self.stretch(&piece));
        stretches.find_map(|stretch| self.contact_in(&stretch))
    }

    /// After an impact: the contact in the stretch in which it comes back, or in one of the stretches after
    /// that.
    fn contact_again(&self, until: f64) -> Option<(f64, Side)> {
        let Path { d, v, a } = self.path;
        let side = self.memory.side()?;
        let begins = match side {
            Side::Front => disc_disc_again(d, v, a, self.outer, until),
            Side::Back => leaves_again(d, v, a, self.inner, until),
        }?;
        if self.meets(begins, side) {
            return Some((begins, side));
        }
        let mut pieces = self.path.pieces(self.outer).take_while(|piece| piece.low < until);
        let piece = pieces.find(|piece| piece.high > begins && piece.falls == (side == Side::Front))?;
        let mut stretches = pieces.filter_map(|piece| self.stretch(&piece));
        self.contact_in(&Stretch { begins, piece, side })
            .or_else(|| stretches.find_map(|stretch| self.contact_in(&stretch)))
    }

    /// When the centre comes to the arc's circle in a stretch, or the stretch ends.
    fn end(&self, stretch: &Stretch) -> f64 {
        let end = self.path.crossing_in(&stretch.piece, self.arc.circle.radius);
        end.unwrap_or(stretch.piece.high).max(stretch.begins)
    }

    /// The stretch in a piece, if there is one.
    fn stretch(&self, piece: &Piece) -> Option<Stretch> {
        let (side, reach) = if piece.falls { (Side::Front, self.outer) } else { (Side::Back, self.inner) };
        let begins = self.path.crossing_in(piece, reach)?;
        let stretch = Stretch { begins, piece: *piece, side };
        if piece.low == 0.0
            && let Some(own) = self.memory.side()
        {
            // It is on the side that it remembers, wherever rounding puts it.
            return (own == side).then_some(stretch);
        }
        if begins > piece.low || !self.starts_past(piece) {
            return Some(stretch);
        }
        // A point on a tangent that leads to the arc's end comes to it from inside.
        let grazes = self.is_point && piece.low > 0.0 && side == Side::Back;
        (grazes && self.memory.side() != Some(Side::Front) && self.is_at_circle(piece.low)).then_some(stretch)
    }

    /// Whether the centre is past the arc's own circle where a piece begins; on it, it is outside.
    fn starts_past(&self, piece: &Piece) -> bool {
        let gap = squared_gap(self.path.at(piece.low), self.arc.circle.radius);
        if piece.falls { gap < 0.0 } else { gap >= 0.0 }
    }

    /// Whether the centre is on the arc's circle, within the error of the arc's ends.
    fn is_at_circle(&self, t: f64) -> bool {
        let radius = self.arc.circle.radius;
        let slack = ARC_END_TOUCHES * touch_slack(norm1(self.arc.circle.center) + radius + self.path.size(t));
        squared_gap(self.path.at(t), radius).abs() <= 2.0 * slack * radius
    }

    fn contact_in(&self, stretch: &Stretch) -> Option<(f64, Side)> {
        if self.meets(stretch.begins, stretch.side) {
            return Some((stretch.begins, stretch.side));
        }
        self.entry(stretch).map(|t| (t, stretch.side))
    }

    /// Whether the centre is within the arc's angles where a stretch begins.
    ///
    /// From inside, and for points, the ends are generous by the error of the place, like in
    /// [`toi::disc_arc`]. What comes from outside past the end meets the end point there, or comes over the
    /// arc later.
    fn meets(&self, t: f64, side: Side) -> bool {
        let at = self.path.at(t);
        if self.fits && self.is_in_the_middle(at) {
            return self.arc.spans_within(self.path.velocity(t), 0.0);
        }
        if side == Side::Front && !self.is_point {
            return self.arc.spans_within(at, 0.0);
        }
        spans_where_met(self.arc, at, self.path.velocity(t), self.path.size(t))
    }

    /// When the centre comes over the arc through one of its ends in a stretch.
    ///
    /// It can do so only where it is on the line through the middle and an end, at most twice for each. These
    /// times and the end of the stretch cut it into parts in which the centre is within the arc's angles all
    /// the time or never: the middle of each part tells. It comes over the arc where the first part within
    /// begins, since it is not within the angles where the stretch begins.
    fn entry(&self, stretch: &Stretch) -> Option<f64> {
        if self.arc.full {
            return None;
        }
        let [first, second] = self.over_line(self.arc.first, stretch.begins);
        let [third, fourth] = self.over_line(self.arc.last, stretch.begins);
        // Most paths pass no end within the stretch, and need no search for where the stretch ends.
        if [first, second, third, fourth].iter().all(|t| *t > stretch.piece.high) {
            return None;
        }
        let ends = self.end(stretch);
        let mut times = [first, second, third, fourth, ends].map(|t| t.min(ends));
        times.sort_unstable_by(f64::total_cmp);
        let over = |pair: &&[f64]| {
            let middle = self.path.at(0.5 * (pair[0] + pair[1]));
            pair[0] < pair[1] && self.arc.spans_within(middle, 0.0)
        };
        times.windows(2).find(over).map(|pair| pair[0])
    }

    /// When the centre is on the line through the middle and an end, after `t`; infinite for never.
    fn over_line(&self, end: DVec2, t: f64) -> [f64; 2] {
        let (c, b, a) =
            (end.perp_dot(self.path.d), 0.5 * end.perp_dot(self.path.v), 0.5 * end.perp_dot(self.path.a));
        let roots = match a {
            0.0 => [-0.5 * c / b, f64::INFINITY],
            a if a < 0.0 => root::of_quadratic(-a, -b, -c).map_or([f64::INFINITY; 2], |(x, y)| [x, y]),
            a => root::of_quadratic(a, b, c).map_or([f64::INFINITY; 2], |(x, y)| [x, y]),
        };
        roots.map(|root| if root > t { root } else { f64::INFINITY })
    }

    /// Whether the direction from the middle to a place is rounding, of a disc that fits.
    fn is_in_the_middle(&self, at: DVec2) -> bool {
        norm1(at) <= 2.0 * fitting_slack(&self.arc.circle)
    }
}
