use crate::ledger::energy_of_change;
use crate::{Physics, World};
use carom_broadphase::Slot;
use glam::DVec2;

impl<P: Physics> World<P> {
    /// Whether a disc has no state beside place and velocity, and an edit of these ends nothing but what the
    /// disc remembers of walls: smooth discs that fly straight without drag, growth, periods, kinematic
    /// discs, discs off the plane, regions, chains, or contacts with records.
    ///
    /// Edits of velocities keep it so.
    #[inline(always)]
    pub(crate) fn has_plain_states(&self) -> bool {
        let (bodies, contacts) = (&self.store.bodies, &self.store.bodies.contacts);
        P::IS_SMOOTH
            && self.store.drag.is_none()
            && self.store.sensing.is_none()
            && self.store.chains.is_empty()
            && bodies.off.is_empty()
            && bodies.movers.is_empty()
            && !bodies.growth.is_on()
            && bodies.periods.is_open()
            && contacts.is_without_ends()
    }

    /// As [`World::set_velocity`], of a slot that is taken and a velocity in range, where
    /// [states are plain](World::has_plain_states).
    #[inline(always)]
    pub(crate) fn set_plain_velocity(&mut self, slot: Slot, velocity: DVec2) {
        self.fade_wall_memory(slot);
        let (before, mass) = self.store.bodies.turn(slot, self.store.now, velocity);
        if velocity != before {
            self.store.book.edits.add(energy_of_change(mass, before, velocity));
        }
        self.store.mark(slot);
    }
}
