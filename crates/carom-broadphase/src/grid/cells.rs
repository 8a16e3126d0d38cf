use super::site::{NOBODY, Site, Sites};
use crate::Slot;
use alloc::vec;
use alloc::vec::Vec;
use carom_math::{DVec2, Periods};

/// Cells of one size, each with a chain of the sites in it.
///
/// The plane has no end and the table of cells has: runs of eight cells side by side are put into it by a hash of their
/// coordinates. In a plane that repeats itself along both axes each cell has a place of its own, row by row.
#[derive(Clone, Debug)]
struct Level {
    /// Sides of a cell: of this size, or a little longer, to divide a period.
    sides: [f64; 2],
    inverse: [f64; 2],
    /// Cells in a period; 0 without one.
    count: [i64; 2],
    heads: Vec<Slot>,
    /// Whether each has a place of its own.
    is_direct: bool,
    members: usize,
    /// The widest circle that has been put in.
    widest: f64,
}

/// What is looked at first of a site that may be near: its circle in single precision, a fourth of a cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
struct Spot {
    /// The centre from [`Cells::origin`].
    x: f32,
    y: f32,
    reach: f32,
    /// The next one in the same cell.
    next: Slot,
}

impl Spot {
    const EMPTY: Spot = Spot { x: 0.0, y: 0.0, reach: 0.0, next: NOBODY };
}

/// A circle that others are sought about, in the numbers of spots.
struct Window {
    center: [f32; 2],
    lengths: [f32; 2],
    inverse: [f32; 2],
    reach: f32,
}

/// As `Periods::ROUNDER`, in single precision.
const ROUNDER: f32 = 1.5 * (1u32 << 23) as f32;

impl Window {
    /// Whether a spot's circle may overlap: never `false` if they do.
    #[inline(always)]
    fn may_overlap(&self, spot: &Spot) -> bool {
        let along = |axis: usize, x: f32| {
            let d = x - self.center[axis];
            let turns = (d * self.inverse[axis] + ROUNDER) - ROUNDER;
            d - turns * self.lengths[axis]
        };
        let (dx, dy) = (along(0, spot.x), along(1, spot.y));
        let reach = self.reach + spot.reach;
        // What is too far out for single precision is no number, and may.
        !(dx * dx + dy * dy > reach * reach)
    }
}

/// Cells of sizes that double from level to level. A site is in the cell of its centre, in the first level whose cells
/// are at least as wide as the radius of its circle.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cells {
    periods: Periods,
    /// Size of the cells of level 0; 0 before the first site.
    base: f64,
    levels: Vec<Level>,
    spots: Vec<Spot>,
    /// Where the first site was put: single precision is for what is about.
    origin: Option<DVec2>,
    /// Those with circles beyond the last level.
    everywhere: Vec<Slot>,
}

/// Cells in a run.
const RUN: i64 = 8;
const MOST_LEVELS: usize = 32;

impl Level {
    fn new(size: f64, periods: &Periods) -> Self {
        let mut level = Level {
            sides: [size; 2],
            inverse: [0.0; 2],
            count: [0; 2],
            heads: Vec::new(),
            is_direct: false,
            members: 0,
            widest: 0.0,
        };
        for (axis, period) in periods.lengths().to_array().into_iter().enumerate() {
            if period > 0.0 {
                level.count[axis] = ((period / size) as i64).clamp(1, 1 << 30);
                level.sides[axis] = period / level.count[axis] as f64;
            }
            level.inverse[axis] = 1.0 / level.sides[axis];
        }
        level
    }

    /// Makes room for so many members, and forgets those that are there.
    fn clear(&mut self, members: usize) {
        let mut cells = members.next_power_of_two().max(RUN as usize);
        let of_period = self.count.map(|count| count as u64);
        let all = of_period[0].saturating_mul(of_period[1]);
        self.is_direct = all > 0 && all <= 4 * cells as u64;
        if self.is_direct {
            cells = all as usize;
        }
        self.heads = vec![NOBODY; cells];
        self.members = 0;
        self.widest = 0.0;
    }

    /// Along one axis, the number of the cell of a coordinate.
    #[inline(always)]
    fn cell_along(&self, axis: usize, x: f64) -> i64 {
        floor(x * self.inverse[axis])
    }

