use super::times::InVectors;
use crate::Physics;
use crate::predict::StatePredictor;
use crate::simd::{F64x4, Kernel, LANES};
use crate::state::row_sweep::{FillRowOfEight, RowProbe};
use crate::state::sweep_lanes::LanePositions;
use carom_broadphase::{EventTimes, PairTable, Slot};

/// Brings the table up to date with discs whose states are of the present.
pub(super) struct PlainRefresh<'a, P: Physics> {
    pub(super) table: &'a mut PairTable,
    pub(super) predictor: StatePredictor<'a, P>,
    pub(super) changed: &'a [Slot],
}

impl<P: Physics> Kernel for PlainRefresh<'_, P> {
    type Output = ();

    #[inline(always)]
    fn run<V: F64x4>(self) {
        let PlainRefresh { table, predictor, changed } = self;
        let now = predictor.store.now;
        let times = InVectors::<P, V>::of(predictor);
        match times.predictor().store.bodies.blocks() {
            [block] if table.number_writes(changed, now) => {
                let mut places = LanePositions { x: [0.0; LANES], y: [0.0; LANES] };
                block.note_positions::<V>(now, &mut places);
                let mut changed = changed;
                if let [first, others @ ..] = changed
                    && changed.len() == table.discs()
                {
                    // Of all discs the first to be written: no other was before it.
                    table.finish_empty_row(*first, &times.solo(*first), &times);
                    changed = others;
                }
                for &slot in changed {
                    refresh_of_eight(table, &times, slot, &places);
                }
            }
            _ => table.update(changed, &times),
        }
    }
}

/// Writes the row of a disc of a world of at most eight, whose places are known.
#[inline(always)]
fn refresh_of_eight<P: Physics, V: F64x4>(
    table: &mut PairTable,
    times: &InVectors<'_, P, V>,
    slot: Slot,
    places: &LanePositions,
) {
    let predictor = times.predictor();
    let record = predictor.store.bodies.record(slot);
    if record.tag.is_of_finite_mass()
        && !record.tag.stamp().is_group()
        && let ([block], Some((written, own, row))) =
            (predictor.store.bodies.blocks(), table.row_of_eight(slot))
    {
        let fill = FillRowOfEight {
            motion: &record.motion(),
            stamp: RowProbe::<P>::stamp_of(record),
            slots: predictor.store.bodies.slots(),
            resolution: times.resolution(),
            block,
            places,
            written,
            own,
            row,
        };
        if let Some(least) = fill.run::<V>() {
            return table.finish_row(slot, &times.solo(slot), &least, times);
        }
    }
    table.refresh_row(slot, times);
}
