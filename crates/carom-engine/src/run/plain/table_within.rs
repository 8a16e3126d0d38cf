use super::schedule::PlainSchedule;
use super::times::InVectors;
use super::{Outcome, PlainDiscs};
use crate::Physics;
use crate::apply::fast::{hide, show_after, show_stored};
use crate::simd::{F64x4, Kernel};
use crate::state::record::Record;
use crate::state::row_sweep::FillRows;
use crate::state::row_within::{FillRowsWithin, Ranges, RowFill};
use carom_broadphase::{EventTimes, PairTable, RowMin, Scheduled, Slot, Solo};
use carom_math::Time;

/// The table of this many discs that those of an impact look no further than a horizon.
pub(super) struct TableWithin<'a> {
    pub(super) table: &'a mut PairTable,
    pub(super) ranges: Ranges,
    /// Seconds from the impact that is looked at, up to which its rows are filled.
    pub(super) known: f64,
}

impl PlainSchedule for TableWithin<'_> {
    type First = RowMin;

    const PERIODIC: bool = false;

    #[inline(always)]
    fn next<P: Physics, V: F64x4>(&mut self, discs: &PlainDiscs<'_, P>, _: Time) -> Option<Scheduled> {
        self.table.first(&InVectors::<P, V, true>::of(discs.predictor()))
    }

    #[inline(always)]
    fn look<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &mut PlainDiscs<'_, P>,
        slots: [Slot; N],
        records: &[Record; N],
    ) -> Result<[RowMin; N], Outcome> {
        let mut ages = [0.0; N];
        for k in 0..N {
            ages[k] = records[k].time().since(discs.store.bodies.time(slots[k]));
        }
        if let Some(horizon) = self.table.horizon().after(ages) {
            self.ranges.look_ahead::<V>(horizon, discs.store.bodies.blocks());
            match self.look_within::<P, V, N>(discs, slots, records) {
                RowFill::Filled(least) => {
                    self.known = horizon;
                    return Ok(least);
                }
                RowFill::Spoiled => return Err(Outcome::Spoiled),
                RowFill::Crowded => self.table.horizon().suspend(),
            }
        }
        self.known = f64::INFINITY;
        self.table.look::<P, V, N>(discs, slots, records)
    }

    #[inline(always)]
    fn take_in<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &PlainDiscs<'_, P>,
        slots: [Slot; N],
        firsts: &[(Solo, RowMin); N],
    ) {
        for &slot in &slots {
            self.ranges.note(slot, discs.store.bodies.record(slot));
        }
        self.table.take_in(slots, discs.store.now, firsts, self.known, &discs.predictor());
    }
}

impl TableWithin<'_> {
    /// What the discs of an impact meet next, no further than the horizon, if there is something to gain by
    /// that.
    #[inline(always)]
    fn look_within<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &mut PlainDiscs<'_, P>,
        slots: [Slot; N],
        records: &[Record; N],
    ) -> RowFill<N> {
        for &slot in &slots {
            hide(discs.store.common(), slot);
        }
        let (resolution, bodies) = (discs.predictor().resolution(), &discs.store.bodies);
        let within = match self.table.rows_of(slots) {
            Some(rows) => {
                let (time, blocks, slots) = (records[0].time(), bodies.blocks(), bodies.slots());
                let fill = FillRows { time, records, blocks, rows, slots, resolution };
                FillRowsWithin { fill, ranges: &self.ranges, stored: bodies.records() }.run::<V>()
            }
            None => RowFill::Spoiled,
        };
        for k in 0..N {
            match within {
                RowFill::Spoiled => show_stored(discs.store.common(), slots[k]),
                _ => show_after(discs.store.common(), slots[k], &records[k]),
            }
        }
        within
    }
}
