use super::cell_level::{CellLevel, MEMBERS_WANTED, overlap};
use super::neighbour_lists::NeighbourLists;
use super::neighbourhood::Neighbourhood;
use crate::tolerance::{COORDINATE_ROUNDING, RANGE_MARGIN, place_rounding};
use crate::{Circle, Slot};
use alloc::vec::Vec;
use carom_math::{DVec2, Periods};

/// Levels of cells: radii up to 2³¹ times the smallest cell. Discs with larger circles are neighbours of all.
const MOST_LEVELS: usize = 32;

/// Cells of sizes that double from level to level. A neighbourhood is in the cell of its centre, in the
/// first level whose cells are at least as wide as the radius of its circle.
#[derive(Debug, Default)]
pub(crate) struct CellTable {
    pub(super) periods: Periods,
    /// Size of the cells of level 0; 0 before the first neighbourhood.
    pub(super) base: f64,
    pub(super) levels: Vec<CellLevel>,
    /// Those with circles beyond the last level.
    pub(super) everywhere: Vec<Slot>,
    /// Corners of a rectangle in which all centres in cells are, without regard to periods.
    pub(super) low: DVec2,
    pub(super) high: DVec2,
}

crate::clone_fields!(CellTable: periods, base, levels, everywhere, low, high);

impl CellTable {
    /// Starts anew, with cells of size `base` in level 0, for a number of members.
    pub(crate) fn reset(&mut self, periods: Periods, base: f64, members: usize) {
        let (low, high) = (DVec2::INFINITY, DVec2::NEG_INFINITY);
        *self = CellTable { periods, base, low, high, ..CellTable::default() };
        self.levels.push(CellLevel::new(base, &periods, members / MEMBERS_WANTED));
    }

    /// The size of cells for circles of this radius, around which a search ranges over four radii. Smaller
    /// cells mean that it looks at more of them, larger ones that it tests more members in vain.
    pub(crate) fn cell_size(radius: f64) -> f64 {
        3.8 * radius
    }

    /// The level for a circle of this radius.
    fn level_for(&self, radius: f64) -> u8 {
        let mut size = self.base;
        for level in 0..MOST_LEVELS {
            if radius <= size {
                return level as u8;
            }
            size *= 2.0;
        }
        Neighbourhood::EVERYWHERE
    }

    /// Gives a neighbourhood that is in a cell another circle, if it is in the same one with that; else
    /// `false`.
    pub(crate) fn shift(
        &mut self,
        slot: Slot,
        neighbourhood: &Neighbourhood,
        center: DVec2,
        radius: f32,
    ) -> bool {
        let radius = f64::from(radius);
        if neighbourhood.level != self.level_for(radius) {
            return false;
        }
        match self.levels.get_mut(usize::from(neighbourhood.level)) {
            Some(level) => level.shift(slot, neighbourhood.center(), center, radius),
            None => true,
        }
    }

    /// Forgets how wide circles have been that are not any more.
    pub(crate) fn measure(&mut self, lists: &NeighbourLists) {
        for (number, level) in (0..).zip(&mut self.levels) {
            let placed = (0..lists.len() as Slot)
                .map(|slot| lists.get(slot))
                .filter(|neighbourhood| neighbourhood.level == number);
            level.widest = f64::from(placed.map(|neighbourhood| neighbourhood.radius).fold(0.0, f32::max));
        }
    }

    /// Puts a neighbourhood, whose circle is known, into its cell.
    pub(crate) fn link(&mut self, slot: Slot, lists: &mut NeighbourLists) {
        let neighbourhood = lists.get_mut(slot);
        let radius = f64::from(neighbourhood.radius);
        let number = self.level_for(radius);
        neighbourhood.level = number;
        if number == Neighbourhood::EVERYWHERE {
            self.everywhere.push(slot);
            return;
        }
        while self.levels.len() <= usize::from(number) {
            let size = self.base * (1u64 << self.levels.len()) as f64;
            self.levels.push(CellLevel::new(size, &self.periods, 0));
        }
        let center = neighbourhood.center();
        let level = &mut self.levels[usize::from(number)];
        if level.is_crowded() {
            level.rehash(lists);
        }
        level.add(slot, center, radius);
        // It may move within its cell.
        let side = DVec2::from(level.sides);
        (self.low, self.high) = (self.low.min(center - side), self.high.max(center + side));
    }

    /// Takes a neighbourhood out of its cell; its circle must be the one with which it was put in.
    pub(crate) fn unlink(&mut self, slot: Slot, lists: &mut NeighbourLists) {
        let neighbourhood = *lists.get(slot);
        lists.get_mut(slot).level = Neighbourhood::NOWHERE;
        if neighbourhood.level == Neighbourhood::EVERYWHERE {
            self.everywhere.retain(|&other| other != slot);
            return;
        }
        self.levels[usize::from(neighbourhood.level)].remove(slot, neighbourhood.center());
    }

    /// Begins to bring the cells around a neighbourhood into the cache.
    pub(crate) fn prefetch(&self, neighbourhood: &Neighbourhood) {
        let Some(level) = self.levels.get(usize::from(neighbourhood.level)) else { return };
        let (center, range) = (neighbourhood.center(), level.widest + f64::from(neighbourhood.radius));
        let cells = level.cells_between([center - range, center + range]);
        if cells.number() <= 32 {
            level.prefetch(&cells);
        }
    }

