use super::discs::DiscRecord;
use super::error::SnapshotError;
use super::timers::TimersRecord;
use crate::Physics;
use crate::error::check;
use crate::state::bodies::Bodies;
use crate::state::movers::Mover;
use carom_broadphase::Slot;

/// A kinematic disc.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MoverRecord {
    slot: Slot,
    mover: Mover,
}

/// By slot.
pub(super) fn records_of<P: Physics>(bodies: &Bodies<P>) -> Vec<MoverRecord> {
    bodies.movers.iter().map(|(slot, &mover)| MoverRecord { slot, mover }).collect()
}

pub(super) fn check<B: Copy, X: Copy>(
    records: &[MoverRecord],
    discs: &[DiscRecord<B, X>],
    timers: &TimersRecord<B, X>,
) -> Result<(), SnapshotError> {
    for (k, MoverRecord { slot, mover }) in records.iter().enumerate() {
        let refused = |error: SnapshotError| error.inside(&format!("movers[{k}]"));
        let disc = discs.binary_search_by_key(slot, |disc| disc.slot).ok().map(|place| &discs[place]);
        if disc.is_none_or(|disc| disc.mass != f64::INFINITY) {
            let allowed = "the slot of a disc of infinite mass";
            return Err(refused(SnapshotError::refused("slot", slot, allowed)));
        }
        let within = |error| refused(SnapshotError::within("mover")(error));
        check::max_speed(mover.max_speed).map_err(within)?;
        if let Some(journey) = mover.journey {
            check::point(["target.x", "target.y"], journey.target).map_err(within)?;
            check::velocity(journey.velocity).map_err(within)?;
            if !timers.is_arrival(journey.timer, *slot) {
                let allowed = "time and number of the timer of its arrival";
                let (_, number) = journey.timer;
                return Err(refused(SnapshotError::refused("mover.journey.timer", number, allowed)));
            }
        }
    }
    if !records.is_sorted_by(|a, b| a.slot < b.slot) {
        return Err(SnapshotError::refused("movers", "discs in another order", "ascending slots"));
    }
    Ok(())
}

pub(super) fn restore<P: Physics>(records: &[MoverRecord], bodies: &mut Bodies<P>) {
    for record in records {
        bodies.movers.set(record.slot, record.mover);
        // Its path was restored as that of any disc, on which forces act.
        bodies.unbend(record.slot);
    }
}
