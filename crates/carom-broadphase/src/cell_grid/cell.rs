use crate::{Bits, Slot, prefetch};
use alloc::vec::Vec;

/// Members that a cell has room for.
pub(crate) const ROOM: usize = 12;
/// No further cell.
pub(crate) const NONE: u32 = u32::MAX;

/// The circles whose centres are in a cell, as far as there is room, in two cache lines: what tells which
/// of them may overlap another one.
///
/// The numbers are whole multiples of the level's [`unit`](super::cell_table): centres from the cell's
/// lower left corner, rounded, and radii.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub(crate) struct Cell {
    x: [u16; ROOM],
    y: [u16; ROOM],
    radius: [u16; ROOM],
    slots: [Slot; ROOM],
    /// Where there are more, or those of another cell at the same place of the table.
    pub(crate) next: u32,
    count: u32,
}

/// A circle in the units of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) x: u16,
    pub(crate) y: u16,
    pub(crate) radius: u16,
}

/// A circle that others are sought about, from the corner of the cell in which they are sought, in the
/// level's units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Window {
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// With room for what rounding made of all numbers.
    pub(crate) radius: f32,
}

/// A line with a width, from the corner of a cell, in the level's units.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Line {
    /// Its unit normal.
    pub(crate) x: f32,
    pub(crate) y: f32,
    /// The height of the corner above it.
    pub(crate) offset: f32,
    /// How far from it something may be, and its own radius more.
    pub(crate) reach: f32,
}

impl Cell {
    pub(crate) const EMPTY: Cell = Cell {
        x: [0; ROOM],
        y: [0; ROOM],
        radius: [0; ROOM],
        slots: [Slot::MAX; ROOM],
        next: NONE,
        count: 0,
    };

    #[inline(always)]
    pub(crate) fn members(&self) -> &[Slot] {
        self.slots.get(..self.count as usize).unwrap_or_default()
    }

    /// Begins to bring it into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.x, 0);
        // In the other one of its lines.
        prefetch(&self.slots, ROOM - 1);
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bits of the members whose circles may overlap: never missing if they do.
    #[inline(always)]
    pub(crate) fn overlapping(&self, window: &Window) -> u32 {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        let bits = sse2::overlapping(self, window);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        let bits = self.overlapping_one_by_one(window);
        bits & ((1 << self.count) - 1)
    }

    /// As `overlapping`, of a line.
    #[inline]
    pub(crate) fn near_line(&self, line: Line) -> u32 {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        let bits = sse2::near_line(self, line);
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        let bits = self.near_line_one_by_one(line);
        bits & ((1 << self.count) - 1)
    }

