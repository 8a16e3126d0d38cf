//! Motions that change their law by themselves.

use super::responder::Responder;
use crate::apply::change::apply_change;
use crate::apply::slide::{apply_chord, schedule_again};
use crate::ledger::energy_of_change;
use crate::physics::Reach;
use crate::predict::CommonPredictor;
use crate::respond::contact::approach;
use crate::respond::motion_change::{NewMotion, change_of, closes_in_on_wall, rounding};
use crate::respond::slide::resume_sliding;
use crate::sink::Sink;
use crate::state::contacts::CHANGE;
use crate::state::stamp::Stamp;
use crate::touch::direction;
use crate::{Physics, StopReason};
use carom_broadphase::Slot;
use carom_math::DVec2;
use carom_math::toi::Motion;

impl<P: Physics> Responder<'_, P> {
    pub(crate) fn resolve_change<K: Sink<P>>(&mut self, slot: Slot, sink: &mut K) -> Result<(), StopReason> {
        let Some(change) = change_of(self.store, slot) else {
            // It was scheduled, so the physics is not the pure function that it must be: it is scheduled
            // again.
            schedule_again(self.store.common(), slot);
            return Ok(());
        };
        if self.store.is_held(slot) {
            // It cuts the piece of all that it is held to.
            return self.settle_around(slot, CHANGE, sink);
        }
        let body = self.store.body_at(slot, self.store.now);
        let mut state = self.store.state_now(slot);
        let motion = Motion::new(state.position, state.velocity, body.radius);
        let is_captured = P::JUDGES && self.store.physics.captures(change, &body, &state);
        self.store.physics.change(change, &body, &mut state);
        let gained = energy_of_change(body.mass, motion.velocity, state.velocity);
        let is_met = self.has_still_met(slot, &Motion { velocity: state.velocity, ..motion });
        let stamp = if is_met { self.store.bodies.stamp(slot) } else { Stamp::NONE };
        let slid = self.store.bodies.contacts.held.get(slot).copied();
        let motion = NewMotion { slot, state, stamp, gained };
        apply_change(self.store, &motion, (slot, change, is_captured), sink);
        if let Some(chord) = slid.and_then(|slide| resume_sliding(self.store, slot, &slide)) {
            apply_chord(self.store, &chord);
        }
        Ok(())
    }

    /// Whether a disc whose motion changes to `motion` at the instant of its impact does not meet the same
    /// bodies anew: it approaches none of them, or by no more than what rounding left of the impact.
    ///
    /// Else a disc that starts to roll or stops as it is hit would be hit by these remainders again and
    /// again.
    fn has_still_met(&self, slot: Slot, motion: &Motion) -> bool {
        let stamp = self.store.bodies.stamp(slot);
        if stamp == Stamp::NONE || self.store.bodies.time(slot) != self.store.now {
            return false;
        }
        let before = self.store.state(slot).velocity;
        before == motion.velocity
            || !(closes_in_on_wall(self.store, slot, motion, before)
                || self.closes_in_on_disc(slot, motion, before))
    }

    #[cold]
    fn closes_in_on_disc(&self, slot: Slot, motion: &Motion, before: DVec2) -> bool {
        let closes_in = |other: Slot| {
            let of_other = self.store.motion_at(other, self.store.now);
            let reach = self.store.physics.reach(motion.radius, of_other.radius);
            let velocity = motion.velocity - of_other.velocity;
            let apart = self.store.bodies.periods.nearest(of_other.position - motion.position);
            let closing = approach(velocity.dot(direction(apart, velocity)), self.store.growth_speed(reach));
            CommonPredictor::of(self.store).just_met(slot, other, motion, &of_other, reach)
                && !CommonPredictor::of(self.store).pass_through(slot, other)
                && closing > rounding([motion.velocity, of_other.velocity, before])
        };
        // A list of neighbours is filled up with the disc itself.
        let is_met = |other: Slot| other != slot && closes_in(other);
        match self.scheduler.neighbours(slot) {
            Some(neighbours) => neighbours.iter().any(|&other| is_met(other)),
            None => self.store.bodies.live().any(is_met),
        }
    }
}
