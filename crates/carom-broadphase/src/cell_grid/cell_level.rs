use super::cell::{Cell, MOST_MEMBERS, NO_CELL, SIDE, Spot};
use super::neighbour_lists::NeighbourLists;
use super::neighbourhood::Neighbourhood;
use crate::memory::{filled, reserve_huge_pages};
use crate::{Circle, Slot};
use alloc::vec;
use alloc::vec::Vec;
use carom_math::{DVec2, Periods};

/// Cells side by side that stand together in the table: a search of neighbouring cells reads on in memory.
const RUN_LENGTH: i64 = 8;
/// Members of a cell on average, up to which the table is not doubled. Twice as many would fill the cells,
/// and most searches would follow chains of further ones.
pub(super) const MEMBERS_WANTED: usize = MOST_MEMBERS / 2;
/// Number of a cell from which on coordinates hardly distinguish it from its neighbours: 2⁵⁰, where a cell is
/// eight half ulps wide. All members count as near there, and queries look at each.
pub(super) const FAR_OUT: u64 = 1 << 50;

/// Cells of one size, each with the circles in it.
///
/// The plane has no end and the table of cells has: runs of eight cells side by side are put into it by a
/// hash of their coordinates. In a plane that repeats itself along both axes each cell has a place of its
/// own, row by row.
#[derive(Debug, Default)]
pub(super) struct CellLevel {
    /// Sides of a cell: of the level's size, or a little longer, to divide a period.
    pub(super) sides: [f64; 2],
    inverse: [f64; 2],
    /// Cells in a period; 0 without one.
    pub(super) count: [i64; 2],
    /// Units in a length of 1: [`SIDE`] are a cell's longer side. No circle's radius is more than that.
    pub(super) units: f64,
    /// The table, and then what did not find room there.
    pub(super) cells: Vec<Cell>,
    /// Length of the table.
    table: usize,
    /// Coordinates of each cell; none if each has a place of its own in the table.
    keys: Vec<[i64; 2]>,
    /// Of the cells beyond the table one that is not used, which leads to the next one.
    free: u32,
    pub(super) members: usize,
    /// The widest circle that has been put in.
    pub(super) widest: f64,
}

crate::clone_fields!(CellLevel: sides, inverse, count, units, cells, table, keys, free, members, widest);

impl CellLevel {
    pub(super) fn bytes(&self) -> usize {
        size_of::<Cell>() * self.cells.capacity() + size_of::<[i64; 2]>() * self.keys.capacity()
    }

    /// Cells of a size, or a little longer, in a table of at least `places`.
    pub(super) fn new(size: f64, periods: &Periods, places: usize) -> Self {
        let mut level = CellLevel { sides: [size; 2], ..CellLevel::default() };
        for (axis, period) in periods.lengths().to_array().into_iter().enumerate() {
            if period > 0.0 {
                level.count[axis] = ((period / size) as i64).clamp(1, 1 << 30);
                level.sides[axis] = period / level.count[axis] as f64;
            }
            level.inverse[axis] = 1.0 / level.sides[axis];
        }
        level.units = f64::from(SIDE) * level.inverse[0].min(level.inverse[1]);
        level.clear(places);
        level
    }

    /// Makes a table of at least `places`, and forgets all members.
    fn clear(&mut self, places: usize) {
        let of_period = self.count.map(|count| count as u64);
        let all = of_period[0].saturating_mul(of_period[1]);
        let hashed = places.next_power_of_two().max(RUN_LENGTH as usize);
        let is_direct = all > 0 && all <= 2 * hashed as u64;
        self.table = if is_direct { all as usize } else { hashed };
        self.cells = filled(Cell::EMPTY, self.table);
        self.keys = if is_direct { Vec::new() } else { vec![[0; 2]; self.table] };
        self.free = NO_CELL;
        self.members = 0;
        self.widest = 0.0;
    }

    #[inline(always)]
    pub(super) fn is_direct(&self) -> bool {
        self.keys.is_empty()
    }

    /// Along one axis, the number of the cell of a coordinate.
    #[inline(always)]
    pub(super) fn cell_along(&self, axis: usize, x: f64) -> i64 {
        floor(x * self.inverse[axis])
    }

    /// Number of a cell within its period.
    #[inline(always)]
    pub(super) fn wrapped(&self, axis: usize, cell: i64) -> i64 {
        let count = self.count[axis];
        // Mostly it is there already.
        if count == 0 || (0..count).contains(&cell) { cell } else { remainder(cell, count) }
    }