    /// As `near_line`, of all places: also of those that are not taken.
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "sse2"), cfg(test))]
    fn near_line_one_by_one(&self, line: Line) -> u32 {
        (0..ROOM).fold(0, |bits, place| {
            let height = line.x * f32::from(self.x[place]) + line.y * f32::from(self.y[place]) + line.offset;
            // What is too far out for single precision may overlap.
            let misses = height.abs() > f32::from(self.radius[place]) + line.reach;
            bits | u32::from(!misses) << place
        })
    }

    /// Adds the members whose circles may overlap to those found.
    #[inline(always)]
    pub(crate) fn name(&self, window: &Window, found: &mut Vec<Slot>) {
        let bits = self.overlapping(window);
        found.extend(Bits(bits.into()).map(|place| self.slots[place % ROOM]));
    }

    /// As `overlapping`, of all places: also of those that are not taken.
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "sse2"), cfg(test))]
    fn overlapping_one_by_one(&self, window: &Window) -> u32 {
        (0..ROOM).fold(0, |bits, place| {
            let dx = f32::from(self.x[place]) - window.x;
            let dy = f32::from(self.y[place]) - window.y;
            let radius = f32::from(self.radius[place]) + window.radius;
            // What is too far out for single precision may overlap.
            let misses = dx * dx + dy * dy > radius * radius;
            bits | u32::from(!misses) << place
        })
    }

    #[inline(always)]
    fn place_of(&self, slot: Slot) -> Option<usize> {
        // All places, without a branch.
        let same = self.slots.iter().zip(0..).fold(0, |bits, (&one, l)| bits | u32::from(one == slot) << l);
        let place = (same & ((1 << self.count) - 1)).trailing_zeros() as usize;
        (place < ROOM).then_some(place)
    }

    /// Takes a member in; `false` if there is no room.
    pub(crate) fn add(&mut self, slot: Slot, spot: Spot) -> bool {
        let place = self.count as usize;
        if place >= ROOM {
            return false;
        }
        self.slots[place] = slot;
        self.put(place, spot);
        self.count += 1;
        true
    }

    /// Gives a member another circle; `false` if it is none.
    pub(crate) fn set(&mut self, slot: Slot, spot: Spot) -> bool {
        let place = self.place_of(slot);
        if let Some(place) = place {
            self.put(place, spot);
        }
        place.is_some()
    }

    /// Lets a member go; `false` if it is none.
    pub(crate) fn remove(&mut self, slot: Slot) -> bool {
        let Some(place) = self.place_of(slot) else { return false };
        let last = self.count as usize - 1;
        self.slots[place] = self.slots[last];
        self.put(place, Spot { x: self.x[last], y: self.y[last], radius: self.radius[last] });
        self.count -= 1;
        true
    }

    fn put(&mut self, place: usize, Spot { x, y, radius }: Spot) {
        (self.x[place], self.y[place], self.radius[place]) = (x, y, radius);
    }
}

/// Bits for the members of a cell.
const BITS: usize = 16;

/// As [`Cell::name`], for cells side by side, from each of which the window is `step` nearer than from the
/// one before; cells with other keys than those from this one on are left out, if there are keys. Returns
/// whether one of them continues beyond the table.
// A call: where it is asked for, much else is in the registers.
#[inline(never)]
pub(crate) fn name_all(
    cells: &[Cell],
    keys: &[[i64; 2]],
    [mut x, y]: [i64; 2],
    window: Window,
    step: f32,
    found: &mut Vec<Slot>,
) -> bool {
    let (mut window, mut keys, mut is_end) = (window, keys.iter(), true);
    for four in cells.chunks(4) {
        // The members of four in one loop: a branch on their number would be mispredicted.
        let (mut bits, mut at) = (0, 0);
        for here in four {
            let is_it = keys.next().is_none_or(|key| *key == [x, y]);
            bits |= if is_it { u64::from(here.overlapping(&window)) << at } else { 0 };
            is_end &= here.next == NONE;
            window.x -= step;
            // Numbers of cells far out are brought to the largest one.
            x = x.saturating_add(1);
            at += BITS;
        }
        found.extend(Bits(bits).map(|bit| four[bit / BITS].slots[bit % BITS]));
    }
    !is_end
}

