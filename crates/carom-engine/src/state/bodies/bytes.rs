use super::{Bodies, Detail};
use crate::state::bend::{Bend, BendLanes};
use crate::state::record::Record;
use crate::state::sweep_lanes::SweepLanes;
use carom_broadphase::Slot;

impl Bodies {
    /// Bytes of memory that they take.
    pub(crate) fn bytes(&self) -> usize {
        size_of::<Record>() * self.records.capacity()
            + size_of::<SweepLanes>() * self.blocks.capacity()
            + size_of::<Bend>() * self.bends.capacity()
            + size_of::<BendLanes>() * self.bend_blocks.capacity()
            + size_of::<Detail>() * self.details.capacity()
            + size_of::<Slot>() * self.free.capacity()
            + self.windings.bytes()
            + self.walls.bytes()
            + self.user_data.bytes()
            + self.overlap.bytes()
            + self.rules.bytes()
            + self.sensors.bytes()
            + self.generations.bytes()
    }
}
