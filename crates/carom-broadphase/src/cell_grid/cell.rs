use crate::{Slot, prefetch};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
use one_by_one as members;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
use sse2 as members;

/// Members that a cell has room for: they fill two cache lines, and three registers of four.
pub(crate) const MOST_MEMBERS: usize = 12;
/// No further cell.
pub(crate) const NO_CELL: u32 = u32::MAX;

/// The longer side of a cell in the units of its level.
///
/// Circles are rounded to units, so a larger number finds fewer that miss. With twice this one the
/// distances between points of cells side by side would overflow 16 bits, and the sums of their squares 32.
pub(crate) const SIDE: i16 = (1 << 14) - 1;

/// The circles whose centres are in a cell, as far as there is room, in two cache lines: what tells which
/// of them may overlap another one.
///
/// The numbers are whole multiples of the level's unit, at most [`SIDE`]: centres from the cell's lower left
/// corner, and radii, rounded down.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(128))]
pub(crate) struct Cell {
    centers: [[i16; 2]; MOST_MEMBERS],
    radii: [i16; MOST_MEMBERS],
    slots: [Slot; MOST_MEMBERS],
    /// Where there are more, or those of another cell at the same place of the table.
    pub(crate) next: u32,
    count: u32,
}

/// A circle in the units of a level, from the corner of a cell: of a member, or of one that is at most a side
/// of a cell away from members of this cell that it overlaps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spot {
    pub(crate) center: [i16; 2],
    pub(crate) radius: i16,
}

impl Spot {
    /// What is to be added to the radius of a circle about which others are sought, in units.
    ///
    /// Both centres are rounded by less than one unit along each axis, which moves them by less than √2, and
    /// both radii down by less than one: 2√2 + 2 < 5. Smaller, and circles that just overlap are overlooked.
    pub(crate) const MARGIN: f64 = 5.0;
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
        centers: [[0; 2]; MOST_MEMBERS],
        radii: [0; MOST_MEMBERS],
        slots: [Slot::MAX; MOST_MEMBERS],
        next: NO_CELL,
        count: 0,
    };

    #[inline(always)]
    pub(crate) fn members(&self) -> &[Slot] {
        self.slots.get(..self.count as usize).unwrap_or_default()
    }

    /// The member with a bit.
    #[inline(always)]
    pub(crate) fn slot(&self, bit: usize) -> Slot {
        self.slots[bit % MOST_MEMBERS]
    }

    /// Begins to bring it into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self) {
        prefetch(&self.centers, 0);
        // In the other one of its lines.
        prefetch(&self.slots, MOST_MEMBERS - 1);
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bits of the members whose circles may overlap: never missing if they do.
    #[inline(always)]
    pub(crate) fn overlapping(&self, window: &Window) -> u32 {
        members::overlapping(self, window) & self.taken()
    }

    /// The same for a circle that is near, in whole numbers of 16 bits: see [`Spot`].
    #[inline(always)]
    pub(crate) fn overlapping_near(&self, circle: &Spot) -> u32 {
        members::overlapping_near(self, circle) & self.taken()
    }

    /// A bit for each member.
    #[inline(always)]
    fn taken(&self) -> u32 {
        (1 << self.count) - 1
    }

    /// Bits of the members whose circles may touch a line with a width: never missing if they do.
    #[inline]
    pub(crate) fn near_line(&self, line: Line) -> u32 {
        members::near_line(self, line) & self.taken()
    }

    #[inline(always)]
    fn place_of(&self, slot: Slot) -> Option<usize> {
        // All places, without a branch.
        let same = self.slots.iter().zip(0..).fold(0, |bits, (&one, l)| bits | u32::from(one == slot) << l);
        let place = (same & self.taken()).trailing_zeros() as usize;
        (place < MOST_MEMBERS).then_some(place)
    }

    /// Takes a member in; `false` if there is no room.
    pub(crate) fn add(&mut self, slot: Slot, spot: Spot) -> bool {
        let place = self.count as usize;
        if place >= MOST_MEMBERS {
            return false;
        }
        self.slots[place] = slot;
        self.put(place, spot);
        self.count += 1;
        true
    }

    /// Gives a member another circle; `false` if the slot is no member.
    pub(crate) fn set(&mut self, slot: Slot, spot: Spot) -> bool {
        let place = self.place_of(slot);
        if let Some(place) = place {
            self.put(place, spot);
        }
        place.is_some()
    }

    /// Lets a member go; `false` if the slot is no member.
    pub(crate) fn remove(&mut self, slot: Slot) -> bool {
        let Some(place) = self.place_of(slot) else { return false };
        let last = self.count as usize - 1;
        self.slots[place] = self.slots[last];
        self.put(place, self.spot(last));
        self.count -= 1;
        true
    }

    /// Takes out the last member.
    pub(crate) fn take_last(&mut self) -> Option<(Slot, Spot)> {
        let last = (self.count as usize).checked_sub(1)?;
        self.count -= 1;
        Some((self.slots[last], self.spot(last)))
    }

    fn spot(&self, place: usize) -> Spot {
        Spot { center: self.centers[place], radius: self.radii[place] }
    }

    fn put(&mut self, place: usize, Spot { center, radius }: Spot) {
        (self.centers[place], self.radii[place]) = (center, radius);
    }
}