/// Four at a time, with what every processor of this kind has.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    #![allow(unsafe_code, reason = "loads of four numbers at once")]

    use super::{Cell, Line, ROOM, Window};
    use core::arch::x86_64::*;

    const FOUR: usize = 4;

    #[inline(always)]
    fn widened(numbers: &[u16; ROOM], at: usize) -> __m128 {
        let four = &numbers[at..at + FOUR];
        // SAFETY: they are four, of two bytes each; the instructions are there, as the condition of this
        // module says.
        unsafe {
            let packed = _mm_loadl_epi64(four.as_ptr().cast());
            _mm_cvtepi32_ps(_mm_unpacklo_epi16(packed, _mm_setzero_si128()))
        }
    }

    #[inline(always)]
    pub(super) fn overlapping(cell: &Cell, window: &Window) -> u32 {
        let mut bits = 0;
        for at in (0..ROOM).step_by(FOUR) {
            let [x, y, radius] = [&cell.x, &cell.y, &cell.radius].map(|numbers| widened(numbers, at));
            // SAFETY: registers only; the instructions are there, as the condition of this module says.
            let is_not_less = unsafe {
                let dx = _mm_sub_ps(x, _mm_set1_ps(window.x));
                let dy = _mm_sub_ps(y, _mm_set1_ps(window.y));
                let radius = _mm_add_ps(radius, _mm_set1_ps(window.radius));
                let distance2 = _mm_add_ps(_mm_mul_ps(dx, dx), _mm_mul_ps(dy, dy));
                _mm_movemask_ps(_mm_cmpnlt_ps(_mm_mul_ps(radius, radius), distance2))
            };
            bits |= (is_not_less as u32) << at;
        }
        bits
    }

    #[inline(always)]
    pub(super) fn near_line(cell: &Cell, line: Line) -> u32 {
        let mut bits = 0;
        for at in (0..ROOM).step_by(FOUR) {
            let [x, y, radius] = [&cell.x, &cell.y, &cell.radius].map(|numbers| widened(numbers, at));
            // SAFETY: registers only; the instructions are there, as the condition of this module says.
            let is_not_more = unsafe {
                let across =
                    _mm_add_ps(_mm_mul_ps(x, _mm_set1_ps(line.x)), _mm_mul_ps(y, _mm_set1_ps(line.y)));
                let height = _mm_andnot_ps(_mm_set1_ps(-0.0), _mm_add_ps(across, _mm_set1_ps(line.offset)));
                let reach = _mm_add_ps(radius, _mm_set1_ps(line.reach));
                _mm_movemask_ps(_mm_cmpngt_ps(height, reach))
            };
            bits |= (is_not_more as u32) << at;
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_two_cache_lines() {
        assert_eq!((size_of::<Cell>(), align_of::<Cell>()), (128, 128));
    }

    #[test]
    fn members_come_and_go() {
        let mut cell = Cell::EMPTY;
        let spot = |k: u16| Spot { x: 100 * k, y: 50_000 - 100 * k, radius: 30 };
        for slot in 0..ROOM as Slot {
            assert!(cell.add(slot, spot(slot as u16)));
        }
        assert!(!cell.add(99, spot(0)) && !cell.remove(99) && !cell.set(99, spot(0)));
        assert!(cell.remove(3) && !cell.remove(3) && cell.remove(ROOM as Slot - 1));
        assert_eq!(cell.members().len(), ROOM - 2);
        // Squares of circles of 30 at distances of 100 √2 along a diagonal: a window at slot 5, reaching
        // 112 or a little less.
        let [x, y] = [500.0, 49_500.0];
        let found = |cell: &Cell, radius| {
            let bits = cell.overlapping(&Window { x, y, radius });
            let mut found: Vec<Slot> =
                (0..ROOM).filter(|l| bits >> l & 1 == 1).map(|l| cell.members()[l]).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(found(&cell, 111.0), [5]);
        assert_eq!(found(&cell, 112.0), [4, 5, 6]);
        for (x, y, radius) in [(-4.0, 49_000.0, 700.5), (0.0, 0.0, f32::INFINITY), (1e30, -1e30, 1e20)] {
            let window = Window { x, y, radius };
            let all = (1 << cell.members().len()) - 1;
            assert_eq!(cell.overlapping(&window), cell.overlapping_one_by_one(&window) & all);
        }
        // The diagonal on which all centres are, moved across by so much.
        for (offset, all) in [(0.0, true), (29.0, true), (31.0, false), (f32::NAN, true), (1e30, false)] {
            let half = 0.5_f32.sqrt();
            let line = Line { x: half, y: half, offset: offset - 50_000.0 * half, reach: 0.5 };
            let members = (1 << cell.members().len()) - 1;
            assert_eq!(cell.near_line(line), if all { members } else { 0 });
            assert_eq!(cell.near_line(line), cell.near_line_one_by_one(line) & members);
        }
        assert!(cell.set(6, Spot { radius: 0, ..spot(6) }));
        assert_eq!(found(&cell, 112.0), [4, 5]);
    }
}