    /// Number of a cell within its period.
    #[inline(always)]
    fn wrapped(&self, axis: usize, cell: i64) -> i64 {
        let count = self.count[axis];
        // Mostly it is there already, and a division is not needed.
        if count == 0 || (0..count).contains(&cell) { cell } else { cell.rem_euclid(count) }
    }

    #[inline(always)]
    fn cell_of(&self, at: DVec2) -> [i64; 2] {
        [self.wrapped(0, self.cell_along(0, at.x)), self.wrapped(1, self.cell_along(1, at.y))]
    }

    /// Where the head of a cell's chain is.
    #[inline(always)]
    fn place(&self, [x, y]: [i64; 2]) -> usize {
        if self.is_direct {
            return (y * self.count[0] + x) as usize;
        }
        // Odd constants near 2⁶⁴ over the golden ratio and over √3, whose upper bits mix all of a number's.
        let mixed = ((x >> 3) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (y as u64).wrapping_mul(0x93CD_3A2C_8198_E269);
        let run = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
            & (self.heads.len() / RUN as usize - 1);
        run * RUN as usize + (x & (RUN - 1)) as usize
    }

    /// How many cells from `x` on stand side by side in the table.
    #[inline(always)]
    fn run(&self, x: i64) -> u64 {
        let to_end = if self.count[0] == 0 { i64::MAX } else { self.count[0] - x };
        let run = if self.is_direct { to_end } else { to_end.min(RUN - (x & (RUN - 1))) };
        run as u64
    }

    /// The cells along an axis from `low` to `high`, each once: the first, and how many.
    fn span(&self, axis: usize, low: f64, high: f64) -> (i64, u64) {
        let (first, last) = (self.cell_along(axis, low), self.cell_along(axis, high));
        let cells = last.saturating_sub(first).saturating_add(1) as u64;
        match self.count[axis] {
            0 => (first, cells),
            count if cells >= count as u64 => (0, count as u64),
            _ => (first, cells),
        }
    }
}

/// The whole number below; numbers out of range are brought to its ends.
#[inline(always)]
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole.saturating_sub(i64::from((whole as f64) > x))
}

impl Cells {
    /// Starts anew: with cells of this size in level 0, for so many sites.
    pub(crate) fn reset(&mut self, periods: Periods, base: f64, members: usize) {
        let spots = core::mem::take(&mut self.spots);
        *self = Cells { periods, base, spots, ..Cells::default() };
        let mut level = Level::new(base, &periods);
        level.clear(members);
        self.levels.push(level);
    }

    pub(crate) fn reserve(&mut self, len: usize) {
        self.spots.reserve_exact(len.saturating_sub(self.spots.len()));
    }

    /// Size of the smallest cells; 0 before the first site.
    pub(crate) fn base(&self) -> f64 {
        self.base
    }

    /// The level for a circle of this radius.
    fn level_for(&self, reach: f64) -> u8 {
        let mut size = self.base;
        for level in 0..MOST_LEVELS {
            if reach <= size {
                return level as u8;
            }
            size *= 2.0;
        }
        Site::EVERYWHERE
    }

    /// Gives a site that is in a cell another circle, if it is in the same one with that; else `false`.
    pub(crate) fn shift(&mut self, slot: Slot, site: &Site, center: DVec2, reach: f32) -> bool {
        if site.level != self.level_for(f64::from(reach)) {
            return false;
        }
        let Some(level) = self.levels.get_mut(usize::from(site.level)) else { return true };
        if level.cell_of(site.center()) != level.cell_of(center) {
            return false;
        }
        level.widest = level.widest.max(f64::from(reach));
        let next = self.spots[slot as usize].next;
        self.spots[slot as usize] = Spot { next, ..self.spot(center, reach) };
        true
    }

    /// Forgets how wide circles have been that are not any more.
    pub(crate) fn measure(&mut self, sites: &Sites) {
        for (number, level) in (0..).zip(&mut self.levels) {
            let placed =
                (0..sites.len() as Slot).map(|slot| sites.get(slot)).filter(|site| site.level == number);
            level.widest = f64::from(placed.map(|site| site.reach).fold(0.0, f32::max));
        }
    }

