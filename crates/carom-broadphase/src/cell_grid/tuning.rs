use super::CellGrid;
use super::calendar_keys::CalendarKeys;
use super::calendar_queue::PER_BUCKET;
use super::cell_table::CellTable;
use super::planned_event::{NOTHING, PlannedEvent, UNMARKED};
use super::rebuild::packing;
use crate::{Predictor, Slot};
use alloc::vec::Vec;
use carom_math::{Time, sqrt};

/// Imminent events that are kept ready, while there are more.
pub(super) const AHEAD: usize = 4;

/// The packing fraction below which lists become those of paths, and above which they are no more. Where a
/// disc crosses many circles between impacts it pays to make lists anew at these, too, of those alone that it
/// may meet, and wider circles.
const DILUTE: f64 = 0.04;
const NO_MORE_DILUTE: f64 = 0.055;

/// Circles that overlap one, with itself, for which [`CellTable::fitting`] is made; or a few more.
const USUAL: f64 = 9.0;

/// The sizes of cells and buckets.
impl CellGrid {
    /// Puts all circles into cells of a size that fits most of them.
    pub(super) fn resize_cells<P: Predictor>(&mut self, predictor: &P) {
        self.measure_density(predictor);
        let radii = self.sample(1024).map(|slot| f64::from(self.lists.get(slot).radius));
        let median = quantile(radii.filter(|radius| radius.is_finite()), 2);
        self.drawn = 0;
        let Some(median) = median else { return };
        let base = CellTable::fitting(median) * self.crowding();
        let current = self.cells.base();
        if self.live > 64 && current > 0.0 && (0.8..1.25).contains(&(base / current)) {
            self.cells.measure(&self.lists);
            return;
        }
        self.cells.reset(predictor.periods(), base, self.live);
        for slot in self.placed() {
            self.cells.link(slot, &mut self.lists);
        }
    }

    /// The slots of about so many of the discs, evenly.
    fn sample(&self, discs: usize) -> impl Iterator<Item = Slot> {
        let slots = (0..self.lists.len() as Slot).step_by(self.lists.len() / discs + 1);
        slots.filter(|&slot| self.lists.get(slot).is_placed())
    }

    /// Decides whether the world is so dilute that lists are those of paths: by the middle one of the packing
    /// fractions around discs, for to have lists of both kinds beside each other costs more than either.
    fn measure_density<P: Predictor>(&mut self, predictor: &P) {
        let packings = self.sample(256).map(|slot| {
            let radius = predictor.circle(slot, predictor.now()).radius;
            packing(self.known(slot) as f64, radius, self.lists.get(slot).radius.into())
        });
        if let Some(median) = quantile(packings, 2) {
            self.is_dilute = median < if self.is_dilute { NO_MORE_DILUTE } else { DILUTE };
        }
    }

    /// How much smaller cells should be than those for circles with as many neighbours as usual: by as much
    /// as leaves their number of members what it is.
    fn crowding(&self) -> f64 {
        if self.left_out.is_empty() {
            return 1.0;
        }
        let (mut discs, mut all) = (0, 0);
        for slot in self.sample(1024) {
            discs += 1;
            all += self.known(slot) + 1;
        }
        sqrt((USUAL * f64::from(discs) / all.max(1) as f64).clamp(0.16, 1.0))
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
        let waits = sampled
            .filter(|&slot| self.plans[slot].target != NOTHING)
            .map(|slot| self.keys(predictor).due_time(slot as Slot, &self.plans[slot]).since(now))
            .filter(|wait| *wait > 0.0);
        let Some(wait) = quantile(waits, 8) else { return 1.0 };
        let rate = self.live as f64 / 8.0 / PER_BUCKET / wait;
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

/// The number that a `part`th of some numbers are below, if there are any.
fn quantile(numbers: impl Iterator<Item = f64>, part: usize) -> Option<f64> {
    let mut numbers: Vec<f64> = numbers.collect();
    let place = numbers.len() / part;
    (!numbers.is_empty()).then(|| *numbers.select_nth_unstable_by(place, f64::total_cmp).1)
}