    #[inline(always)]
    pub(super) fn cell_of(&self, at: DVec2) -> [i64; 2] {
        [self.wrapped(0, self.cell_along(0, at.x)), self.wrapped(1, self.cell_along(1, at.y))]
    }

    /// From the lower end of a cell, which is not that of its image, to a coordinate, in units.
    #[inline(always)]
    pub(super) fn in_cell(&self, axis: usize, x: f64, cell: i64) -> f64 {
        if cell.unsigned_abs() >= FAR_OUT { 0.0 } else { (x - cell as f64 * self.sides[axis]) * self.units }
    }

    /// Along one axis, in units: a coordinate from the lower end of the first of some cells, and how much
    /// less far it is from that of the next.
    #[inline(always)]
    pub(super) fn seen_from(&self, axis: usize, x: f64, first: i64, cells: u64) -> (f64, f64) {
        let last = first.saturating_add(cells as i64);
        if first.unsigned_abs().max(last.unsigned_abs()) >= FAR_OUT {
            return (0.0, 0.0);
        }
        (self.in_cell(axis, x, first), self.sides[axis] * self.units)
    }

    /// The cell of a circle, and the circle as it is noted there.
    #[inline(always)]
    pub(super) fn spot(&self, center: DVec2, radius: f64) -> ([i64; 2], Spot) {
        let [x, y] = [self.cell_along(0, center.x), self.cell_along(1, center.y)];
        let spot = Spot {
            center: [self.in_cell(0, center.x, x), self.in_cell(1, center.y, y)].map(|along| along as i16),
            radius: (radius * self.units) as i16,
        };
        ([self.wrapped(0, x), self.wrapped(1, y)], spot)
    }