    #[inline(always)]
    fn seen_from_origin(&self, place: DVec2) -> [f32; 2] {
        // The image in the rectangle: what is far has few digits.
        let (place, _) = self.periods.wrap(place - self.origin.unwrap_or_default());
        [place.x as f32, place.y as f32]
    }

    fn spot(&self, center: DVec2, reach: f32) -> Spot {
        let [x, y] = self.seen_from_origin(center);
        Spot { x, y, reach, next: NOBODY }
    }

    /// Coordinates are rounded by 2⁻²⁴, and so are their differences and what is made of these.
    fn window(&self, center: DVec2, reach: f64) -> Window {
        let from_origin = self.seen_from_origin(center);
        let scale = from_origin[0].abs() + from_origin[1].abs() + reach as f32;
        let narrowed = |v: DVec2| [v.x as f32, v.y as f32];
        let lengths = narrowed(self.periods.lengths());
        let around = scale + lengths[0] + lengths[1];
        // The last for squares that underflow.
        let reach = reach as f32 * (1.0 + 1e-6) + around * (1.0 / (1 << 20) as f32) + 1e-18;
        Window { center: from_origin, lengths, inverse: narrowed(self.periods.inverse()), reach }
    }

    /// Puts a site, whose circle is known, into its cell.
    pub(crate) fn link(&mut self, slot: Slot, sites: &mut Sites) {
        let site = sites.get_mut(slot);
        let number = self.level_for(f64::from(site.reach));
        site.level = number;
        if number == Site::EVERYWHERE {
            self.everywhere.push(slot);
            return;
        }
        while self.levels.len() <= usize::from(number) {
            let mut level = Level::new(self.base * (1u64 << self.levels.len()) as f64, &self.periods);
            level.clear(0);
            self.levels.push(level);
        }
        let level = &mut self.levels[usize::from(number)];
        // A cell has a place or more for each of its members.
        if level.members >= level.heads.len() && !level.is_direct {
            self.rehash(number, sites);
        }
        if self.spots.len() <= slot as usize {
            self.spots.resize(slot as usize + 1, Spot::EMPTY);
        }
        let site = sites.get(slot);
        let (center, reach) = (site.center(), site.reach);
        self.origin.get_or_insert(if self.periods.is_open() { center } else { DVec2::ZERO });
        let spot = self.spot(center, reach);
        let level = &mut self.levels[usize::from(number)];
        let place = level.place(level.cell_of(center));
        self.spots[slot as usize] = Spot { next: core::mem::replace(&mut level.heads[place], slot), ..spot };
        level.members += 1;
        level.widest = level.widest.max(f64::from(reach));
    }

    /// Doubles the table of a level.
    #[cold]
    fn rehash(&mut self, number: u8, sites: &Sites) {
        let level = &mut self.levels[usize::from(number)];
        let mut members = Vec::with_capacity(level.members);
        for &head in &level.heads {
            let mut slot = head;
            while slot != NOBODY {
                members.push(slot);
                slot = self.spots[slot as usize].next;
            }
        }
        let widest = level.widest;
        level.clear(2 * members.len().max(1));
        level.widest = widest;
        for slot in members {
            let place = level.place(level.cell_of(sites.get(slot).center()));
            self.spots[slot as usize].next = core::mem::replace(&mut level.heads[place], slot);
            level.members += 1;
        }
    }

    /// Takes a site out of its cell; its circle must be the one with which it was put in.
    pub(crate) fn unlink(&mut self, slot: Slot, sites: &mut Sites) {
        let site = *sites.get(slot);
        sites.get_mut(slot).level = Site::NOWHERE;
        if site.level == Site::EVERYWHERE {
            self.everywhere.retain(|&other| other != slot);
            return;
        }
        let level = &mut self.levels[usize::from(site.level)];
        let place = level.place(level.cell_of(site.center()));
        level.members -= 1;
        let mut at = level.heads[place];
        let after = self.spots[slot as usize].next;
        if at == slot {
            level.heads[place] = after;
            return;
        }
        while at != NOBODY {
            let next = self.spots[at as usize].next;
            if next == slot {
                self.spots[at as usize].next = after;
                return;
            }
            at = next;
        }
        debug_assert!(false, "slot {slot} is not in its cell");
    }

