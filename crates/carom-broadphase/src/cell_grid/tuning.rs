use super::CellGrid;
use super::calendar_keys::CalendarKeys;
use super::calendar_queue::EVENTS_PER_BUCKET;
use super::cell_table::CellTable;
use super::planned_event::{NOTHING, PlannedEvent, UNMARKED};
use super::rebuild::packing;
use crate::{Predictor, Slot};
use alloc::vec::Vec;
use carom_math::{Time, sqrt};

/// Events that stand in the front before the next one is taken, if there are any.
///
/// What they need is brought into the cache ahead of time. With fewer a large world waits for memory; with
/// more, plans are sorted that change before their time.
pub(super) const READY_EVENTS: usize = 4;

/// Packing fraction below which lists become path lists: see [`LeftOut`](super::left_out::LeftOut).
///
/// Where a disc crosses many circles between impacts it pays to make lists anew at impacts, too, of only
/// those discs that it may meet, in wider circles. In denser gases the lists would be made anew more often
/// than they save times. No event depends on it.
const DILUTE_BELOW: f64 = 0.04;
/// Packing fraction from which path lists are given up. The gap keeps a gas that is compressed slowly from
/// going to and fro: lists of both kinds beside each other cost more than either.
const DENSE_FROM: f64 = 0.055;

/// Circles that overlap one, itself included, for which [`CellTable::cell_size`] is meant. Where there are
/// more on average, cells are smaller, down to two fifths.
const USUAL_OVERLAPS: f64 = 9.0;

/// The sizes of cells and buckets.
impl CellGrid {
    /// Puts all circles into cells of a size that fits most of them.
    pub(super) fn resize_cells<P: Predictor>(&mut self, predictor: &P) {
        self.measure_density(predictor);
        let radii = self.sample(1024).map(|slot| f64::from(self.lists.get(slot).radius));
        let median = quantile(radii.filter(|radius| radius.is_finite()), 2);
        self.drawn = 0;
        let Some(median) = median else { return };
        let base = CellTable::cell_size(median) * self.crowding();
        let current = self.cells.base;
        if self.live > 64 && current > 0.0 && (0.8..1.25).contains(&(base / current)) {
            self.cells.measure(&self.lists);
            return;
        }
        self.cells.reset(predictor.periods(), base, self.live);
        for slot in self.with_circles() {
            self.cells.link(slot, &mut self.lists);
        }
    }

    /// The slots of up to `discs` discs, spread evenly over all slots.
    fn sample(&self, discs: usize) -> impl Iterator<Item = Slot> {
        let slots = (0..self.lists.len() as Slot).step_by(self.lists.len() / discs + 1);
        slots.filter(|&slot| self.lists.get(slot).has_circle())
    }

    /// Decides by the median packing fraction around discs whether the world is dilute, so that lists are
    /// path lists.
    fn measure_density<P: Predictor>(&mut self, predictor: &P) {
        let packings = self.sample(256).map(|slot| {
            let radius = predictor.circle(slot, predictor.now()).radius;
            packing(self.overlaps_of(slot) as f64, radius, self.lists.get(slot).radius.into())
        });
        if let Some(median) = quantile(packings, 2) {
            self.is_dilute = median < if self.is_dilute { DENSE_FROM } else { DILUTE_BELOW };
        }
    }

    /// Factor of the size of cells that keeps the number of their members, where circles overlap more others
    /// than usual.
    fn crowding(&self) -> f64 {
        if self.left_out.is_empty() {
            return 1.0;
        }
        let (mut discs, mut all) = (0, 0);
        for slot in self.sample(1024) {
            discs += 1;
            all += self.overlaps_of(slot) + 1;
        }
        sqrt((USUAL_OVERLAPS * f64::from(discs) / all.max(1) as f64).clamp(0.16, 1.0))
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
    pub(super) fn bucket_rate<P: Predictor>(&self, now: Time, predictor: &P) -> f64 {
        let sampled = (0..self.plans.len()).step_by(self.plans.len() / 4096 + 1);
        let waits = sampled
            .filter(|&slot| self.plans[slot].target != NOTHING)
            .map(|slot| self.keys(predictor).due_time(slot as Slot, &self.plans[slot]).since(now))
            .filter(|wait| *wait > 0.0);
        let Some(wait) = quantile(waits, 8) else { return 1.0 };
        let rate = self.live as f64 / 8.0 / EVENTS_PER_BUCKET / wait;
        if rate.is_finite() && rate > 1e-300 { rate } else { 1.0 }
    }

    /// Opens buckets that may hold something due until then, up to [`READY_EVENTS`]. Makes the buckets longer
    /// or shorter if they have turned out too short or too long.
    pub(super) fn open_ahead<P: Predictor>(&mut self, until: Time, predictor: &P) {
        if let Some(stretch) = self.calendar.stretch() {
            let rate = self.calendar.rate / stretch;
            self.restart_calendar(predictor.now(), rate, predictor);
        }
        let CellGrid { calendar, plans, lists, .. } = self;
        while calendar.front.len() < READY_EVENTS
            && calendar.open_next(until, plans, &CalendarKeys { predictor, lists })
        {}
    }
}

/// The number that a `part`th of some numbers are below, if there are any.
fn quantile(numbers: impl Iterator<Item = f64>, part: usize) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    let place = numbers.len() / part;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(place, f64::total_cmp).1)
}
