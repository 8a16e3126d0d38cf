use super::cell_table::CellTable;
use super::{CellGrid, PREFETCH_FROM};
use crate::{Circle, Predictor, Slot};
use alloc::vec::Vec;
use carom_math::{DVec2, Periods, Time, sqrt};

/// Neighbours that a disc should have. Fewer mean more rebuilt circles, more mean more pair times.
const NEIGHBOURS: f64 = 7.0;
/// How far ahead of a disc its circle is placed, at most, in widths of the skin; else as far as it has
/// flown: a disc flies on for as long, on average, and is scattered from there. Rebuilds become fewer by
/// 7 % at packing 0.5, 17 % at 0.3 and 26 % at 0.1.
const FARTHEST_LEAD: f64 = 0.6;
/// The packing fraction around a disc from which its list is never that of its path.
const CROWDED: f64 = 0.15;
/// A skin that is wider has no size: its circle is the plane.
const WIDEST: f64 = 1e300;
/// Circles that should overlap the one of a disc whose list is that of its path. Most are flown past.
const NEIGHBOURS_OF_PATHS: f64 = 24.0;
/// How far ahead of such a disc its circle is placed, in widths of the skin: it is rebuilt if the disc is
/// scattered.
const LEAD_OF_PATHS: f64 = 0.98;
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
        self.left_out.set_of_paths(slot, false);
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
        let (known, old) = (self.known(slot) as f64, f64::from(self.lists.get(slot).radius));
        let is_crowded = packing(known + 3.0, radius, old) > CROWDED;
        let of_paths = self.is_dilute && !is_crowded && predictor.has_straight_paths();
        self.left_out.set_of_paths(slot, of_paths);
        let wanted = if of_paths { NEIGHBOURS_OF_PATHS } else { NEIGHBOURS };
        let factor = if known == 0.0 { 2.0 } else { fitting(known, wanted).clamp(0.8, 1.25) };
        // A circle that is rebuilt for another path was wide enough, and there may be such paths without end.
        let factor = if predictor.state_time(slot) == at { factor.min(1.0) } else { factor };
        let mut skin = (old * factor - radius).max(least_skin(radius));
        if skin < WIDEST {
            self.skin += (skin - self.skin) * (1.0 / 64.0);
        }
        let flown = predictor.flown(slot, at);
        let flight = predictor.velocity(slot) * at.since(predictor.state_time(slot));
        // The circle of a disc that flies freely grows with its flight.
        // In a period a dilute gas stays as it is.
        let few = if of_paths && !predictor.periods().is_open() { NEIGHBOURS } else { FEW_NEIGHBOURS };
        if known <= few {
            skin = skin.max(0.125 * flown);
        }
        let skin = skin.min(widest_skin(radius, &predictor.periods()));
        let lead = if of_paths && skin < WIDEST {
            towards(predictor.velocity(slot)) * (LEAD_OF_PATHS * skin)
        } else if flown > 0.0 {
            flight * (FARTHEST_LEAD * skin / flown).min(1.0)
        } else {
            DVec2::ZERO
        };
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
        if self.left_out.of_paths(slot) {
            self.leave_out_passing(slot, &mut found, at, predictor);
        }
        self.left_out.set_count(slot, all - found.len());
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

    /// How many circles overlapped that of a disc when its list was made.
    pub(super) fn known(&self, slot: Slot) -> usize {
        self.lists.neighbours(slot).len() + self.left_out.count(slot)
    }

    /// Leaves out the discs that this one passes on their present paths, if the lists of both are those of
    /// paths.
    fn leave_out_passing<P: Predictor>(&self, slot: Slot, found: &mut Vec<Slot>, at: Time, predictor: &P) {
        let mut others = 0;
        for k in 0..found.len() {
            if !self.left_out.of_paths(found[k]) {
                found.swap(k, others);
                others += 1;
            }
        }
        let kept =
            predictor.leave_out_passing(slot, self.lists.get(slot).radius.into(), &mut found[others..], at);
        found.truncate(others + kept);
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

/// The packing fraction around a disc of this radius whose circle so many others overlap: their centres are
/// within twice its radius, and there are equal discs at these.
pub(super) fn packing(known: f64, radius: f64, outer: f64) -> f64 {
    (known + 1.0) * (radius * radius) / (4.0 * (outer * outer))
}

/// The unit vector along a velocity; none of a disc at rest.
fn towards(velocity: DVec2) -> DVec2 {
    let speed = sqrt(velocity.length_squared());
    if speed > 0.0 { velocity / speed } else { DVec2::ZERO }
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
fn fitting(known: f64, wanted: f64) -> f64 {
    // The first Padé approximant of the eighth root of the ratio.
    let (wanted, has) = (wanted + 1.0, known + 1.0);
    (9.0 * wanted + 7.0 * has) / (7.0 * wanted + 9.0 * has)
}

/// A single-precision number that is not less.
fn rounded_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}
