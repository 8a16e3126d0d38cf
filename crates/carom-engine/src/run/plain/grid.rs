use super::schedule::PlainSchedule;
use super::{Outcome, PlainDiscs};
use crate::Physics;
use crate::predict::close;
use crate::predict::neighbour_scan::{MOST, NeighbourScan};
use crate::simd::F64x4;
use crate::state::record::Record;
use crate::state::sweep_lanes::Probe;
use carom_broadphase::{CellGrid, NextMeeting, Scheduled, Slot, Solo};
use carom_math::Time;

impl PlainSchedule for CellGrid {
    type First = NextMeeting;

    const PERIODIC: bool = true;

    #[inline(always)]
    fn next<P: Physics, V: F64x4>(&mut self, discs: &PlainDiscs<'_, P>, until: Time) -> Option<Scheduled> {
        CellGrid::next(self, until, &discs.predictor())
    }

    #[inline(always)]
    fn look<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &mut PlainDiscs<'_, P>,
        slots: [Slot; N],
        records: &[Record; N],
    ) -> Result<[NextMeeting; N], Outcome> {
        // No loop: that of two is not unrolled, and they wait for each other.
        let mut found = [met_first::<P, V>(self, discs, &records[0], [slots[0], slots[N - 1]])?; N];
        if N == 2 {
            found[N - 1] = met_first::<P, V>(self, discs, &records[N - 1], [slots[N - 1], slots[0]])?;
        }
        Ok(found)
    }

    #[inline(always)]
    fn take_in<P: Physics, V: F64x4, const N: usize>(
        &mut self,
        discs: &PlainDiscs<'_, P>,
        slots: [Slot; N],
        firsts: &[(Solo, NextMeeting); N],
    ) {
        CellGrid::take_in(self, slots, firsts, &discs.predictor());
    }
}

/// The first meeting of a disc of an impact, in which it met another, with one of its neighbours.
#[inline(always)]
fn met_first<P: Physics, V: F64x4>(
    grid: &CellGrid,
    discs: &PlainDiscs<'_, P>,
    own: &Record,
    [slot, but]: [Slot; 2],
) -> Result<NextMeeting, Outcome> {
    let others = grid.neighbours(slot).filter(|others| others.len() <= MOST);
    let Some(others) = others else { return Err(Outcome::Refused) };
    let scan = NeighbourScan {
        records: discs.store.bodies.records(),
        slot,
        own,
        but,
        others,
        periods: &discs.store.bodies.periods,
        ahead: 0.0,
        close: close(&discs.store.clock),
        slack: Probe::new(&own.motion()).slack(),
    };
    let result = scan.run::<V, true>();
    if result.touched { Err(Outcome::Refused) } else { Ok(result.next_meeting(slot, others)) }
}
