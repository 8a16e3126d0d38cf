use super::contacts::{are_finite, are_live};
use super::error::SnapshotError;
use crate::Physics;
use crate::state::bend::Bend;
use crate::state::bodies::Bodies;
use carom_broadphase::Slot;
use carom_math::DVec2;

/// How the path of a disc bends that has come to rest against something, or is about to: a function of the
/// states of its cluster when the
/// piece began, of which none need be left.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PieceRecord {
    disc: Slot,
    acceleration: DVec2,
    /// Seconds from the time of the state to the end of the piece.
    #[serde(with = "carom_math::number")]
    lasts: f64,
    /// Impacts since it last rose well above its rest height.
    low_impacts: u32,
}

/// By slot.
pub(super) fn pieces_of<P: Physics>(bodies: &Bodies<P>) -> Vec<PieceRecord> {
    let is_own = |slot: Slot| bodies.contacts.holds.of(slot).is_empty() && bodies.bend(slot).low_impacts == 0;
    let held = bodies.live().filter(|&slot| !is_own(slot));
    held.map(|disc| {
        let Bend { acceleration, lasts, low_impacts } = *bodies.bend(disc);
        PieceRecord { disc, acceleration, lasts, low_impacts }
    })
    .collect()
}

/// Of the discs that are to be settled those that there are: what is gone is settled with what it touched.
pub(super) fn unsettled_of<P: Physics>(bodies: &Bodies<P>, unsettled: &[Slot]) -> Vec<Slot> {
    unsettled.iter().copied().filter(|&slot| bodies.is_live(slot)).collect()
}

/// `slots` are those of the discs, in order.
pub(super) fn check(records: &[PieceRecord], slots: &[Slot]) -> Result<(), SnapshotError> {
    for (k, record) in records.iter().enumerate() {
        let inside = |error: SnapshotError| error.inside(&format!("pieces[{k}]"));
        let is_live = |slot: Slot| slots.binary_search(&slot).is_ok();
        are_live("disc", [record.disc].into_iter(), &is_live).map_err(inside)?;
        are_finite("acceleration", &[record.acceleration]).map_err(inside)?;
        if !(record.lasts >= 0.0) {
            return Err(inside(SnapshotError::refused("lasts", record.lasts, "a number, at least 0")));
        }
    }
    Ok(())
}

pub(super) fn restore<P: Physics>(records: &[PieceRecord], bodies: &mut Bodies<P>) {
    for &PieceRecord { disc, acceleration, lasts, low_impacts } in records.iter().filter(|_| P::ACCELERATED) {
        bodies.set_bend(disc, Bend { acceleration, lasts, low_impacts });
    }
}
