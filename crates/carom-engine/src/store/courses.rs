use super::{Common, Moment, Store};
use crate::error::check;
use crate::{Error, Physics};
use carom_broadphase::Slot;
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
        self.bodies.periods.nearest(target - self.bodies.motion_at(slot, self.now).position)
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
