use super::cell_table::CellTable;
use super::neighbourhood::Neighbourhood;
use super::{CellGrid, PREFETCH_FROM};
use crate::{Circle, Predictor, Slot};
use alloc::vec::Vec;
use carom_math::{DVec2, Periods, Time, sqrt};

/// Circles that should overlap that of a disc. With fewer, circles are rebuilt more often; with more, more
/// pair times are computed. No event depends on this and the following constants.
const NEIGHBOURS_WANTED: f64 = 7.0;
/// How far ahead of a disc its circle is placed at most, in widths of the skin.
///
/// It is placed as far ahead as the disc has flown: on average a disc flies on for the same length before it
/// is scattered. Rebuilds become fewer by 7 % at packing 0.5, 17 % at 0.3 and 26 % at 0.1. At 1 a disc would
/// be on its circle, which it leaves at once when it is scattered.
const FARTHEST_LEAD: f64 = 0.6;
/// Packing fraction around a disc from which its list is never a path list, even in a dilute world: in a
/// crowd paths change too often.
const NO_PATH_LIST_FROM: f64 = 0.15;
/// The narrowest skin, in radii, of a disc that passes through most of those around it. However narrow, it
/// overlaps their circles, so a narrower one saves few tests and is left after a shorter way.
const LEAST_SKIN_AMONG_PASSED: f64 = 0.25;
/// Skin from which on a circle counts as the whole plane. It has no part in the mean, and is not placed
/// ahead: the product of a lead and such a skin may be infinite.
const WIDEST_SKIN: f64 = 1e300;
/// Circles that should overlap that of a disc with a path list. It flies past most of their discs, so more
/// are affordable, and circles are rebuilt less often.
const OVERLAPS_OF_PATH_LIST: f64 = 24.0;
/// How far ahead of a disc with a path list its circle is placed, in widths of the skin. The circle is
/// rebuilt anyway if the disc is scattered, so it may lie ahead almost as far as the disc stays inside.
const LEAD_OF_PATH_LIST: f64 = 0.98;
/// Overlapping circles up to which a circle becomes wider in proportion to the flight of its disc. In a
/// larger crowd wide circles would make lists so long that they cost more than rebuilding.
const MOST_FOR_FLIGHT: f64 = 64.0;

/// Circles and neighbour lists.
impl CellGrid {
    /// Notes of which species a disc is that was inserted or edited, and gives circles to those that meet it
    /// and have met none before.
    pub(super) fn note_species<P: Predictor>(&mut self, slot: Slot, predictor: &P) {
        let (species, is_placed) = (predictor.species(slot), self.lists.get(slot).is_placed());
        if is_placed && self.species.is_of(slot, species) {
            return;
        }
        if is_placed {
            self.unlink(slot);
            self.species.leave(slot);
        }
        for woken in self.species.join::<P>(slot, species) {
            self.lists.get_mut(woken).level = Neighbourhood::NOWHERE;
            self.build(woken, predictor.now(), predictor);
            self.needs_replan.push(woken);
        }
    }

    /// Takes a slot out of its cell, or of those that are alone.
    pub(super) fn unlink(&mut self, slot: Slot) {
        if self.lists.get(slot).level == Neighbourhood::ALONE {
            self.species.end_alone(slot);
            self.lists.get_mut(slot).level = Neighbourhood::NOWHERE;
        } else {
            self.cells.unlink(slot, &mut self.lists);
        }
    }

    /// Takes a disc that meets no other out of all cells: its circle is the whole plane.
    #[cold]
    fn set_alone(&mut self, slot: Slot) {
        let level = self.lists.get(slot).level;
        if level == Neighbourhood::ALONE {
            return;
        }
        if level != Neighbourhood::NOWHERE {
            self.unlink(slot);
        }
        self.left_out.set_path_list(slot, false);
        self.left_out.set_count(slot, 0);
        let neighbourhood = self.lists.get_mut(slot);
        (neighbourhood.level, neighbourhood.radius) = (Neighbourhood::ALONE, f32::INFINITY);
        self.species.set_alone(slot);
    }

