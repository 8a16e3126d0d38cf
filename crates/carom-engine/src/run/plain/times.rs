use crate::Physics;
use crate::predict::StatePredictor;
use crate::predict::wall::hit_after;
use crate::simd::{F64x4, Kernel};
use crate::state::lane_minima::FindRowMinOfMany;
use crate::state::row_sweep::{FillRow, FindRowMin, PlacedAt};
use crate::walls::planes::FirstHit;
use carom_broadphase::{EventTimes, PairRow, RowLanes, RowMin, Slot, Solo};
use carom_math::Time;
use core::marker::PhantomData;

/// The event times of a plain world, of discs whose states are of the present where rows are filled: the same
/// as those of the predictor, in the vectors of the caller. `MANY` if there are more than a few rows.
pub(super) struct InVectors<'a, P: Physics, V, const MANY: bool = false>(
    StatePredictor<'a, P>,
    PhantomData<V>,
);

impl<'a, P: Physics, V, const MANY: bool> InVectors<'a, P, V, MANY> {
    #[inline(always)]
    pub(super) fn of(predictor: StatePredictor<'a, P>) -> Self {
        InVectors(predictor, PhantomData)
    }

    #[inline(always)]
    pub(super) fn predictor(&self) -> &StatePredictor<'a, P> {
        &self.0
    }
}

impl<P: Physics, V: F64x4, const MANY: bool> EventTimes for InVectors<'_, P, V, MANY> {
    fn seconds(&self, a: Slot, b: Slot) -> f64 {
        self.0.seconds(a, b)
    }

    #[inline(always)]
    fn state_time(&self, slot: Slot) -> Time {
        self.0.state_time(slot)
    }

    #[inline(always)]
    fn after(&self, slot: Slot, dt: f64) -> Time {
        self.0.after(slot, dt)
    }

    #[inline(always)]
    fn resolution(&self) -> f64 {
        self.0.resolution()
    }

    #[inline(always)]
    fn solo(&self, slot: Slot) -> Solo {
        let (record, walls) = (self.0.store.bodies.record(slot), &self.0.store.walls);
        if walls.planes.is_without_half_planes() {
            return Solo::NEVER;
        }
        if record.tag.stamp().is_group() {
            return self.0.solo(slot);
        }
        let (motion, met) = (&record.motion(), self.0.store.bodies.walls.get(slot).just_met_facets());
        let hit = FirstHit::<false> { planes: &walls.planes, motion, met }.run::<V>();
        hit_after(&self.0.store.clock, record.time(), hit.dt, hit.facet)
    }

    #[inline(always)]
    fn fill_row(&self, slot: Slot, row: PairRow<'_>) -> RowMin {
        let record = self.0.store.bodies.record(slot);
        let stamp = record.tag.stamp();
        if !record.tag.is_of_finite_mass() | stamp.is_group() {
            return self.0.fill_row(slot, row);
        }
        let motion = record.motion();
        let probe = self.0.row_probe(record, &motion);
        let (blocks, places) = (self.0.store.bodies.blocks(), PlacedAt(record.time()));
        let mut row = row;
        match (FillRow::<P, _, true> { probe, blocks, places, row: &mut row }).run::<V>() {
            Some(least) => least,
            None => self.0.fill_row(slot, row),
        }
    }

    // Called from where no vectors are known, too.
    fn refill_row(&self, slot: Slot, row: PairRow<'_>) -> RowMin {
        self.0.refill_row(slot, row)
    }

    fn search_row(&self, row: PairRow<'_>) -> RowMin {
        self.0.search_row(row)
    }

    #[inline(always)]
    fn least(&self, numbers: &[RowLanes]) -> RowMin {
        if MANY { FindRowMinOfMany(numbers).run::<V>() } else { FindRowMin(numbers).run::<V>() }
    }
}
