use super::Store;
use crate::Physics;
use crate::state::bodies::NewState;
use crate::state::stamp::{ImpactKind, Stamp};
use carom_broadphase::Slot;

/// What is written of discs.
impl<P: Physics> Store<P> {
    /// Numbers the next impact.
    pub(crate) fn next_impact(&mut self, kind: ImpactKind) -> (u64, Stamp) {
        self.impacts += 1;
        (self.impacts, Stamp::impact(self.impacts, kind))
    }

    /// Notes the work of a disc's acceleration up to the present, at which its state is going to be stored.
    #[inline(always)]
    pub(crate) fn note_path(&mut self, slot: Slot) {
        if P::ACCELERATED {
            let work = self.work_on_path(slot, self.now);
            self.book.forces.add(work);
        }
    }

    /// Stores a state of the present: see [`Bodies::put`](crate::state::bodies::Bodies::put).
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: Slot, new_state: &NewState, extra: P::Extra, stamp: Stamp) {
        self.note_path(slot);
        self.bodies.put(&self.physics, slot, new_state, extra, stamp);
    }
}