    /// Names the sites whose circles overlap one, each once; and some that miss it by less than single precision tells.
    #[inline]
    pub(crate) fn overlapping(&self, sites: &Sites, center: DVec2, reach: f64, mut found: impl FnMut(Slot)) {
        let window = self.window(center, reach);
        for level in self.levels.iter().filter(|level| level.members > 0) {
            // A part in 10⁹ for the rounding of coordinates.
            let range = DVec2::splat((level.widest + reach) * (1.0 + 1e-9)) + center.abs() * 1e-15;
            let (low, high) = (center - range, center + range);
            let (first_x, across) = level.span(0, low.x, high.x);
            let (first_y, down) = level.span(1, low.y, high.y);
            if across.saturating_mul(down) > 4 * level.members as u64 + 64 {
                // Fewer sites than cells.
                for head in level.heads.iter().copied() {
                    let mut slot = head;
                    while slot != NOBODY {
                        let spot = &self.spots[slot as usize];
                        if window.may_overlap(spot) {
                            found(slot);
                        }
                        slot = spot.next;
                    }
                }
                continue;
            }
            // Counted, because numbers of cells far out are brought to the largest one.
            for row in 0..down as i64 {
                let y = level.wrapped(1, first_y.saturating_add(row));
                let (mut x, mut rest) = (level.wrapped(0, first_x), across);
                while rest > 0 {
                    let run = level.run(x).min(rest);
                    let place = level.place([x, y]);
                    for (&head, k) in level.heads[place..place + run as usize].iter().zip(0..) {
                        let x = x.saturating_add(k);
                        let mut slot = head;
                        while slot != NOBODY {
                            let spot = &self.spots[slot as usize];
                            // Cells may share a chain, which must not be taken twice.
                            if window.may_overlap(spot)
                                && (level.is_direct || level.cell_of(sites.get(slot).center()) == [x, y])
                            {
                                found(slot);
                            }
                            slot = spot.next;
                        }
                    }
                    rest -= run;
                    x = level.wrapped(0, x.saturating_add(run as i64));
                }
            }
        }
        for &slot in &self.everywhere {
            if self.overlap(center, reach, sites.get(slot)) {
                found(slot);
            }
        }
    }

    /// Whether a circle overlaps that of a site.
    #[inline(always)]
    pub(crate) fn overlap(&self, center: DVec2, reach: f64, site: &Site) -> bool {
        let d = self.periods.nearest(site.center() - center);
        let reach = reach + f64::from(site.reach);
        d.x * d.x + d.y * d.y <= reach * reach
    }

    pub(crate) fn bytes(&self) -> usize {
        let heads: usize = self.levels.iter().map(|level| level.heads.capacity()).sum();
        size_of::<Slot>() * (heads + self.everywhere.capacity()) + size_of::<Spot>() * self.spots.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Single precision may not tell, and then it must not say no.
    #[test]
    fn far_and_tiny_circles_are_not_overlooked() {
        for (at, reach) in [(1e60, 1.0), (1e30, 1e25), (1e-22, 1e-23), (3e38, 1e38), (1e15, 1.0)] {
            let mut sites = Sites::default();
            sites.grow_to(2);
            let mut cells = Cells::default();
            cells.reset(Periods::NONE, 2.0 * reach, 2);
            for (slot, x) in [(0, 0.0), (1, at)] {
                sites.get_mut(slot).set_center(DVec2::new(x, -x));
                sites.get_mut(slot).reach = reach as f32;
                cells.link(slot, &mut sites);
            }
            let mut found = Vec::new();
            let beside = DVec2::new(at + reach, -at);
            cells.overlapping(&sites, beside, reach, |slot| found.push(slot));
            assert!(found.contains(&1), "{at} {reach}: {found:?}");
        }
    }

    #[test]
    fn floors() {
        let wholes = [(0.0, 0), (-0.0, 0), (0.9, 0), (-0.1, -1), (-3.0, -3), (1e300, i64::MAX)];
        for (x, whole) in wholes {
            assert_eq!(floor(x), whole);
        }
        assert_eq!(floor(f64::NAN), 0);
    }
}
