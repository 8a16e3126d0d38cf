//! Facets that are elsewhere at another time: those of arms that turn, and of walls that move.
//!
//! A wall that moves does so at a constant velocity, so its own frame is an inertial one: times of impact
//! and gaps are those of its form at rest with the disc as [`Facet::seen`] from there, in closed form and
//! as exact.

use crate::touch::{HELD_DEPTH, NEARBY, motion_left};
use crate::walls::facet::{Drift, Facet, Shape};
use carom_math::toi::{Arm, Gap, Memory, Motion, Side, bent};
use carom_math::{DVec2, Time};
use std::borrow::Cow;

impl Facet {
    pub(crate) fn with_drift(self, drift: Drift) -> Self {
        Facet { drift, is_driven: true, ..self }
    }

    /// The way that it goes.
    pub(in crate::walls) fn way(&self) -> DVec2 {
        let Drift { velocity, lasts, .. } = self.drift;
        if velocity == DVec2::ZERO { DVec2::ZERO } else { velocity * lasts }
    }

    /// Its form as it is at a time, not before that at which it was put up.
    #[inline(always)]
    pub(crate) fn shape_at(&self, time: Time) -> Cow<'_, Shape> {
        if self.is_driven { Cow::Owned(self.driven_to(time)) } else { Cow::Borrowed(&self.shape) }
    }

    #[cold]
    #[inline(never)]
    fn driven_to(&self, time: Time) -> Shape {
        match &self.shape {
            Shape::Arm(arm) => Shape::Arm(arm.after(time.since(self.since))),
            shape => shape.moved_by(self.drift.velocity * time.since(self.drift.from)),
        }
    }

    /// As it is at a time, standing still from then on.
    pub(crate) fn standing_from(&self, time: Time) -> Facet {
        let shape = match *self.shape_at(time) {
            Shape::Arm(arm) => Shape::Arm(Arm { rate: 0.0, lasts: f64::INFINITY, ..arm }),
            shape => shape,
        };
        Facet { shape, is_driven: false, drift: Drift::NONE, since: time, ..*self }
    }

    /// The arm that it is while that turns.
    #[inline(always)]
    pub(crate) fn arm(&self) -> Option<&Arm> {
        if let Shape::Arm(arm) = &self.shape { Some(arm) } else { None }
    }

    /// The velocity of its surface at a place, at a time.
    #[inline(always)]
    pub(crate) fn velocity_at(&self, place: DVec2) -> DVec2 {
        self.arm().map_or(self.drift.velocity, |arm| arm.velocity_at(place))
    }

    /// The motion that a disc has at a time as it is seen from a wall that moves: in the frame in which the
    /// wall stands where it was put up. For others it is that motion.
    #[inline(always)]
    pub(crate) fn seen(&self, motion: &Motion, time: Time) -> Motion {
        if self.is_driven { self.seen_moving(motion, time) } else { *motion }
    }

    #[cold]
    #[inline(never)]
    fn seen_moving(&self, motion: &Motion, time: Time) -> Motion {
        let velocity = self.drift.velocity;
        let position = motion.position - velocity * time.since(self.drift.from);
        Motion { position, velocity: motion.velocity - velocity, ..*motion }
    }

    /// As `seen`, of a place this many seconds after a time.
    pub(crate) fn place_seen(&self, place: DVec2, (time, dt): (Time, f64)) -> DVec2 {
        if self.is_driven { place - self.drift.velocity * (time.since(self.drift.from) + dt) } else { place }
    }

    /// As `seen`, of a path that bends.
    #[inline(always)]
    pub(crate) fn path_seen(&self, path: &bent::Motion, time: Time) -> bent::Motion {
        let Motion { position, velocity, .. } = self.seen(&path.straight(), time);
        bent::Motion { position, velocity, ..*path }
    }

    /// As [`Shape::takes_growth`]; not of a wall that moves.
    pub(crate) fn takes_growth(&self) -> bool {
        !self.is_driven && self.shape.takes_growth()
    }

    /// Whether another facet stands where it stands, in its frame, at all times.
    #[inline(always)]
    pub(crate) fn moves_with(&self, other: &Facet) -> bool {
        !(self.is_driven || other.is_driven) || (self.wall == other.wall && self.drift == other.drift)
    }

    /// What its form says of a motion at a time: that of an arm as it is then, others in their own frame.
    #[inline(always)]
    fn ask<T>(
        &self,
        motion: &Motion,
        time: impl FnOnce() -> Time,
        what: impl FnOnce(&Shape, &Motion) -> T,
    ) -> T {
        if self.is_driven { self.ask_driven(motion, time(), what) } else { what(&self.shape, motion) }
    }

    #[cold]
    #[inline(never)]
    fn ask_driven<T>(&self, motion: &Motion, time: Time, what: impl FnOnce(&Shape, &Motion) -> T) -> T {
        match self.arm() {
            Some(_) => what(&self.driven_to(time), motion),
            None => what(&self.shape, &self.seen_moving(motion, time)),
        }
    }

    /// Seconds until a disc with this motion at a time hits it.
    #[inline(always)]
    pub(crate) fn time_of_impact(
        &self,
        disc: &Motion,
        memory: Memory,
        time: impl Fn() -> Time,
    ) -> Option<f64> {
        let hit = self.ask(disc, &time, |shape, seen| shape.time_of_impact(seen, memory));
        if self.is_driven { hit.filter(|&dt| dt <= self.moves_for(time())) } else { hit }
    }

    /// Seconds for which it goes on to drift, and a little more; an arm that turns knows that itself.
    ///
    /// The offsets bound what rounding leaves of the two spans. Cut at a rounded end, an impact just before
    /// it would be unknown to a wall that ends there, and lie in the past once the wall goes on.
    fn moves_for(&self, time: Time) -> f64 {
        let Drift { from, lasts, .. } = self.drift;
        motion_left(lasts, time.since(from), from.offset() + time.offset())
    }

    /// This many seconds after a time, or fewer if it ceases to move before.
    pub(crate) fn until(&self, seconds: f64, time: Time) -> f64 {
        if self.is_driven { seconds.min(self.moves_for(time)) } else { seconds }
    }

    /// As `time_of_impact`, on a path that bends, before it ends.
    pub(crate) fn first_contact(
        &self,
        disc: &bent::Motion,
        memory: Memory,
        until: f64,
        time: Time,
    ) -> Option<f64> {
        if self.arm().is_some() {
            return self.shape_at(time).first_contact(disc, memory, until);
        }
        let until = self.until(until, time);
        if until < 0.0 { None } else { self.shape.first_contact(&self.path_seen(disc, time), memory, until) }
    }

    /// Whether a disc with this motion at a time faces it at no more than a distance.
    #[inline(always)]
    pub(crate) fn is_within(&self, motion: &Motion, limit: f64, time: Time) -> bool {
        self.distance(motion, time).is_some_and(|distance| distance <= limit)
    }

    /// Distance, where a disc with this motion at a time faces it.
    #[inline(always)]
    pub(crate) fn distance(&self, motion: &Motion, time: Time) -> Option<f64> {
        self.ask(motion, || time, |shape, seen| shape.distance(seen))
    }

    /// Distance and normal, where a disc with this motion at a time faces it.
    #[inline(always)]
    pub(crate) fn gap(&self, motion: &Motion, memory: Memory, time: Time) -> Option<Gap> {
        self.ask(motion, || time, |shape, seen| shape.gap(seen, memory))
    }

    /// Whether a disc is at it on a side that it remembers.
    #[inline(always)]
    pub(crate) fn is_still_at(&self, side: Side, motion: &Motion, time: Time) -> bool {
        let gap = self.gap(motion, Memory::Near(side), time).filter(|_| !self.is_gone());
        gap.is_some_and(|gap| {
            // What was hit after a long path may be placed well past the wall, and is not on the other side
            // of it for that. There is a way round to that, though, on a path that bends, out of an arc's
            // opening, or as an arm turns.
            let slack = self.slack(motion);
            let deepest = match self.shape {
                Shape::Arc(_) | Shape::Arm(_) => NEARBY * slack,
                Shape::Segment(_) | Shape::OneSided(_) => motion.radius + NEARBY * slack,
                // What moves outwards over the end is let in.
                Shape::OneSidedEnd { .. } => HELD_DEPTH * motion.radius + NEARBY * slack,
                _ => f64::INFINITY,
            };
            (-deepest..=slack).contains(&gap.distance)
        })
    }

    /// As `gap`, of a disc that is put there: see [`Shape::gap_beside`].
    pub(crate) fn gap_beside(&self, motion: &Motion, memory: Memory, time: Time) -> Option<Gap> {
        self.ask(motion, || time, |shape, seen| shape.gap_beside(seen, memory))
    }

    /// By how much a disc overlaps it at a time, if by more than touching.
    pub(crate) fn overlap(&self, motion: &Motion, time: Time) -> Option<f64> {
        let gap = self.gap_beside(motion, Memory::None, time)?;
        (gap.distance < -self.slack(motion)).then_some(-gap.distance)
    }

    /// As `gap`, of a disc that is hitting it.
    #[inline(always)]
    pub(crate) fn gap_at_impact(&self, motion: &Motion, memory: Memory, time: Time) -> Gap {
        self.ask(motion, || time, |shape, seen| shape.gap_at_impact(seen, memory))
    }
}

impl Shape {
    /// Elsewhere, by this way.
    pub(crate) fn moved_by(&self, way: DVec2) -> Shape {
        let mut moved = *self;
        *match &mut moved {
            Shape::HalfPlane(plane) => &mut plane.point,
            Shape::Segment(segment) | Shape::OneSided(segment) => &mut segment.start,
            Shape::OneSidedEnd { point, .. } | Shape::Point(point) => point,
            Shape::Outside(circle) | Shape::Inside(circle) => &mut circle.center,
            Shape::Arc(arc) => &mut arc.circle.center,
            Shape::Arm(arm) => &mut arm.pivot,
        } += way;
        moved
    }
}
