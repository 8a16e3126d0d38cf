use super::Bodies;
use crate::Physics;
use crate::state::record::Record;
use carom_broadphase::Slot;

/// What is noted of paths and impacts: see [`Watch`](crate::state::watch::Watch).
impl<P: Physics> Bodies<P> {
    /// To be called before a state is stored: notes the path up to there, if it leads through a strip that
    /// is watched.
    #[inline(always)]
    pub(crate) fn watch_path(&mut self, slot: Slot, new: &Record) {
        if self.watch.is_on() {
            let serial = self.details[slot as usize].serial;
            self.watch.note(serial, &self.records[slot as usize], new);
        }
    }

    /// To be called when the states after an impact of two have been stored: notes it, if that is wanted. The
    /// first disc is the one that was inserted first; both are the same at a wall.
    #[inline(always)]
    pub(crate) fn watch_impact(&mut self, number: u64, slots: [Slot; 2]) {
        if self.watch.is_on() {
            let serials = slots.map(|slot| self.details[slot as usize].serial);
            self.watch.note_impact(number, serials, &self.records[slots[0] as usize]);
        }
    }
}
