use super::CellGrid;
use super::calendar_keys::CalendarKeys;
use super::calendar_queue::PER_BUCKET;
use super::cell_table::CellTable;
use super::planned_event::{NOTHING, PlannedEvent, UNMARKED};
use crate::{Predictor, Slot};
use alloc::vec::Vec;
use carom_math::{Periods, Time};

/// Imminent events that are kept ready, while there are more.
pub(super) const AHEAD: usize = 4;

/// The sizes of cells and buckets.
impl CellGrid {
    /// Puts all circles into cells of a size that fits most of them.
    pub(super) fn resize_cells(&mut self, periods: Periods) {
        let slots = self.lists.len() as Slot;
        let mut radii: Vec<f32> = (0..slots)
            .step_by(self.lists.len() / 1024 + 1)
            .map(|slot| self.lists.get(slot))
            .filter(|neighbourhood| neighbourhood.is_placed() && neighbourhood.radius.is_finite())
            .map(|neighbourhood| neighbourhood.radius)
            .collect();
        self.drawn = 0;
        if radii.is_empty() {
            return;
        }
        let middle = radii.len() / 2;
        let (_, median, _) = radii.select_nth_unstable_by(middle, f32::total_cmp);
        let base = CellTable::fitting(f64::from(*median));
        let current = self.cells.base();
        if self.live > 64 && current > 0.0 && (0.8..1.25).contains(&(base / current)) {
            self.cells.measure(&self.lists);
            return;
        }
        self.cells.reset(periods, base, self.live);
        for slot in 0..slots {
            if self.lists.get(slot).is_placed() {
                self.cells.link(slot, &mut self.lists);
            }
        }
    }

    /// Starts the calendar anew at a time, with buckets of a length that fits.
    #[cold]
    pub(super) fn restart_calendar<P: Predictor>(&mut self, origin: Time, rate: f64, predictor: &P) {
        self.calendar.start(origin, rate, self.live);
        for slot in 0..self.plans.len() as Slot {
            self.plans[slot as usize].bucket = UNMARKED;
            let PlannedEvent { target, dt, .. } = self.plans[slot as usize];
            self.set_plan(slot, target, dt, predictor);
        }
    }

    /// Buckets a second that fit the plans: by the time at which an eighth of them is due.
    pub(super) fn fitting_rate<P: Predictor>(&self, now: Time, predictor: &P) -> f64 {
        let sampled = (0..self.plans.len()).step_by(self.plans.len() / 4096 + 1);
        let mut waits: Vec<f64> = sampled
            .filter(|&slot| self.plans[slot].target != NOTHING)
            .map(|slot| self.keys(predictor).due_time(slot as Slot, &self.plans[slot]).since(now))
            .filter(|wait| *wait > 0.0)
            .collect();
        if waits.is_empty() {
            return 1.0;
        }
        let eighth = waits.len() / 8;
        let (_, wait, _) = waits.select_nth_unstable_by(eighth, f64::total_cmp);
        let rate = self.live as f64 / 8.0 / PER_BUCKET / *wait;
        if rate.is_finite() && rate > 1e-300 { rate } else { 1.0 }
    }

    /// Opens buckets, as long as they may hold something that is due until then, for some to be in front:
    /// what is coming is brought into the cache. Makes the buckets longer or shorter if they have turned
    /// out too short or too long.
    pub(super) fn open_ahead<P: Predictor>(&mut self, until: Time, predictor: &P) {
        if let Some(stretch) = self.calendar.stretch() {
            let rate = self.calendar.rate() / stretch;
            self.restart_calendar(predictor.now(), rate, predictor);
        }
        let CellGrid { calendar, plans, lists, .. } = self;
        while calendar.front.len() < AHEAD
            && calendar.open_next(until, plans, &CalendarKeys { predictor, lists })
        {}
    }
}
