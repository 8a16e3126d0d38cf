use super::Common;
use carom_broadphase::Slot;

/// Which discs the schedule lags behind.
impl Common {
    /// Marks a disc to be scheduled again. Any number of edits cost one rescheduling.
    #[inline]
    pub(crate) fn mark(&mut self, slot: Slot) {
        if self.dirty.len() > 2 * self.bodies.slots() {
            self.tidy_marks();
        }
        self.dirty.push(slot);
        self.edited();
    }

    /// Marks a disc that may do something else on its own, as there are other walls, and whose meetings with
    /// others stay as they are.
    pub(crate) fn mark_solo(&mut self, slot: Slot) {
        self.mark(slot);
        self.solo_marks.push(slot);
    }

    /// Takes the marks of discs that go.
    pub(crate) fn unmark(&mut self, goes: impl Fn(Slot) -> bool) {
        self.dirty.retain(|&slot| !goes(slot));
        self.solo_marks.retain(|&slot| !goes(slot));
    }

    /// Leaves each slot once. All that is marked is scheduled again as a whole then.
    #[cold]
    pub(crate) fn tidy_marks(&mut self) {
        self.dirty.sort_unstable();
        self.dirty.dedup();
        self.solo_marks.clear();
    }

    /// To be called by edits that do not mark a disc, which calls it.
    #[inline(always)]
    pub(crate) fn edited(&mut self) {
        self.edition.add(1);
    }

    /// Ends the records of contacts that depend on the velocity of a disc, which gets another one.
    pub(crate) fn end_by_velocity(&mut self, slot: Slot) {
        self.bodies.contacts.end_by_velocity(slot, self.now);
    }
}
