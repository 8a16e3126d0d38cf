use super::StatePredictor;
use crate::Physics;
use crate::physics::Reach;
use crate::simd::place;
use crate::state::positions_now::Sweep;
use crate::state::record::Record;
use crate::state::row_sweep::{FillRow, Noted, PlacedAt, RowProbe, SearchRow};
use crate::state::sweep_lanes::Probe;
use carom_broadphase::{Bits, EventTimes, PairRow, RowLanes, RowMin, Slot};
use carom_math::toi::{self, Motion};
use glam::DVec2;

/// Rows of the table: one disc against all others.
impl<P: Physics> StatePredictor<'_, P> {
    /// As `fill_row`.
    #[inline(always)]
    pub(super) fn row_by_sweep(&self, slot: Slot, mut row: PairRow<'_>) -> RowMin {
        let record = self.store.bodies.record(slot);
        // The others' places at the reference, this very instant, are known.
        if !self.positions_now.is_at(record.time()) {
            return self.row_one_by_one(slot, row);
        }
        if !self.has_row_of_roots(record) {
            return self.row_of_marked(slot, row);
        }
        let motion = record.motion();
        let probe = self.row_probe(record, &motion);
        let (blocks, places) = (self.store.bodies.blocks(), &self.positions_now.places[..]);
        let least = if row.is_last {
            self.store.simd.run(FillRow::<P, _, false> {
                probe,
                blocks,
                places: Noted(places),
                row: &mut row,
            })
        } else {
            self.store.simd.run(FillRow::<P, _, true> { probe, blocks, places: Noted(places), row: &mut row })
        };
        least.unwrap_or_else(|| self.row_of_marked(slot, row))
    }

    /// As `row_by_sweep`, whenever its state was written.
    pub(super) fn row_again(&self, slot: Slot, mut row: PairRow<'_>) -> RowMin {
        let record = self.store.bodies.record(slot);
        if self.store.bodies.is_sweeping() && self.has_row_of_roots(record) {
            let (motion, places) = (record.motion(), PlacedAt(record.time()));
            let (probe, blocks) = (self.row_probe(record, &motion), self.store.bodies.blocks());
            let fill = FillRow::<P, _, true> { probe, blocks, places, row: &mut row };
            if let Some(least) = self.store.simd.run(fill) {
                return least;
            }
        }
        self.row_one_by_one(slot, row)
    }

    /// Whether all roots of a row are those of smooth discs on straight paths, but for those just met.
    #[inline(always)]
    fn has_row_of_roots(&self, record: &Record) -> bool {
        // Not all that took part in a group have met.
        let is_filtered = !record.tag.is_of_finite_mass()
            | record.tag.stamp().is_group()
            | self.store.bodies.contacts.has_apart()
            | self.store.bodies.rules.is_used();
        !P::ACCELERATED && !is_filtered
    }

    #[inline(always)]
    pub(crate) fn row_probe<'m>(&'m self, record: &Record, motion: &'m Motion) -> RowProbe<'m, P> {
        RowProbe {
            physics: &self.store.physics,
            motion,
            stamp: RowProbe::<P>::stamp_of(record),
            slots: self.store.bodies.slots(),
            resolution: self.resolution(),
        }
    }

    /// As `row_by_sweep`, where there are no sweeps, or not of that instant.
    #[cold]
    fn row_one_by_one(&self, slot: Slot, mut row: PairRow<'_>) -> RowMin {
        row.fill(|other| self.seconds(slot, other));
        self.store.simd.run(SearchRow { row: &mut row, resolution: self.resolution() })
    }

    /// As `row_by_sweep`, by a sweep that filters and a root for each disc that it marks.
    #[inline(never)]
    fn row_of_marked(&self, slot: Slot, mut row: PairRow<'_>) -> RowMin {
        let motion = self.store.motion_at(slot, self.store.bodies.time(slot));
        row.seconds.fill(RowLanes::INFINITE);
        self.sweep::<false>(slot, &motion, row.words);
        self.common().leave_out_marked(slot, row.words);
        // Few are left that meet: mostly none, or one.
        let (mut least, mut met) = (RowMin { seconds: f64::INFINITY, column: 0, is_tied: false }, 0);
        for (w, &word) in row.words.iter().enumerate() {
            for bit in Bits(word) {
                let ((block, lane), other) = (place((64 * w + bit) as Slot), (64 * w + bit) as Slot);
                if row.written[block].0[lane] < row.own {
                    let seconds = self.seconds_after_sweep(slot, other, &motion);
                    row.seconds[block].0[lane] = seconds;
                    if seconds < f64::INFINITY {
                        (least.seconds, least.column, met) = (seconds, other, met + 1);
                    }
                }
            }
        }
        if met < 2 {
            return least;
        }
        self.store.simd.run(SearchRow { row: &mut row, resolution: self.resolution() })
    }

    /// As `seconds`, of a disc whose state is of the present, and one that a sweep has marked.
    #[inline(always)]
    fn seconds_after_sweep(&self, slot: Slot, other: Slot, motion: &Motion) -> f64 {
        if P::ACCELERATED {
            return self.seconds_on_parabolas_after_sweep(slot, other);
        }
        let (block, lane) = place(other);
        let (record, at) = (self.store.bodies.record(other), &self.positions_now.places[block]);
        let d = DVec2::new(at.x[lane], at.y[lane]) - motion.position;
        let v = record.velocity() - motion.velocity;
        let reach = self.store.physics.reach(motion.radius, record.radius);
        match toi::disc_disc(d, v, reach) {
            Some(dt) if !self.common().pass_through(slot, other) => {
                let of_other = Motion { position: DVec2::new(at.x[lane], at.y[lane]), ..record.motion() };
                if self.common().just_met(slot, other, motion, &of_other, reach) { f64::INFINITY } else { dt }
            }
            _ => f64::INFINITY,
        }
    }

    /// Marks the discs that may touch one now (`NEAR`), or are on paths that meet its own. Positions must be
    /// those of now.
    pub(crate) fn sweep<const NEAR: bool>(&self, slot: Slot, motion: &Motion, words: &mut [u64]) {
        let (blocks, bends) = self.store.bodies.sweep_blocks();
        let (physics, places, probe) = (&self.store.physics, &self.positions_now.places, &Probe::new(motion));
        let bend = (P::ACCELERATED && !NEAR).then(|| self.common().bend_probe(slot));
        self.store.simd.run(Sweep::<'_, P, NEAR> { physics, blocks, bends, places, probe, bend, words });
    }
}
