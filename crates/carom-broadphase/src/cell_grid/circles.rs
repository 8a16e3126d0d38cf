use super::{CellGrid, WORTH_PREFETCHING};
use crate::grid::cells::Cells;
use crate::{Circle, Predictor, Slot};
use carom_math::{DVec2, Periods, Time};

/// How many neighbours a disc should have. Fewer mean more circles to draw, more mean more pair times.
const NEIGHBOURS: f64 = 7.5;
/// How far ahead of a disc its circle is drawn, at most, in widths of the rim; else as far as it has flown: who has flown freely
/// goes on for as long, on average, and is scattered from there. Fewer circles by 7 % at packing 0.5, 17 % at 0.3 and 26 % at
/// 0.1.
const FARTHEST_LEAD: f64 = 0.6;
/// Up to so many neighbours a circle becomes wider with the length of the flight alone.
const COMPANY: f64 = 64.0;

/// The circles, and who is whose neighbour.
impl CellGrid {
    /// Draws the circle of a disc that was put somewhere.
    pub(super) fn draw_first<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        let Circle { center, radius } = predictor.circle(slot, predictor.now());
        if self.rim <= 0.0 {
            self.rim = if radius > 0.0 { 0.5 * radius } else { 1.0 };
        }
        let rim = self.rim.max(least_rim(radius)).min(widest_rim(radius, &predictor.periods()));
        if self.cells.base() == 0.0 {
            self.cells.reset(predictor.periods(), Cells::fitting(radius + rim), 1);
        }
        self.set_circle(slot, Circle { center, radius: radius + rim });
    }

    /// Draws the circle of a crowded disc anew, if that can help.
    #[cold]
    pub(super) fn thin_out<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let reach = f64::from(self.sites.get(slot).reach);
        let radius = predictor.circle(slot, at).radius;
        if reach - radius > 2.0 * least_rim(radius) && reach.is_finite() {
            self.redraw(slot, at, predictor);
        }
    }

    /// Draws a disc's circle anew around it, and finds its neighbours.
    pub(super) fn redraw<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let Circle { center, radius } = predictor.circle(slot, at);
        let known = self.sites.neighbours(slot).len() as f64;
        let old = f64::from(self.sites.get(slot).reach);
        let factor = if known == 0.0 { 2.0 } else { fitting(known).clamp(0.8, 1.25) };
        let mut rim = (old * factor - radius).max(least_rim(radius));
        if rim < 1e300 {
            self.rim += (rim - self.rim) * (1.0 / 64.0);
        }
        let (flight, flown) = (predictor.flight(slot, at), predictor.flown(slot, at));
        // Who flies undisturbed in company that does not, or not yet, meet it draws wider and wider circles.
        if known <= COMPANY {
            rim = rim.max(0.125 * flown);
        }
        let rim = rim.min(widest_rim(radius, &predictor.periods()));
        let lead = if flown > 0.0 { flight * (FARTHEST_LEAD * rim / flown).min(1.0) } else { DVec2::ZERO };
        self.set_circle(slot, Circle { center: center + lead, radius: radius + rim });

        self.find_neighbours(slot, at, Some(predictor));
        if self.ahead_until < at {
            self.ahead_until = at;
        }
        self.ahead.push(slot);
    }

    /// Makes those neighbours whose circles overlap: those that are still near stay, those that are not go, and those that
    /// are new come. A pair that belongs to the other one is told to that by `predictor`, if it is not going to plan anew
    /// anyway.
    pub(super) fn find_neighbours<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: Option<&P>) {
        let (mut found, mut fresh) = (core::mem::take(&mut self.found), core::mem::take(&mut self.fresh));
        found.clear();
        fresh.clear();
        let site = self.sites.get(slot);
        self.cells.overlapping(&self.sites, site.center(), f64::from(site.reach), &mut found);
        if let Some(itself) = found.iter().position(|&other| other == slot) {
            found.swap_remove(itself);
        }
        if let Some(predictor) = predictor.filter(|_| self.live >= WORTH_PREFETCHING) {
            for &other in &found {
                self.sites.prefetch(other);
                predictor.prefetch(other, false);
            }
        }
        self.sites.set_neighbours(slot, &found, &mut fresh);
        if let Some(predictor) = predictor {
            let time = predictor.state_time(slot);
            for &other in &fresh {
                if time.is_before(predictor.state_time(other)) {
                    self.tell(other, slot, at, predictor);
                }
            }
        }
        (self.found, self.fresh) = (found, fresh);
    }

    /// Tells a disc of one that has become its neighbour: it may be the one that it meets first.
    fn tell<P: Predictor>(&mut self, slot: Slot, of: Slot, at: Time, predictor: &P) {
        self.counters.pair_times += 1;
        let met = predictor.first_met(slot, &[of], at);
        let time = predictor.after(slot, met.dt);
        if time.is_never() {
            return;
        }
        let pending = self.pendings[slot as usize];
        let due = Self::due_time(&pending, slot, &self.sites, predictor);
        if time < due {
            self.set_pending(slot, met.other, met.dt, predictor);
        } else if time == due {
            // Which of the two comes first is for the plan to decide.
            self.plan(slot, at, predictor);
        }
    }

    /// Gives a slot a circle, and puts it into its cell.
    fn set_circle(&mut self, slot: Slot, circle: Circle) {
        let (center, reach) = (self.cells.wrapped(circle.center), rounded_up(circle.radius));
        self.drawn += 1;
        let site = self.sites.get(slot);
        let is_placed = site.is_placed();
        let stays = is_placed && self.cells.shift(slot, site, center, reach);
        if is_placed && !stays {
            self.cells.unlink(slot, &mut self.sites);
        }
        let site = self.sites.get_mut(slot);
        site.set_center(center);
        site.reach = reach;
        if !stays {
            self.cells.link(slot, &mut self.sites);
        }
    }
}

/// The narrowest rim around a disc: far above what rounding leaves of its place.
fn least_rim(radius: f64) -> f64 {
    0.01 * radius
}

/// The widest rim in a periodic world: discs in circles of less than an eighth of the shorter period meet, before they
/// leave these, only those images of each other that are nearest, and larger ones only those next to these.
fn widest_rim(radius: f64, periods: &Periods) -> f64 {
    let shortest = periods.shortest();
    (shortest * (1.0 / 8.1) - radius).max(shortest * (1.0 / 16.0))
}

/// The factor towards the radius at which a circle would have as many neighbours as it should. Their number grows with its
/// square, and this is only the fourth root of that, for they come and go.
fn fitting(known: f64) -> f64 {
    // The first Padé approximant of the eighth root of the ratio.
    let (wanted, has) = (NEIGHBOURS + 1.0, known + 1.0);
    (9.0 * wanted + 7.0 * has) / (7.0 * wanted + 9.0 * has)
}

/// A single-precision number that is not less.
fn rounded_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}
