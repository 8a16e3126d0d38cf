use super::{Gap, Memory, Motion, Side, bent};
use crate::elementary::{turned, unit_vector};
use crate::shape::norm;
use crate::tolerance::{SEARCH_MARGIN, touch_slack};
use crate::{DVec2, Segment, sqrt};

/// A segment with round ends of one radius that turns about its first end at a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arm {
    /// The first end of the segment.
    pub pivot: DVec2,
    /// Length of the segment, > 0.
    pub length: f64,
    /// Radius of its ends, half its thickness, ≥ 0.
    pub radius: f64,
    /// Its angle from the x axis at the moment from which times are counted, radians.
    pub angle: f64,
    /// Radians per second, counter-clockwise if positive; 0 of one that stands still.
    pub rate: f64,
    /// Seconds for which it turns so; infinite if nothing ends that.
    pub lasts: f64,
}

impl Arm {
    /// The same arm, with times counted from `t` seconds later.
    #[must_use]
    pub fn after(&self, t: f64) -> Arm {
        Arm { angle: turned(self.angle, self.rate, t), lasts: self.lasts - t, ..*self }
    }

    /// Its middle line at the moment from which times are counted, from the pivot to the tip.
    #[must_use]
    pub fn axis(&self) -> Segment {
        self.axis_after(0.0)
    }

    fn axis_after(&self, t: f64) -> Segment {
        let angle = if t == 0.0 { self.angle } else { turned(self.angle, self.rate, t) };
        Segment { start: self.pivot, direction: unit_vector(angle), length: self.length }
    }

    /// The velocity of a point of it.
    #[inline]
    #[must_use]
    pub fn velocity_at(&self, point: DVec2) -> DVec2 {
        (point - self.pivot).perp() * self.rate
    }

    /// How far from the pivot it reaches.
    #[inline]
    #[must_use]
    pub fn reach(&self) -> f64 {
        self.length + self.radius
    }
}

/// Where a centre is to an arm: the distance from its middle line, how fast that changes, and what is
/// nearest there.
struct Place {
    /// Of the surfaces.
    gap: f64,
    rate: f64,
    /// Unit normal from the middle line to the centre.
    normal: DVec2,
    side: Side,
    /// How far from the pivot along the arm the centre is: below 0 the pivot is nearest.
    along: f64,
}

/// The place of a centre at `p` with the velocity `v`; on a `side` that is known, if it is over the straight.
#[inline]
fn place(arm: &Arm, axis: &Segment, (p, v): (DVec2, DVec2), radius: f64, side: Option<Side>) -> Place {
    let d = p - arm.pivot;
    let (along, across) = (d.dot(axis.direction), axis.direction.perp_dot(d));
    let (normal, distance, foot, on) = if along > 0.0 && along < arm.length {
        let on = side.unwrap_or(if across >= 0.0 { Side::Front } else { Side::Back });
        (axis.normal() * on.sign(), across * on.sign(), axis.direction * along, on)
    } else {
        let foot = if along > 0.0 { axis.direction * arm.length } else { DVec2::ZERO };
        let distance = norm(d - foot);
        let normal = if distance > 0.0 { (d - foot) / distance } else { axis.normal() };
        (normal, distance, foot, if across >= 0.0 { Side::Front } else { Side::Back })
    };
    let gap = distance - (radius + arm.radius);
    Place { gap, rate: (v - foot.perp() * arm.rate).dot(normal), normal, side: on, along }
}

/// Steps from which on the least step doubles each time. No path has needed more; a search whose steps close
/// in on nothing ends by this.
const STEPS_BEFORE_GROWTH: u32 = 192;

/// Time until a disc on a parabola hits an arm that turns, before `until` and before that has ceased to turn:
/// its straight sides or its tip, not the round end at its pivot. That does not move, and is a disc of its
/// own.
///
/// There is no closed form. The search goes on by steps that no contact is in. Seen from the arm the path has
/// an acceleration of at most `M = |a| + 2 |ω| V + ω² D` while it is no faster than `V` and no farther from
/// the pivot than `D`; the arm is convex, so after `h` seconds the gap is at least `g + g′ h − ½ M h²`. A
/// step is to the root of that, or `g` over the greatest relative speed `|v| + |ω| L`, if that is longer.
/// Towards a contact the root is that of Newton's method from below, so the steps close in on it
/// quadratically and end at the first representable time at which the gap is not positive, as computed. A
/// computed gap is off by a few ulp of the coordinates, and so the time by no more than that in which the gap
/// changes by as much. See `docs/derivations/disc-arm.md`.
///
/// With [`Memory::Met`] the two are taken to part.
#[must_use]
pub fn disc_arm(disc: &bent::Motion, arm: &Arm, memory: Memory, until: f64) -> Option<f64> {
    // A finite end of the search: where disc and arm both stand still, steps would never reach infinity.
    let until = until.min(arm.lasts).min(f64::MAX);
    let from_pivot = bent::Motion { position: disc.position - arm.pivot, ..*disc };
    let reach = (arm.reach() + disc.radius) * (1.0 + SEARCH_MARGIN);
    bent::stays_within(&from_pivot, reach).as_slice().iter().find_map(|&[enters, leaves]| {
        let window = [enters.max(0.0), leaves.min(until)];
        (window[0] <= window[1]).then(|| Search::new(disc, arm, reach, window).first(memory))?
    })
}

