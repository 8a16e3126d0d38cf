use super::schedule::PlainSchedule;
use super::times::InVectors;
use super::{Outcome, PlainDiscs};
use crate::Physics;
use crate::apply::fast::{show_after, show_stored};
use crate::simd::{F64x4, Kernel};
use crate::state::record::Record;
use crate::state::row_sweep::FillRows;
use carom_broadphase::{EventTimes, PairTable, RowMin, Scheduled, Slot, Solo};
use carom_math::Time;

impl PlainSchedule for PairTable {
    type First = RowMin;

    const PERIODIC: bool = false;

    #[inline(always)]
    fn next<P: Physics, V: F64x4>(&mut self, discs: &PlainDiscs<'_, P>, _: Time) -> Option<Scheduled> {
        self.first(&InVectors::<P, V>::of(discs.predictor()))
    }

    #[inline(always)]
    fn look<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &mut PlainDiscs<'_, P>,
        slots: [Slot; N],
        records: &[Record; N],
    ) -> Result<[RowMin; N], Outcome> {
        for k in 0..N {
            show_after(discs.store.common(), slots[k], &records[k]);
        }
        let (blocks, time, resolution) =
            (discs.store.bodies.blocks(), records[0].time(), discs.predictor().resolution());
        let least = match self.rows_of(slots) {
            Some(rows) => {
                FillRows { time, records, blocks, rows, slots: discs.store.bodies.slots(), resolution }
                    .run::<V>()
            }
            None => None,
        };
        if least.is_none() {
            slots.iter().for_each(|&slot| show_stored(discs.store.common(), slot));
        }
        least.ok_or(Outcome::Spoiled)
    }

    #[inline(always)]
    fn take_in<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &PlainDiscs<'_, P>,
        slots: [Slot; N],
        firsts: &[(Solo, RowMin); N],
    ) {
        PairTable::take_in(self, slots, discs.store.now, firsts, f64::INFINITY, &discs.predictor());
    }
}