    /// Gives a disc that was inserted or moved its circle.
    pub(super) fn build<P: Predictor>(&mut self, slot: Slot, at: Time, predictor: &P) {
        if self.species.is_solitary(slot) {
            return self.set_alone(slot);
        }
        let Circle { center, radius } = predictor.circle(slot, at);
        if self.skin <= 0.0 {
            self.skin = if radius > 0.0 { 0.5 * radius } else { 1.0 };
        }
        let skin = self.skin.max(least_skin(radius)).min(widest_skin(radius, &predictor.periods()));
        if self.cells.base == 0.0 {
            self.cells.reset(predictor.periods(), CellTable::cell_size(radius + skin), 1);
        }
        self.left_out.set_path_list(slot, false);
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
        if self.species.is_solitary(slot) {
            return self.set_alone(slot);
        }
        let Circle { center, radius } = predictor.circle(slot, at);
        let (overlaps, old) = (self.overlaps_of(slot) as f64, f64::from(self.lists.get(slot).radius));
        let is_crowded = packing(overlaps + 3.0, radius, old) > NO_PATH_LIST_FROM;
        let is_path_list = self.is_dilute && !is_crowded && predictor.has_straight_paths();
        self.left_out.set_path_list(slot, is_path_list);
        let wanted = if is_path_list { OVERLAPS_OF_PATH_LIST } else { NEIGHBOURS_WANTED };
        let factor = if overlaps == 0.0 { 2.0 } else { growth(overlaps, wanted).clamp(0.8, 1.25) };
        // A circle that is rebuilt for another path was wide enough. A disc may change its path for ever.
        let factor = if predictor.state_time(slot) == at { factor.min(1.0) } else { factor };
        let is_passed = 2.0 * self.left_out.count(slot) as f64 > overlaps;
        let least = if is_passed { LEAST_SKIN_AMONG_PASSED * radius } else { least_skin(radius) };
        let mut skin = (old * factor - radius).max(least);
        if skin < WIDEST_SKIN {
            self.skin += (skin - self.skin) * (1.0 / 64.0);
        }
        let flown = predictor.flown(slot, at);
        let flight = predictor.velocity(slot) * at.since(predictor.state_time(slot));
        // The circle of a disc that flies freely grows with its flight, so that a flight without end takes
        // few rebuilds. A dilute gas in a periodic plane does not thin out.
        let few =
            if is_path_list && !predictor.periods().is_open() { NEIGHBOURS_WANTED } else { MOST_FOR_FLIGHT };
        if overlaps <= few {
            skin = skin.max(0.125 * flown);
        }
        let skin = skin.min(widest_skin(radius, &predictor.periods()));
        let lead = if is_path_list && skin < WIDEST_SKIN {
            towards(predictor.velocity(slot)) * (LEAD_OF_PATH_LIST * skin)
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

    /// Makes the neighbour list of a disc from the circles that overlap its own, without discs that it never
    /// meets. A pair belongs to the newer state: with `offers`, a new neighbour with a newer one is offered
    /// the pair. Without, the caller plans all discs anew.
    pub(super) fn find_neighbours<P: Predictor>(
        &mut self,
        slot: Slot,
        at: Time,
        predictor: &P,
        offers: bool,
    ) {
        if self.lists.get(slot).level == Neighbourhood::ALONE {
            return;
        }
        let (mut found, mut added) = (core::mem::take(&mut self.found), core::mem::take(&mut self.added));
        found.clear();
        added.clear();
        let neighbourhood = self.lists.get(slot);
        self.cells.overlapping(&self.lists, neighbourhood.circle(), &mut found);
        if let Some(itself) = found.iter().position(|&other| other == slot) {
            found.swap_remove(itself);
        }
        let all = found.len();
        if !self.species.is_one() {
            found.retain(|&other| self.species.meet(slot, other, predictor));
        }
        if self.left_out.is_path_list(slot) {
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
    pub(super) fn overlaps_of(&self, slot: Slot) -> usize {
        self.lists.neighbours(slot).len() + self.left_out.count(slot)
    }

    /// Leaves out the discs that this one passes on their present paths, if the lists of both are those of
    /// paths.
    fn leave_out_passing<P: Predictor>(&self, slot: Slot, found: &mut Vec<Slot>, at: Time, predictor: &P) {
        let mut others = 0;
        for k in 0..found.len() {
            if !self.left_out.is_path_list(found[k]) {
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
        let (center, outer) = (self.cells.periods.wrap(circle.center).0, rounded_up(circle.radius));
        self.drawn += 1;
        let neighbourhood = self.lists.get(slot);
        let is_placed = neighbourhood.is_placed();
        let stays = is_placed && self.cells.shift(slot, neighbourhood, center, outer);
        if is_placed && !stays {
            self.unlink(slot);
        }
        let neighbourhood = self.lists.get_mut(slot);
        neighbourhood.set_center(center);
        neighbourhood.radius = outer;
        if !stays {
            self.cells.link(slot, &mut self.lists);
        }
    }
}

/// The packing fraction around a disc of this radius, whose circle of radius `outer` overlaps others. If all
/// circles and discs are equal, the centres of these are within 2 `outer`.
pub(super) fn packing(overlaps: f64, radius: f64, outer: f64) -> f64 {
    (overlaps + 1.0) * (radius * radius) / (4.0 * (outer * outer))
}

/// The unit vector along a velocity; zero of a disc at rest.
fn towards(velocity: DVec2) -> DVec2 {
    let speed = sqrt(velocity.length_squared());
    if speed > 0.0 { velocity / speed } else { DVec2::ZERO }
}

/// The narrowest skin around a disc. Narrower ones mean more rebuilds in a dense crowd; below the rounding of
/// its place a disc would leave its circle as soon as it is drawn.
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

/// The factor of a circle's radius by which the number of circles that overlap it approaches the wanted one.
///
/// That number grows with the square of the radius, so the factor would be the square root of the ratio.
/// Since neighbours come and go, it is only the fourth root of that: the eighth root of the ratio.
fn growth(overlaps: f64, wanted: f64) -> f64 {
    // The eighth root by its Padé approximant of order 1 about 1: (9x + 7)/(7x + 9).
    let (wanted, has) = (wanted + 1.0, overlaps + 1.0);
    (9.0 * wanted + 7.0 * has) / (7.0 * wanted + 9.0 * has)
}

/// A single-precision number that is not less.
fn rounded_up(x: f64) -> f32 {
    let near = x as f32;
    if f64::from(near) < x { near.next_up() } else { near }
}
