use super::cell_table::CellTable;
use super::{CellGrid, PREFETCH_FROM};
use crate::{Circle, Predictor, Slot};
use carom_math::{DVec2, Periods, Time};

/// Neighbours that a disc should have. Fewer mean more rebuilt circles, more mean more pair times.
const NEIGHBOURS: f64 = 7.0;
/// How far ahead of a disc its circle is placed, at most, in widths of the skin; else as far as it has
/// flown: a disc flies on for as long, on average, and is scattered from there. Rebuilds become fewer by
/// 7 % at packing 0.5, 17 % at 0.3 and 26 % at 0.1.
const FARTHEST_LEAD: f64 = 0.6;
/// Up to so many neighbours a circle becomes wider with the length of the flight alone.
const FEW_NEIGHBOURS: f64 = 64.0;

/// Circles and neighbour lists.
impl CellGrid {
    /// Gives a disc that was inserted or moved its circle.
    pub(super) fn build<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let Circle { center, radius } = predictor.circle(slot, at);
        if self.skin <= 0.0 {
            self.skin = if radius > 0.0 { 0.5 * radius } else { 1.0 };
        }
        let skin = self.skin.max(least_skin(radius)).min(widest_skin(radius, &predictor.periods()));
        if self.cells.base() == 0.0 {
            self.cells.reset(predictor.periods(), CellTable::fitting(radius + skin), 1);
        }
        self.set_circle(slot, Circle { center, radius: radius + skin });
    }

    /// Rebuilds the circle of a disc with many neighbours, if a smaller one is possible.
    #[cold]
    pub(super) fn shrink_if_crowded<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let outer = f64::from(self.lists.get(slot).radius);
        let radius = predictor.circle(slot, at).radius;
        if outer - radius > 2.0 * least_skin(radius) && outer.is_finite() {
            self.rebuild(slot, at, predictor);
        }
    }

    /// Gives a disc a new circle, and finds its neighbours.
    pub(super) fn rebuild<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        let Circle { center, radius } = predictor.circle(slot, at);
        let left_out = self.left_out.get(slot as usize).copied().unwrap_or(0);
        let known = (self.lists.neighbours(slot).len() + left_out as usize) as f64;
        let old = f64::from(self.lists.get(slot).radius);
        let factor = if known == 0.0 { 2.0 } else { fitting(known).clamp(0.8, 1.25) };
        let mut skin = (old * factor - radius).max(least_skin(radius));
        if skin < 1e300 {
            self.skin += (skin - self.skin) * (1.0 / 64.0);
        }
        let flown = predictor.flown(slot, at);
        let flight = predictor.velocity(slot) * at.since(predictor.state_time(slot));
        // The circle of a disc that flies freely grows with its flight.
        if known <= FEW_NEIGHBOURS {
            skin = skin.max(0.125 * flown);
        }
        let skin = skin.min(widest_skin(radius, &predictor.periods()));
        let lead = if flown > 0.0 { flight * (FARTHEST_LEAD * skin / flown).min(1.0) } else { DVec2::ZERO };
        self.set_circle(slot, Circle { center: center + lead, radius: radius + skin });

        self.find_neighbours(slot, at, predictor, true);
        self.rebuilt += 1;
        self.note_ahead(at, &[slot]);
    }

    /// Notes that neighbourhoods are of a time that may not have come.
    pub(super) fn note_ahead(&mut self, at: Time, slots: &[Slot]) {
        if self.ahead_until < at {
            self.ahead_until = at;
        }
        self.ahead.extend_from_slice(slots);
    }

    /// Makes the neighbour list of a disc that of the circles that overlap its own, but for those of discs
    /// that it never meets. A new neighbour to which the pair belongs is offered it, if `offers`; else all
    /// are planned anew later.
    pub(super) fn find_neighbours<P: Predictor>(
        &mut self,
        slot: Slot,
        at: Time,
        predictor: &P,
        offers: bool,
    ) {
        let (mut found, mut added) = (core::mem::take(&mut self.found), core::mem::take(&mut self.added));
        found.clear();
        added.clear();
        let neighbourhood = self.lists.get(slot);
        self.cells.overlapping(&self.lists, neighbourhood.circle(), &mut found);
        if let Some(itself) = found.iter().position(|&other| other == slot) {
            found.swap_remove(itself);
        }
        let all = found.len();
        predictor.leave_out(slot, &mut found);
        if all != found.len() || !self.left_out.is_empty() {
            self.note_left_out(slot, all - found.len());
        }
        if offers && self.live >= PREFETCH_FROM {
            for &other in &found {
                self.lists.prefetch(other);
                predictor.prefetch(other, false);
            }
        }
        self.lists.set_neighbours(slot, &found, &mut added);
        if offers {
            let time = predictor.state_time(slot);
            for &other in &added {
                if time.is_before(predictor.state_time(other)) {
                    self.offer_partner(other, slot, at, predictor);
                }
            }
        }
        (self.found, self.added) = (found, added);
    }

    /// Those that are left out count as neighbours where the size of a circle is chosen: they take time where
    /// neighbours are sought, and a crowd of discs that do not meet would else have ever larger circles.
    #[cold]
    fn note_left_out(&mut self, slot: Slot, count: usize) {
        if self.left_out.len() <= slot as usize {
            self.left_out.resize(slot as usize + 1, 0);
        }
        self.left_out[slot as usize] = count as u32;
    }

    /// Replaces a disc's plan if its meeting with a new neighbour is earlier.
    fn offer_partner<P: Predictor>(&mut self, slot: Slot, of: Slot, at: Time, predictor: &P) {
        self.counters.pair_times += 1;
        let met = predictor.first_met(slot, &[of], at);
        let time = predictor.after(slot, met.dt);
        if time.is_never() {
            return;
        }
        let plan = self.plans[slot as usize];
        let due = self.keys(predictor).due_time(slot, &plan);
        if time < due {
            self.set_plan(slot, met.other, met.dt, predictor);
        } else if time == due {
            // Which of the two comes first is for the plan to decide.
            self.plan(slot, at, predictor);
        }
    }

    /// Gives a slot a circle, and puts it into its cell.
    fn set_circle(&mut self, slot: Slot, circle: Circle) {
        let (center, outer) = (self.cells.wrapped(circle.center), rounded_up(circle.radius));
        self.drawn += 1;
        let neighbourhood = self.lists.get(slot);
        let is_placed = neighbourhood.is_placed();
        let stays = is_placed && self.cells.shift(slot, neighbourhood, center, outer);
        if is_placed && !stays {
            self.cells.unlink(slot, &mut self.lists);
        }
        let neighbourhood = self.lists.get_mut(slot);
        neighbourhood.set_center(center);
        neighbourhood.radius = outer;
        if !stays {
            self.cells.link(slot, &mut self.lists);
        }
    }
}

/// The narrowest skin around a disc: far above what rounding leaves of its place.
fn least_skin(radius: f64) -> f64 {
    0.01 * radius
}

/// The widest skin in a periodic world: discs in circles of less than an eighth of the shorter period meet,
/// before they leave these, only those images of each other that are nearest, and larger ones only those
/// next to these.
fn widest_skin(radius: f64, periods: &Periods) -> f64 {
    let shortest = periods.shortest();
    (shortest * (1.0 / 8.1) - radius).max(shortest * (1.0 / 16.0))
}

/// The factor towards the radius at which a circle would have as many neighbours as it should. Their number
/// grows with its square, and this is only the fourth root of that, for they come and go.
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
