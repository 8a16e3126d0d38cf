use super::discs::MAX_STORED_SPEED;
use super::error::SnapshotError;
use crate::Physics;
use crate::state::bodies::Bodies;
use crate::state::off_plane::Off;
use carom_broadphase::Slot;

/// A disc off the plane.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OffRecord {
    slot: Slot,
    off: Off,
}

/// By slot.
pub(super) fn records_of<P: Physics>(bodies: &Bodies<P>) -> Vec<OffRecord> {
    bodies.off.iter().map(|(slot, &off)| OffRecord { slot, off }).collect()
}

/// `discs` are the slots of all discs, in order.
pub(super) fn check(records: &[OffRecord], discs: &[Slot]) -> Result<(), SnapshotError> {
    for (k, record) in records.iter().enumerate() {
        let refused = |error: SnapshotError| error.inside(&format!("off_plane[{k}]"));
        if discs.binary_search(&record.slot).is_err() {
            let allowed = "the slot of a disc";
            return Err(refused(SnapshotError::refused("slot", record.slot, allowed)));
        }
        let velocity = record.off.velocity;
        if !(velocity.abs().max_element() <= MAX_STORED_SPEED && velocity.is_finite()) {
            let allowed = format!("components up to {MAX_STORED_SPEED:e}");
            return Err(refused(SnapshotError::refused("off.velocity", velocity, allowed)));
        }
    }
    if !records.is_sorted_by(|a, b| a.slot < b.slot) {
        return Err(SnapshotError::refused("off_plane", "discs in another order", "ascending slots"));
    }
    Ok(())
}

/// To be called when the discs have been restored: these stand still.
pub(super) fn restore<P: Physics>(records: &[OffRecord], bodies: &mut Bodies<P>) {
    for record in records {
        bodies.off.set(record.slot, record.off);
        bodies.unbend(record.slot);
    }
}
