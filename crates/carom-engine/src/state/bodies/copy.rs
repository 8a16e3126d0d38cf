use super::{Bodies, Detail};
use crate::Physics;
use crate::state::record::Record;
use crate::state::stamp::Stamp;
use crate::state::wall_memory::WallMemory;
use carom_broadphase::Slot;

/// What a plain world knows of the motion of a disc, and what its impacts depend on: to be stored in another
/// world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DiscCopy<B, X> {
    record: Record,
    detail: Detail<B, X>,
    windings: [i32; 2],
    walls: WallMemory,
}

impl<B, X> DiscCopy<B, X> {
    /// With the disc that it met last in the slot that this has in the other world.
    pub(crate) fn with_partner(mut self, partner: Slot) -> Self {
        self.detail.partner = partner;
        self
    }

    /// With its last impact numbered as in the other world.
    pub(crate) fn with_stamp(mut self, stamp: Stamp) -> Self {
        self.record.set_stamp(stamp);
        self
    }
}

impl<P: Physics> Bodies<P> {
    pub(crate) fn copy(&self, slot: Slot) -> DiscCopy<P::Body, P::Extra> {
        DiscCopy {
            record: *self.record(slot),
            detail: *self.detail(slot),
            windings: self.windings.get(slot),
            walls: self.walls.get(slot),
        }
    }

    /// Overwrites a disc.
    pub(crate) fn paste(&mut self, slot: Slot, copy: &DiscCopy<P::Body, P::Extra>) {
        self.records[slot as usize] = copy.record;
        self.details[slot as usize] = copy.detail;
        self.windings.set(slot, copy.windings);
        self.walls.set(slot, copy.walls);
        self.copy_to_block(slot);
    }

    /// Takes a copy in. Returns its slot.
    pub(crate) fn insert_copy(&mut self, copy: &DiscCopy<P::Body, P::Extra>) -> Slot {
        let slot = self.take_slot(copy.detail);
        self.paste(slot, copy);
        slot
    }
}