    /// Adds the discs whose circles overlap one to `found`, each once; and some that miss it by less than the
    /// units of a cell resolve.
    pub(crate) fn overlapping(&self, lists: &NeighbourLists, circle: Circle, found: &mut Vec<Slot>) {
        let Circle { center, radius } = circle;
        let mut around = false;
        let rounding = place_rounding(center, &self.periods);
        for level in self.levels.iter().filter(|level| level.members > 0) {
            let range = DVec2::splat((level.widest + radius) * (1.0 + RANGE_MARGIN))
                + center.abs() * COORDINATE_ROUNDING;
            let cells = level.cells_between([center - range, center + range]);
            if cells.number() > 4 * level.cells.len() as u64 + 64 {
                let circle = Circle { center, radius: radius + 6.0 / level.units };
                level.all_overlapping(lists, &self.periods, circle, |slot| found.push(slot));
                continue;
            }
            around |= level.exceeds_period(0, cells.counts[0]) || level.exceeds_period(1, cells.counts[1]);
            level.overlapping(Circle { center, radius: radius + rounding }, &cells, |slot| found.push(slot));
        }
        let is_overlapping = |slot: &Slot| self.overlap(circle, lists.get(*slot));
        found.extend(self.everywhere.iter().copied().filter(is_overlapping));
        // A circle wider than a period may find a member by two of its images.
        if around {
            found.sort_unstable();
            found.dedup();
        }
    }

    /// Whether a circle overlaps that of a neighbourhood.
    #[inline(always)]
    pub(crate) fn overlap(&self, circle: Circle, neighbourhood: &Neighbourhood) -> bool {
        overlap(&self.periods, circle, neighbourhood)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.levels.iter().map(CellLevel::bytes).sum::<usize>()
            + size_of::<Slot>() * self.everywhere.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// What units cannot resolve may overlap.
    #[test]
    fn far_and_tiny_circles_are_not_overlooked() {
        for (at, radius) in
            [(1e60, 1.0), (1e30, 1e25), (1e-22, 1e-23), (3e38, 1e38), (1e15, 1.0), (3e15, 1e-3), (1e20, 1.0)]
        {
            let mut lists = NeighbourLists::default();
            lists.grow_to(2);
            let mut cells = CellTable::default();
            cells.reset(Periods::NONE, 2.0 * radius, 2);
            for (slot, x) in [(0, 0.0), (1, at)] {
                lists.get_mut(slot).set_center(DVec2::new(x, -x));
                lists.get_mut(slot).radius = radius as f32;
                cells.link(slot, &mut lists);
            }
            let mut found = Vec::new();
            let beside = DVec2::new(at + radius, -at);
            cells.overlapping(&lists, Circle { center: beside, radius }, &mut found);
            assert!(found.contains(&1), "{at} {radius}: {found:?}");
        }
    }

    /// Against the obvious: all that overlap are found, each once, and few that do not; as they come, move
    /// and go. In the open, along one axis and both; in a plane of a few cells, where one circle overlaps
    /// several images of another; with radii of 1 to 1000.
    #[test]
    fn all_that_overlap_are_found_once() {
        const N: usize = 200;
        let mut rng = Rng::new(1);
        let mut random = || rng.unit();
        let planes = [
            (None, None, 60.0),
            (Some(40.0), None, 40.0),
            (Some(40.0), Some(25.0), 40.0),
            (Some(3.0), Some(2.5), 3.0),
            (Some(3.0), None, 100.0),
        ];
        for (x, y, side) in planes {
            let periods = Periods::new(x, y).unwrap();
            let (mut lists, mut cells) = (NeighbourLists::default(), CellTable::default());
            lists.grow_to(N);
            cells.reset(periods, CellTable::cell_size(1.0), 8);
            for step in 0..3000 {
                let slot = (random() * N as f64) as Slot;
                let place = DVec2::new(random() - 0.5, random() - 0.5) * (2.0 * side);
                let largest = 0.25 * periods.shortest().min(1000.0);
                let radius = (0.5 + random()) * if step % 50 == 0 { largest } else { largest.min(0.8) };
                let (neighbourhood, center) = (*lists.get(slot), periods.wrap(place).0);
                let near = step % 2 == 0 && neighbourhood.is_placed();
                let center =
                    if near { periods.wrap(neighbourhood.center() + place * 1e-3).0 } else { center };
                if !(neighbourhood.is_placed() && cells.shift(slot, &neighbourhood, center, radius as f32)) {
                    if neighbourhood.is_placed() {
                        cells.unlink(slot, &mut lists);
                    }
                    lists.get_mut(slot).set_center(center);
                    lists.get_mut(slot).radius = radius as f32;
                    cells.link(slot, &mut lists);
                }
                lists.get_mut(slot).set_center(center);
                lists.get_mut(slot).radius = radius as f32;

                let (center, radius) = (periods.wrap(place * 0.7).0, f64::from(radius as f32));
                let mut found = Vec::new();
                cells.overlapping(&lists, Circle { center, radius }, &mut found);
                found.sort_unstable();
                assert!(
                    found.windows(2).all(|pair| pair[0] < pair[1]),
                    "step {step} of {periods:?}: {found:?}"
                );
                for other in (0..N as Slot).filter(|&other| lists.get(other).is_placed()) {
                    let neighbourhood = lists.get(other);
                    let is_found = found.binary_search(&other).is_ok();
                    assert!(
                        is_found || !cells.overlap(Circle { center, radius }, neighbourhood),
                        "step {step}: {other}"
                    );
                    // The margin for roundings and the roundings are less than nine units; a side has 2¹⁴ − 1
                    // of these. A side is less than twice the larger of 3.8 and the circle's diameter.
                    let side =
                        2.0 * f64::max(CellTable::cell_size(1.0), 2.0 * f64::from(neighbourhood.radius));
                    let wider = radius + side * (9.0 / 16383.0);
                    assert!(
                        !is_found || cells.overlap(Circle { center, radius: wider }, neighbourhood),
                        "step {step}: {other}"
                    );
                }
            }
        }
    }
}
