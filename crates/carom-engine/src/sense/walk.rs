use super::{RegionSlot, Sensing};
use crate::crossing::CrossingNote;
use crate::walk::{Place, Walk};
use crate::{Crossing, RegionId};

impl Sensing {
    /// What none has walks as one that is empty.
    pub(crate) fn walk(&self, walk: &mut Walk<'_>) {
        let Sensing { slots, free, next_number, notes, versions: _, queue: _ } = self;
        walk.at(Place::World);
        walk.size("slots of regions", slots.len());
        walk.text("free slots of regions", free);
        walk.count("number of the next region", *next_number);
        for (r, slot) in (0..).zip(slots) {
            let RegionSlot { generation, placed, inside, version: _ } = slot;
            walk.at(Place::Region(RegionId::new(r, *generation)));
            walk.count("generation", (*generation).into());
            let region = placed.as_ref().map(|placed| (placed.number, placed.is_own, &placed.region));
            walk.text("region", &region);
            walk.size("discs inside", inside.len());
            inside.iter().for_each(|&(serial, _)| walk.count("serial number of a disc inside", serial));
        }
        walk.at(Place::World);
        walk.size("number of crossings to be reported", notes.len());
        notes.iter().for_each(|note| note.walk(walk));
    }
}

impl CrossingNote {
    fn walk(&self, walk: &mut Walk<'_>) {
        let CrossingNote { crossing, enters, serials } = self;
        let Crossing { time, disc, region, user_data, position, velocity, cause } = crossing;
        walk.time("time of a crossing to be reported", *time);
        walk.text("disc and region of a crossing", &(disc, region, user_data, serials, cause));
        walk.vector(["position.x of a crossing", "position.y of a crossing"], *position);
        walk.vector(["velocity.x of a crossing", "velocity.y of a crossing"], *velocity);
        walk.flag("whether the disc enters", *enters);
    }
}
