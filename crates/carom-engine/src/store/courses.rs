use super::{Common, Moment, Store};
use crate::error::check;
use crate::touch::magnitude;
use crate::walls::motion::Way;
use crate::{Error, Physics};
use carom_broadphase::Slot;
use carom_math::tolerance::touch_slack;
use carom_math::{Time, sqrt};
use glam::DVec2;

/// What is sent on its way: kinematic discs and walls.
impl Common {
    /// The time at which a move is to end, and the seconds until then.
    pub(crate) fn time_to_move(&self, by: Moment) -> Result<(Time, f64), Error> {
        let by = self.at(by)?;
        let seconds = by.since(self.true_now());
        if seconds <= 0.0 {
            let reason = "a move takes time, so that it ends after the present";
            return Err(Error::Inconsistent { field: "by", value: by.as_secs(), reason });
        }
        Ok((by, seconds))
    }

    /// The velocity with which something goes a way in a time, and when it arrives: later, where that would
    /// be faster than `most`.
    pub(crate) fn course(
        &self,
        way: DVec2,
        (by, seconds): (Time, f64),
        most: f64,
    ) -> Result<(DVec2, Time), Error> {
        let length = sqrt(way.length_squared());
        let (velocity, arrival) = if length / seconds > most {
            (way * (most / length), self.after(length / most)?)
        } else {
            (way / seconds, by)
        };
        check::velocity(velocity)?;
        Ok((velocity, arrival))
    }

    /// The shortest way of a disc to a place.
    pub(crate) fn way_to(&self, slot: Slot, target: DVec2) -> DVec2 {
        let here = self.bodies.arrived_at(slot);
        let here = here.unwrap_or_else(|| self.bodies.motion_at(slot, self.now).position);
        self.bodies.periods.nearest(target - here)
    }
}

/// How a command continues the motion of what it sends on.
pub(crate) enum Onward {
    /// At the velocity that it has.
    AsItGoes,
    /// At the mean velocity from where it set out to where it is sent.
    Aimed(DVec2),
}

impl Onward {
    /// How a motion at a velocity is continued by a command. The motion has `gone` a way in `past` seconds
    /// since it set out; the command goes `way` in `seconds`. `None` if the command is another motion.
    ///
    /// The caller's targets are rounded, by an ulp of the coordinates or two, which is much of the way of one
    /// frame. A velocity for each frame would be another one each time, and what rides on the wall would part
    /// from it and come back. So the velocity stays while it leads to within `slack` of the targets, which
    /// is 4 ulp of the coordinates. Where the first frame did not tell it well enough the targets are missed
    /// by more at some time; then it is known better, as the way from the start is longer.
    fn of(
        velocity: DVec2,
        (gone, past): (DVec2, f64),
        (way, seconds): (DVec2, f64),
        slack: f64,
    ) -> Option<Self> {
        let off = (way - velocity * seconds).abs().max_element();
        if off <= slack {
            Some(Onward::AsItGoes)
        } else if off <= 2.0 * slack {
            Some(Onward::Aimed((gone + way) / (past + seconds)))
        } else {
            None
        }
    }
}

impl Common {
    /// How a command continues the journey of a disc.
    pub(crate) fn journey_on(&self, slot: Slot, target: DVec2, arrival: Time) -> Option<Onward> {
        let journey = self.bodies.movers.get(slot)?.journey.filter(|journey| !journey.is_late)?;
        if self.drag.is_some() || self.bodies.record(slot).velocity() != journey.velocity {
            return None;
        }
        let here = self.bodies.motion_at(slot, self.now).position;
        let stored = || (self.bodies.record(slot).position(), self.bodies.time(slot));
        let (start, since) = journey.line.0.unwrap_or_else(stored);
        let gone = (here - start, self.now.since(since));
        let way = self.bodies.periods.nearest(target - here);
        // Its path has the rounding of the places on its way, which may be about the origin.
        let scale = magnitude(start).max(magnitude(here)).max(magnitude(target));
        let slack = touch_slack(scale.max(self.bodies.radius(slot)));
        Onward::of(journey.velocity, gone, (way, arrival.since(self.now)), slack)
    }

    /// How a command continues the course of a wall.
    pub(crate) fn course_on(&self, slot: u32, way: &Way, arrival: Time) -> Option<Onward> {
        let pose = self.walls.stored_pose(slot)?;
        let course = pose.course?;
        let (gone, seconds) = (self.now.since(course.from), arrival.since(self.now));
        let (velocity, here, to) = match (course.way, *way) {
            (Way::Drift { velocity, .. }, Way::Drift { to, .. }) => {
                (velocity, pose.offset + velocity * gone, to)
            }
            (Way::Rotation { angle, rate, .. }, Way::Rotation { to, .. }) => {
                let along = |angle| DVec2::new(angle, 0.0);
                (along(rate), along(angle + rate * gone), along(to))
            }
            _ => return None,
        };
        let slack = match *way {
            Way::Drift { .. } => self.walls.facets_of(slot).first()?.slack_at(magnitude(to)),
            Way::Rotation { .. } => touch_slack(magnitude(here).max(magnitude(to))),
        };
        Onward::of(velocity, (velocity * gone, gone), (to - here, seconds), slack)
    }
}

/// Timers of journeys.
impl<P: Physics> Store<P> {
    /// Ends the journey of a disc, if it is on one, where it is.
    #[inline(always)]
    pub(crate) fn end_journey(&mut self, slot: Slot) -> bool {
        !self.bodies.movers.is_empty() && self.end_journey_of(slot)
    }

    #[cold]
    fn end_journey_of(&mut self, slot: Slot) -> bool {
        let journey = self.bodies.movers.take_journey(slot);
        journey.is_some_and(|journey| self.timers.remove(journey.timer))
    }

    /// Ends the journey of a disc that is put elsewhere, and forgets how often it went round.
    pub(crate) fn end_way(&mut self, slot: Slot) {
        self.end_journey(slot);
        self.bodies.windings.set(slot, [0; 2]);
    }

    /// Ends all journeys but that of one disc, as velocities are changed that were those of journeys.
    pub(crate) fn end_journeys(&mut self, but: Option<Slot>) {
        let timers = &mut self.timers;
        self.common.bodies.movers.end_journeys(but, |timer| _ = timers.remove(timer));
    }
}