/// The search for the first contact in a time in which the centre is within reach of the arm.
struct Search<'a> {
    disc: &'a bent::Motion,
    arm: &'a Arm,
    window: [f64; 2],
    /// The greatest acceleration, as seen from the arm.
    bend: f64,
    /// The greatest speed relative to the straight and its tip, and to the place on the arm's plane.
    speed: [f64; 2],
}

impl<'a> Search<'a> {
    fn new(disc: &'a bent::Motion, arm: &'a Arm, reach: f64, [from, to]: [f64; 2]) -> Self {
        let speed_at = |t: f64| norm(disc.after(t).velocity);
        // A speed on a parabola is largest at one of the ends. Of a stay without an end it is constant.
        let speed = speed_at(from).max(if to < f64::INFINITY { speed_at(to) } else { 0.0 });
        let turning = arm.rate.abs();
        let bend = norm(disc.acceleration) + turning * (2.0 * speed + turning * reach);
        let room = 1.0 + SEARCH_MARGIN;
        let speeds = [speed + turning * arm.length, speed + turning * reach];
        Search { disc, arm, window: [from, to], bend: bend * room, speed: speeds.map(|v| v * room) }
    }

    fn first(&self, memory: Memory) -> Option<f64> {
        let [from, to] = self.window;
        let (mut t, mut least) = (from, 0.0);
        let mut memory = if t == 0.0 { memory } else { Memory::None };
        for step in 0_u32.. {
            let at = self.place(t, memory.side());
            // One that has just met the arm parts from it, whatever rounding says.
            let rate = if memory.just_met() { at.rate.max(0.0) } else { at.rate };
            let is_over = at.along > 0.0;
            if at.gap <= 0.0 && rate < 0.0 && is_over {
                return Some(t);
            }
            // NaN ends the search, too.
            let h = self.free(&at, rate);
            if !(t + h <= to) {
                return None;
            }
            let next = t + h;
            // As near as times are to each other: the next one is behind the contact.
            if next <= t.next_up() && rate < 0.0 && is_over && at.gap > 0.0 && self.is_behind(t, &at) {
                return Some(t.next_up());
            }
            // Where the two stay within rounding of each other steps are too short to get anywhere.
            if step >= STEPS_BEFORE_GROWTH {
                least = f64::max(2.0 * least, f64::EPSILON * (t + f64::MIN_POSITIVE));
            }
            t = next.max(t.next_up()).max(t + least);
            memory = Memory::None;
        }
        None
    }

    fn place(&self, t: f64, side: Option<Side>) -> Place {
        let (disc, axis) = (self.disc.after(t), self.arm.axis_after(t));
        place(self.arm, &axis, (disc.position, disc.velocity), disc.radius, side)
    }

    /// A time in which there is no contact for sure: the longest of some bounds.
    ///
    /// For a gap `g > 0` that changes at the rate `g′`, the root of `g + g′ h − ½ M h²`, in the form that
    /// adds terms of one sign, and `g` over the greatest relative speed. For a gap that is closed and opens,
    /// the time until it may close again, `g′/M`. Behind the pivot, where nothing counts as a contact, the
    /// time until the centre may be past it.
    fn free(&self, at: &Place, rate: f64) -> f64 {
        let mut free: f64 = 0.0;
        if at.gap > 0.0 {
            let root = sqrt(rate * rate + 2.0 * self.bend * at.gap);
            let bent = if rate > 0.0 { (rate + root) / self.bend } else { 2.0 * at.gap / (root - rate) };
            free = free.max(bent).max(at.gap / self.speed[0]);
        } else if rate >= 0.0 {
            free = free.max(if self.bend > 0.0 { rate / self.bend } else { f64::INFINITY });
        }
        if at.along < 0.0 {
            free = free.max(-at.along / self.speed[1]);
        }
        free
    }

    /// Whether an arm and a disc without any thickness have passed each other by the next time.
    fn is_behind(&self, t: f64, at: &Place) -> bool {
        let next = self.place(t.next_up(), None);
        next.side != at.side || next.gap <= 0.0
    }
}

/// Distance and normal of a disc and an arm at the moment from which times are counted: of all of it, the end
/// at the pivot, too.
///
/// A disc and an arm that are both without thickness touch on the side from which the one comes, unless that
/// is remembered.
#[must_use]
pub fn gap_disc_arm(disc: &Motion, arm: &Arm, memory: Memory) -> Gap {
    gap_coming_from(disc, arm, memory, 1.0)
}

/// As [`gap_disc_arm`], of a disc that is hitting the arm: without any thickness the two touch on the side
/// from which the disc comes, however far the rounding of a time has put it on the other one.
#[must_use]
pub fn gap_disc_arm_at_impact(disc: &Motion, arm: &Arm, memory: Memory) -> Gap {
    gap_coming_from(disc, arm, memory, f64::INFINITY)
}

/// `most` is the number of slacks of touching up to which the one without thickness counts as just come.
fn gap_coming_from(disc: &Motion, arm: &Arm, memory: Memory, most: f64) -> Gap {
    let axis = arm.axis();
    let at = |side| place(arm, &axis, (disc.position, disc.velocity), disc.radius, side);
    let mut found = at(memory.side());
    let scale = disc.position.abs().max_element().max(arm.pivot.abs().max_element()).max(arm.length);
    let slack = touch_slack(scale);
    let has_come = found.gap.abs() <= most * slack && found.rate > 0.0;
    if disc.radius + arm.radius <= slack && memory.side().is_none() && has_come {
        found = at(Some(if found.side == Side::Front { Side::Back } else { Side::Front }));
    }
    Gap { distance: found.gap, normal: -found.normal, side: found.side }
}