    /// Where a cell is in the table.
    #[inline(always)]
    pub(super) fn place(&self, [x, y]: [i64; 2]) -> usize {
        if self.is_direct() {
            return (y * self.count[0] + x) as usize;
        }
        // Odd constants near 2⁶⁴ over the golden ratio and over √3, whose upper bits mix all of a number's.
        let mixed = ((x >> 3) as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
            ^ (y as u64).wrapping_mul(0x93CD_3A2C_8198_E269);
        let run = (mixed.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize
            & (self.table / RUN_LENGTH as usize - 1);
        run * RUN_LENGTH as usize + (x & (RUN_LENGTH - 1)) as usize
    }

    /// The cells along an axis from `low` to `high`: the first, and how many.
    #[inline(always)]
    pub(super) fn span(&self, axis: usize, low: f64, high: f64) -> (i64, u64) {
        let (first, last) = (self.cell_along(axis, low), self.cell_along(axis, high));
        (first, last.saturating_sub(first).saturating_add(1) as u64)
    }

    /// Whether a number of cells along an axis is larger than that of the cells in a period.
    #[inline(always)]
    pub(super) fn exceeds_period(&self, axis: usize, cells: u64) -> bool {
        self.count[axis] > 0 && cells > self.count[axis] as u64
    }

    /// Whether what is at a place of the table, or beyond, is that cell.
    #[inline(always)]
    pub(super) fn is_cell(&self, place: usize, cell: [i64; 2]) -> bool {
        self.is_direct() || self.keys[place] == cell
    }

    pub(super) fn add(&mut self, slot: Slot, center: DVec2, radius: f64) {
        let (cell, spot) = self.spot(center, radius);
        self.members += 1;
        self.widest = self.widest.max(radius);
        let mut place = self.place(cell);
        loop {
            if !self.is_direct() && self.cells[place].is_empty() {
                self.keys[place] = cell;
            }
            if self.is_cell(place, cell) && self.cells[place].add(slot, spot) {
                return;
            }
            if self.cells[place].next == NO_CELL {
                break;
            }
            place = self.cells[place].next as usize;
        }
        let beyond = self.beyond();
        self.cells[place].next = beyond as u32;
        if !self.is_direct() {
            self.keys[beyond] = cell;
        }
        self.cells[beyond].add(slot, spot);
    }

    /// A cell beyond the table.
    #[cold]
    pub(super) fn beyond(&mut self) -> usize {
        if self.free == NO_CELL {
            // Few have no room: not twice the memory for them.
            if self.cells.len() == self.cells.capacity() {
                let room = self.cells.len() + self.cells.len() / 16 + 16;
                reserve_huge_pages(&mut self.cells, room);
            }
            self.cells.push(Cell::EMPTY);
            if !self.is_direct() {
                self.keys.push([0; 2]);
            }
            return self.cells.len() - 1;
        }
        let free = self.free as usize;
        self.free = self.cells[free].next;
        self.cells[free] = Cell::EMPTY;
        free
    }

    /// Gives a member another circle, if it is in the same cell with that; else `false`.
    pub(super) fn shift(&mut self, slot: Slot, from: DVec2, center: DVec2, radius: f64) -> bool {
        let (cell, spot) = self.spot(center, radius);
        if cell != self.cell_of(from) {
            return false;
        }
        self.widest = self.widest.max(radius);
        let mut place = self.place(cell);
        while !self.cells[place].set(slot, spot) {
            if self.cells[place].next == NO_CELL {
                debug_assert!(false, "slot {slot} is not in its cell");
                return false;
            }
            place = self.cells[place].next as usize;
        }
        true
    }

    /// Takes a member out of the chain of cells in which its place of the table has members. Members of the
    /// same cell of the plane move up from the links behind, and the last link goes if it is empty: so chains
    /// stay as short as their members allow, though not across cells that share a place.
    pub(super) fn remove(&mut self, slot: Slot, center: DVec2) {
        let mut place = self.place(self.cell_of(center));
        let mut before = None;
        while !self.cells[place].remove(slot) {
            if self.cells[place].next == NO_CELL {
                debug_assert!(false, "slot {slot} is not in its cell");
                return;
            }
            (before, place) = (Some(place), self.cells[place].next as usize);
        }
        self.members -= 1;
        while self.move_up(place) {
            (before, place) = (Some(place), self.cells[place].next as usize);
        }
        if let Some(before) = before
            && self.cells[place].is_empty()
        {
            self.cells[before].next = core::mem::replace(&mut self.cells[place].next, self.free);
            self.free = place as u32;
        }
    }

    /// Moves a member of the next cell in a chain, if it is the same cell of the plane, to where there is
    /// room: so there is a chain only while it is needed.
    #[inline]
    fn move_up(&mut self, place: usize) -> bool {
        let next = self.cells[place].next as usize;
        let is_same = next < self.cells.len() && (self.is_direct() || self.keys[next] == self.keys[place]);
        let last = if is_same { self.cells[next].take_last() } else { None };
        last.is_some_and(|(slot, spot)| self.cells[place].add(slot, spot))
    }
}

#[cold]
fn remainder(cell: i64, count: i64) -> i64 {
    cell.rem_euclid(count)
}

/// The whole number below; numbers out of range are brought to its ends.
#[inline(always)]
fn floor(x: f64) -> i64 {
    let whole = x as i64;
    whole.saturating_sub(i64::from((whole as f64) > x))
}

impl CellLevel {
    pub(super) fn for_each_member(&self, visit: impl FnMut(Slot)) {
        self.cells.iter().flat_map(Cell::members).copied().for_each(visit);
    }

    /// Calls `see` with the members whose circles overlap one, sought in all cells: for a circle that reaches
    /// over more cells than there are.
    #[cold]
    pub(super) fn all_overlapping(
        &self,
        lists: &NeighbourLists,
        periods: &Periods,
        circle: Circle,
        mut see: impl FnMut(Slot),
    ) {
        self.for_each_member(|slot| {
            if overlap(periods, circle, lists.get(slot)) {
                see(slot);
            }
        });
    }

    /// Whether the table is too small for its members, or for the number of cells that they are in.
    pub(super) fn is_crowded(&self) -> bool {
        !self.is_direct()
            && (self.members >= MEMBERS_WANTED * self.table || self.cells.len() >= 2 * self.table)
    }

    /// Doubles the table.
    #[cold]
    pub(super) fn rehash(&mut self, lists: &NeighbourLists) {
        let members: Vec<Slot> = self.cells.iter().flat_map(Cell::members).copied().collect();
        self.clear(2 * self.table);
        for slot in members {
            let neighbourhood = lists.get(slot);
            self.add(slot, neighbourhood.center(), f64::from(neighbourhood.radius));
        }
    }
}

/// Whether a circle overlaps that of a neighbourhood.
#[inline(always)]
pub(super) fn overlap(periods: &Periods, circle: Circle, neighbourhood: &Neighbourhood) -> bool {
    let d = periods.nearest(neighbourhood.center() - circle.center);
    let radius = circle.radius + f64::from(neighbourhood.radius);
    d.x * d.x + d.y * d.y <= radius * radius
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors() {
        let wholes = [(0.0, 0), (-0.0, 0), (0.9, 0), (-0.1, -1), (-3.0, -3), (1e300, i64::MAX)];
        for (x, whole) in wholes {
            assert_eq!(floor(x), whole);
        }
        assert_eq!(floor(f64::NAN), 0);
    }
}