/// One after the other.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod one_by_one {
    use super::{Cell, Line, MOST_MEMBERS, Spot, Window};

    pub(super) fn near_line(cell: &Cell, line: Line) -> u32 {
        (0..MOST_MEMBERS).fold(0, |bits, place| {
            let [x, y] = cell.centers[place].map(f32::from);
            let height = line.x * x + line.y * y + line.offset;
            // What is too far out for single precision may overlap.
            let misses = height.abs() > f32::from(cell.radii[place]) + line.reach;
            bits | u32::from(!misses) << place
        })
    }

    pub(super) fn overlapping(cell: &Cell, window: &Window) -> u32 {
        (0..MOST_MEMBERS).fold(0, |bits, place| {
            let [x, y] = cell.centers[place].map(f32::from);
            let (dx, dy) = (x - window.x, y - window.y);
            let radius = f32::from(cell.radii[place]) + window.radius;
            // What is too far out for single precision may overlap.
            let misses = dx * dx + dy * dy > radius * radius;
            bits | u32::from(!misses) << place
        })
    }

    pub(super) fn overlapping_near(cell: &Cell, circle: &Spot) -> u32 {
        let [x, y] = circle.center.map(i32::from);
        (0..MOST_MEMBERS).fold(0, |bits, place| {
            let [dx, dy] = [i32::from(cell.centers[place][0]) - x, i32::from(cell.centers[place][1]) - y];
            let radius = i32::from(cell.radii[place]) + i32::from(circle.radius);
            bits | u32::from(dx * dx + dy * dy <= radius * radius) << place
        })
    }
}

