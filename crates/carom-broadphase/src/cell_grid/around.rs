use super::cell::{Cell, NO_CELL, SIDE, Spot, Window};
use super::cell_level::{CellLevel, FAR_OUT};
use crate::tolerance::SINGLE_ROUNDING;
use crate::{Bits, Circle, Slot};
use carom_math::DVec2;

/// A rectangle of cells: the first, in numbers that are not those within a period, and how many along each
/// axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRange {
    pub(super) first: [i64; 2],
    pub(super) counts: [u64; 2],
}

impl CellRange {
    #[inline(always)]
    pub(super) fn number(&self) -> u64 {
        self.counts[0].saturating_mul(self.counts[1])
    }
}

/// What is around a place: the cells, and the members of those whose circles overlap one.
impl CellLevel {
    /// The cells between two corners.
    #[inline(always)]
    pub(super) fn cells_between(&self, [low, high]: [DVec2; 2]) -> CellRange {
        let (first_x, across) = self.span(0, low.x, high.x);
        let (first_y, down) = self.span(1, low.y, high.y);
        CellRange { first: [first_x, first_y], counts: [across, down] }
    }

    /// Calls `visit` with each cell of a rectangle once, also where that is wider than a period.
    pub(super) fn for_each_once(&self, cells: &CellRange, mut visit: impl FnMut(&Cell)) {
        let [across, down] = [0, 1].map(|axis| {
            let count = cells.counts[axis];
            if self.exceeds_period(axis, count) { self.count[axis] as u64 } else { count }
        });
        for row in 0..down {
            for column in 0..across {
                self.for_each_at(cells.at([column, row]), |_, here| visit(here));
            }
        }
    }

    /// Begins to bring cells into the cache.
    pub(super) fn prefetch(&self, cells: &CellRange) {
        for row in 0..cells.counts[1] {
            for column in 0..cells.counts[0] {
                // What is beyond the table would have to be read for.
                let [x, y] = cells.at([column, row]);
                self.cells[self.place([self.wrapped(0, x), self.wrapped(1, y)])].prefetch();
            }
        }
    }

    /// Calls `see` with the members of cells whose circles may overlap one that reaches no further than the
    /// cells, for each image of it once.
    #[inline(always)]
    pub(super) fn overlapping(&self, circle: Circle, cells: &CellRange, see: impl FnMut(Slot)) {
        let reach = circle.radius * self.units;
        // No centre is further than this, along an axis, from that of a circle that it overlaps.
        if reach + self.widest * self.units < f64::from(SIDE) - 2.0 * Spot::MARGIN && !cells.are_far_out() {
            let radius = (reach + Spot::MARGIN) as i16;
            let test = |here: &Cell, x: f64, y: f64| {
                here.overlapping_near(&Spot { center: [x as i16, y as i16], radius })
            };
            return self.test_all(circle.center, cells, test, see);
        }
        self.overlapping_far(circle, cells, see);
    }

    /// The same for a circle of any size, which whole numbers of 16 bits do not hold.
    #[cold]
    #[inline(never)]
    fn overlapping_far(&self, circle: Circle, cells: &CellRange, see: impl FnMut(Slot)) {
        let radius = (circle.radius * self.units + Spot::MARGIN) as f32 * (1.0 + SINGLE_ROUNDING);
        let test =
            |here: &Cell, x: f64, y: f64| here.overlapping(&Window { x: x as f32, y: y as f32, radius });
        self.test_all(circle.center, cells, test, see);
    }

    /// Calls `see` with the members of cells that pass a test, which gets the cell and the coordinates of a
    /// place from its corner, in units, and gives a bit for each member.
    #[inline(always)]
    fn test_all(
        &self,
        place: DVec2,
        cells: &CellRange,
        test: impl Fn(&Cell, f64, f64) -> u32,
        mut see: impl FnMut(Slot),
    ) {
        let (from_x, step_x) = self.seen_from(0, place.x, cells.first[0], cells.counts[0]);
        let (from_y, step_y) = self.seen_from(1, place.y, cells.first[1], cells.counts[1]);
        let mut batch = Batch::default();
        for row in 0..cells.counts[1] {
            let y = from_y - row as f64 * step_y;
            for column in 0..cells.counts[0] {
                let x = from_x - column as f64 * step_x;
                self.test_at(cells.at([column, row]), &mut batch, |here| test(here, x, y), &mut see);
            }
        }
        batch.flush(&self.cells, see);
    }

    /// Calls `visit` with the cells at a place of the plane, and where they are.
    #[inline(always)]
    fn for_each_at(&self, [x, y]: [i64; 2], mut visit: impl FnMut(usize, &Cell)) {
        let cell = [self.wrapped(0, x), self.wrapped(1, y)];
        let mut place = self.place(cell);
        loop {
            let here = &self.cells[place];
            if self.is_cell(place, cell) {
                visit(place, here);
            }
            if here.next == NO_CELL {
                return;
            }
            place = here.next as usize;
        }
    }

    /// Tests the cells at a place for members with `test`, which gives a bit for each, and adds these to a
    /// batch.
    #[inline(always)]
    pub(super) fn test_at(
        &self,
        cell: [i64; 2],
        batch: &mut Batch,
        test: impl Fn(&Cell) -> u32,
        mut see: impl FnMut(Slot),
    ) {
        self.for_each_at(cell, |place, here| {
            if batch.add(place, test(here)) {
                batch.flush(&self.cells, &mut see);
            }
        });
    }
}

impl CellRange {
    /// One of the cells. Numbers of cells far out are brought to the largest one.
    #[inline(always)]
    fn at(&self, [column, row]: [u64; 2]) -> [i64; 2] {
        [self.first[0].saturating_add(column as i64), self.first[1].saturating_add(row as i64)]
    }

    /// Whether numbers of cells do not tell one from the next.
    #[inline(always)]
    fn are_far_out(&self) -> bool {
        self.first[0].unsigned_abs().max(self.first[1].unsigned_abs()) >= FAR_OUT / 2
    }
}

/// Members of up to four cells, to be looked at in one loop: a branch on the number of those of each would be
/// mispredicted.
#[derive(Default)]
pub(super) struct Batch {
    bits: u64,
    places: [usize; 4],
    count: usize,
}

/// Bits that a batch has for each of its cells: the members of one, and a few that stay 0.
const BITS_A_CELL: usize = 16;

impl Batch {
    /// Whether it is full then.
    #[inline(always)]
    fn add(&mut self, place: usize, bits: u32) -> bool {
        self.bits |= u64::from(bits) << (BITS_A_CELL * self.count);
        self.places[self.count] = place;
        self.count += 1;
        self.count == self.places.len()
    }

    #[inline(always)]
    pub(super) fn flush(&mut self, cells: &[Cell], mut see: impl FnMut(Slot)) {
        for bit in Bits(self.bits) {
            see(cells[self.places[bit / BITS_A_CELL]].slot(bit % BITS_A_CELL));
        }
        (self.bits, self.count) = (0, 0);
    }
}
