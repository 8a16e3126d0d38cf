use super::error::{SnapshotError, allow, differ, each};
use super::slots;
use crate::sense::{Placed, RegionSlot, Sensing, check_region};
use crate::store::Store;
use crate::walk::{Place, fields};
use crate::{Physics, Region, RegionId};
use carom_broadphase::Slot;

/// A region, and what is inside of it. When it is next entered and left follows from that.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct RegionRecord {
    pub(super) id: RegionId,
    number: u64,
    /// Whether it is what its carrier is as a sensor.
    is_own: bool,
    region: Region,
    /// Slots of the discs that are inside, in the order of their serial numbers.
    inside: Vec<Slot>,
}

fields!(RegionRecord: id, number, is_own, region, inside as Disc; at Place::Region(*id));

/// By slot.
pub(super) fn records_of(sensing: &Sensing) -> Vec<RegionRecord> {
    let record = |(r, placed): (u32, &Placed)| RegionRecord {
        id: sensing.id(r),
        number: placed.number,
        is_own: placed.is_own,
        region: placed.region,
        inside: sensing.slots[r as usize].inside.iter().map(|&(_, disc)| disc).collect(),
    };
    sensing.placed().map(record).collect()
}

/// Checks what does not depend on single words.
pub(super) fn check(records: &[RegionRecord], next_number: u64) -> Result<(), SnapshotError> {
    let numbers = || records.iter().map(|region| region.number);
    differ("regions", "number", numbers())?;
    let last = numbers().max();
    allow(
        last < Some(next_number),
        "regions.number",
        last.unwrap_or(0),
        format_args!("a number below {next_number}"),
    )
}

/// The regions of a world of which the discs are there, with their rules.
pub(super) fn restored<P: Physics>(
    records: &[RegionRecord],
    free: &[RegionId],
    store: &Store<P>,
) -> Result<Vec<RegionSlot>, SnapshotError> {
    let of_free = |id: &RegionId| (id.slot(), RegionSlot::new(id.generation(), None, Vec::new()));
    let mut all: Vec<_> = free.iter().map(of_free).collect();
    each("regions", records, |record| {
        check_region(&store.flights(), &record.region).map_err(SnapshotError::within("region"))?;
        let region = Placed::new(record.region, record.number, record.is_own);
        let serial = |&slot: &Slot| (store.bodies.detail(slot).serial, slot);
        let inside: Vec<(u64, Slot)> = record.inside.iter().map(serial).collect();
        let allowed = "discs in the order of their serial numbers, each once";
        allow(inside.is_sorted_by(|a, b| a < b), "inside", "slots in another order", allowed)?;
        let unseen = inside.iter().find(|(_, slot)| !region.sees_disc(&store.bodies, *slot));
        allow(unseen.is_none(), "inside", unseen.map_or(0, |seen| seen.1), "discs that the region sees")?;
        all.push((record.id.slot(), RegionSlot::new(record.id.generation(), Some(region), inside)));
        Ok(())
    })?;
    Ok(slots::filled(all.len(), RegionSlot::default(), all.into_iter()))
}
