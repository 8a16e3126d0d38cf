use super::error::SnapshotError;
use super::slots::Slots;
use super::{Bounds, MOST, are_finite, at_most, each};
use crate::crossing::CrossingNote;
use crate::sense::{Placed, RegionSlot, Sensing, check_region};
use crate::walk::{Fields, Place, Walk, fields};
use crate::{DiscId, Physics, Region, RegionId, World, limits};
use carom_broadphase::Slot;

/// The regions, and what is inside of them. When they are next entered and left follows from that.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct RegionsRecord {
    slots: Slots,
    /// By slot.
    regions: Vec<RegionRecord>,
    /// Crossings that have not been reported.
    notes: Vec<CrossingNote>,
}

impl Fields for RegionsRecord {
    fn walk(&self, walk: &mut Walk<'_>) {
        let RegionsRecord { slots, regions, notes } = self;
        walk.field("slots of regions", slots);
        for region in regions {
            walk.at(Place::Region(RegionId::new(region.slot, slots.generation(region.slot))));
            region.walk(walk);
        }
        walk.at(Place::World);
        walk.field("crossings to be reported", notes);
    }
}

#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct RegionRecord {
    slot: u32,
    number: u64,
    /// Whether it is what its carrier is as a sensor.
    is_own: bool,
    region: Region,
    /// Slots of the discs that are inside, in the order of their serial numbers.
    inside: Vec<Slot>,
}

fields!(RegionRecord: slot, number, is_own, region, inside);

impl RegionsRecord {
    pub(super) fn of(sensing: Option<&Sensing>) -> Self {
        let Some(sensing) = sensing else {
            let slots = Slots::new(Vec::new(), core::iter::empty());
            return RegionsRecord { slots, regions: Vec::new(), notes: Vec::new() };
        };
        let generations = sensing.slots.iter().map(|slot| slot.generation).collect();
        let record = |(slot, placed): (u32, &Placed)| RegionRecord {
            slot,
            number: placed.number,
            is_own: placed.is_own,
            region: placed.region,
            inside: sensing.slots[slot as usize].inside.iter().map(|&(_, disc)| disc).collect(),
        };
        RegionsRecord {
            slots: Slots::new(generations, sensing.free.iter().rev().copied()),
            regions: sensing.placed().map(record).collect(),
            notes: sensing.notes.clone(),
        }
    }

    /// `is_there` says whether a disc is.
    pub(super) fn check(
        &self,
        next_number: u64,
        bounds: &Bounds,
        is_there: impl Fn(DiscId) -> bool,
    ) -> Result<(), SnapshotError> {
        let taken = self.regions.iter().map(|region| region.slot);
        self.slots.check("regions.regions", "regions.slots", taken, limits::MAX_DISCS)?;
        at_most("next_region", next_number, MOST)?;
        let mut numbers: Vec<u64> = self.regions.iter().map(|region| region.number).collect();
        numbers.sort_unstable();
        super::are_named_once("regions.number", &numbers, "numbers")?;
        if let Some(&last) = numbers.last().filter(|last| **last >= next_number) {
            let allowed = format!("a number below {next_number}");
            return Err(SnapshotError::refused("regions.number", last, allowed));
        }
        each("regions.regions", &self.regions, |record| {
            record.region.check().map_err(SnapshotError::within("region"))?;
            if let Some(carrier) = record.region.carrier.filter(|carrier| !is_there(*carrier)) {
                return Err(SnapshotError::refused("carrier", carrier, "a disc that is there"));
            }
            bounds.are_live("inside", &record.inside)
        })?;
        are_finite("regions.notes", &self.notes)
    }

    /// Gives them to a world of which the discs are there, with their rules.
    pub(super) fn restore<P: Physics>(
        self,
        next_number: u64,
        world: &mut World<P>,
    ) -> Result<(), SnapshotError> {
        let mut placed = Vec::with_capacity(self.regions.len());
        each("regions.regions", self.regions, |record| {
            check_region(&world.store.flights(), &record.region).map_err(SnapshotError::within("region"))?;
            let region = Placed::new(record.region, record.number, record.is_own);
            let serial = |&slot: &Slot| (world.store.bodies.detail(slot).serial, slot);
            let inside: Vec<(u64, Slot)> = record.inside.iter().map(serial).collect();
            if !inside.is_sorted_by(|a, b| a < b) {
                let allowed = "discs in the order of their serial numbers, each once";
                return Err(SnapshotError::refused("inside", "slots in another order", allowed));
            }
            let is_seen = |slot: Slot| region.sees_disc(&world.store.bodies, slot);
            if let Some((_, slot)) = inside.iter().find(|(_, slot)| !is_seen(*slot)) {
                return Err(SnapshotError::refused("inside", slot, "discs that the region sees"));
            }
            placed.push((record.slot, (region, inside)));
            Ok(())
        })?;
        let (slots, free, generations) =
            self.slots.filled(placed.into_iter().map(|(r, it)| (r, Some(it))), || None);
        if slots.is_empty() {
            return Ok(());
        }
        let slots = slots.into_iter().zip(generations).map(|(it, generation)| {
            let (placed, inside) = it.map_or((None, Vec::new()), |(placed, inside)| (Some(placed), inside));
            RegionSlot::new(generation, placed, inside)
        });
        let notes = self.notes;
        let slots = slots.collect();
        world.store.sensing = Some(Box::new(Sensing::new(slots, free, next_number, notes)));
        Ok(())
    }
}