/// Four at a time, with what every processor of this kind has.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    #![allow(unsafe_code, reason = "loads of four numbers at once")]

    use super::{Cell, Line, MOST_MEMBERS, Spot, Window};
    use core::arch::x86_64::*;

    const FOUR: usize = 4;

    /// The centres and radii of four members, each in 32 bits: of centres y above x.
    #[inline(always)]
    fn four(cell: &Cell, at: usize) -> [__m128i; 2] {
        let (centers, radii) = (&cell.centers[at..at + FOUR], &cell.radii[at..at + FOUR]);
        // SAFETY: they are four, of four and two bytes each; the instructions are there, as the condition of
        // this module says.
        unsafe {
            let radii = _mm_loadl_epi64(radii.as_ptr().cast());
            [_mm_loadu_si128(centers.as_ptr().cast()), _mm_unpacklo_epi16(radii, _mm_setzero_si128())]
        }
    }

    /// The same as numbers of single precision: x, y and radii, which are not negative.
    #[inline(always)]
    fn four_singles(cell: &Cell, at: usize) -> [__m128; 3] {
        let [centers, radii] = four(cell, at);
        // SAFETY: registers only; the instructions are there, as the condition of this module says.
        unsafe {
            let x = _mm_and_si128(centers, _mm_set1_epi32(0xffff));
            [x, _mm_srli_epi32(centers, 16), radii].map(|whole| _mm_cvtepi32_ps(whole))
        }
    }

    #[inline(always)]
    pub(super) fn overlapping(cell: &Cell, window: &Window) -> u32 {
        let mut bits = 0;
        for at in (0..MOST_MEMBERS).step_by(FOUR) {
            let [x, y, radius] = four_singles(cell, at);
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
    pub(super) fn overlapping_near(cell: &Cell, circle: &Spot) -> u32 {
        let [x, y] = circle.center;
        let mut misses = 0;
        for at in (0..MOST_MEMBERS).step_by(FOUR) {
            let [centers, radii] = four(cell, at);
            // SAFETY: registers only; the instructions are there, as the condition of this module says.
            let is_more = unsafe {
                let center = _mm_set1_epi32(i32::from(y) << 16 | i32::from(x) & 0xffff);
                let d = _mm_sub_epi16(centers, center);
                let reach = _mm_add_epi16(radii, _mm_set1_epi32(circle.radius.into()));
                // Sums of two products: the upper numbers of the radii are 0.
                let (distance2, reach2) = (_mm_madd_epi16(d, d), _mm_madd_epi16(reach, reach));
                _mm_movemask_ps(_mm_castsi128_ps(_mm_cmpgt_epi32(distance2, reach2)))
            };
            misses |= (is_more as u32) << at;
        }
        !misses
    }

    #[inline(always)]
    pub(super) fn near_line(cell: &Cell, line: Line) -> u32 {
        let mut bits = 0;
        for at in (0..MOST_MEMBERS).step_by(FOUR) {
            let [x, y, radius] = four_singles(cell, at);
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
        let spot = |k: i16| Spot { center: [100 * k, 10_000 - 100 * k], radius: 30 };
        for slot in 0..MOST_MEMBERS as Slot {
            assert!(cell.add(slot, spot(slot as i16)));
        }
        assert!(!cell.add(99, spot(0)) && !cell.remove(99) && !cell.set(99, spot(0)));
        assert!(cell.remove(3) && !cell.remove(3) && cell.remove(MOST_MEMBERS as Slot - 1));
        assert_eq!(cell.members().len(), MOST_MEMBERS - 2);
        // Squares of circles of 30 at distances of 100 √2 along a diagonal: a window at slot 5, reaching
        // 112 or a little less.
        let [x, y] = [500.0, 9_500.0];
        let found = |cell: &Cell, radius| {
            let bits = cell.overlapping(&Window { x, y, radius });
            let near = Spot { center: [x as i16, y as i16], radius: radius as i16 };
            assert_eq!(bits, cell.overlapping_near(&near));
            let mut found: Vec<Slot> =
                (0..MOST_MEMBERS).filter(|l| bits >> l & 1 == 1).map(|l| cell.members()[l]).collect();
            found.sort_unstable();
            found
        };
        assert_eq!(found(&cell, 111.0), [5]);
        assert_eq!(found(&cell, 112.0), [4, 5, 6]);
        for (x, y, radius) in [(-4.0, 9_000.0, 700.5), (0.0, 0.0, f32::INFINITY), (1e30, -1e30, 1e20)] {
            let window = Window { x, y, radius };
            let all = (1 << cell.members().len()) - 1;
            assert_eq!(cell.overlapping(&window), one_by_one::overlapping(&cell, &window) & all);
        }
        // The corners of all that a near circle may be.
        let side = SIDE;
        for center in [[-side, -side], [2 * side, -side], [2 * side, 2 * side], [500, 9_500]] {
            for radius in [0, 111, 112, 5_000, side] {
                let (near, all) = (Spot { center, radius }, (1 << cell.members().len()) - 1);
                assert_eq!(cell.overlapping_near(&near), one_by_one::overlapping_near(&cell, &near) & all);
            }
        }
        // The diagonal on which all centres are, moved across by the offset.
        for (offset, all) in [(0.0, true), (29.0, true), (31.0, false), (f32::NAN, true), (1e30, false)] {
            let half = 0.5_f32.sqrt();
            let line = Line { x: half, y: half, offset: offset - 10_000.0 * half, reach: 0.5 };
            let members = (1 << cell.members().len()) - 1;
            assert_eq!(cell.near_line(line), if all { members } else { 0 });
            assert_eq!(cell.near_line(line), one_by_one::near_line(&cell, line) & members);
        }
        assert!(cell.set(6, Spot { radius: 0, ..spot(6) }));
        assert_eq!(found(&cell, 112.0), [4, 5]);
    }
}
