use crate::{Bits, Circle, Slot, make_room, prefetch};
use alloc::vec::Vec;
use carom_math::DVec2;

/// Neighbours that a site holds itself; more are kept elsewhere.
const INLINE: usize = 10;
/// What the grid knows of a disc, in one cache line: a circle that it stays in until the grid is told, and the discs whose
/// circles overlap that.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Site {
    x: f64,
    y: f64,
    /// Radius of the circle.
    pub(crate) reach: f32,
    /// Number of neighbours held here, or `LONG`.
    count: u8,
    /// Level of its cell, [`Site::NOWHERE`] if it is not placed.
    pub(crate) level: u8,
    /// The neighbours, and then the site's own slot.
    slots: [Slot; INLINE],
}

const LONG: u8 = u8::MAX;
/// Room that is made for more in a list that is full.
const ROOM: usize = 4;

impl Site {
    /// Level of a slot that is not placed.
    pub(crate) const NOWHERE: u8 = u8::MAX;
    /// Level of those that are everybody's neighbours.
    pub(crate) const EVERYWHERE: u8 = u8::MAX - 1;

    fn empty(slot: Slot) -> Site {
        Site { x: 0.0, y: 0.0, reach: 0.0, count: 0, level: Site::NOWHERE, slots: [slot; INLINE] }
    }

    #[inline(always)]
    pub(crate) fn center(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }

    /// Its circle.
    #[inline(always)]
    pub(crate) fn circle(&self) -> Circle {
        Circle { center: self.center(), radius: f64::from(self.reach) }
    }

    pub(crate) fn set_center(&mut self, center: DVec2) {
        (self.x, self.y) = (center.x, center.y);
    }

    /// A bit for each place of a neighbour that it holds itself.
    #[inline(always)]
    fn held(&self) -> u32 {
        (1 << self.count) - 1
    }

    #[inline(always)]
    pub(crate) fn is_placed(&self) -> bool {
        self.level != Site::NOWHERE
    }
}

/// A bit for each place where a slot is.
#[inline(always)]
fn places_of(slot: Slot, slots: &[Slot; INLINE]) -> u32 {
    slots.iter().zip(0..).fold(0, |bits, (&one, l)| bits | u32::from(one == slot) << l)
}

/// The sites of all slots, with their lists of neighbours.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sites {
    sites: Vec<Site>,
    /// Lists that are too long for a site, which has the index as its first slot.
    long: Vec<Vec<Slot>>,
    /// Free places among these.
    free: Vec<u32>,
}

impl Sites {
    pub(crate) fn len(&self) -> usize {
        self.sites.len()
    }

    pub(crate) fn reserve(&mut self, len: usize) {
        make_room(&mut self.sites, len);
    }

    pub(crate) fn grow_to(&mut self, len: usize) {
        if len > self.sites.capacity() {
            self.reserve(len.max(2 * self.sites.len()));
        }
        let fresh = self.sites.len()..len;
        self.sites.extend(fresh.map(|slot| Site::empty(slot as Slot)));
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> &Site {
        &self.sites[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, slot: Slot) -> &mut Site {
        &mut self.sites[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn neighbours(&self, slot: Slot) -> &[Slot] {
        let site = &self.sites[slot as usize];
        if site.count == LONG {
            &self.long[site.slots[0] as usize]
        } else {
            &site.slots[..site.count as usize]
        }
    }

    /// As `neighbours`, filled up with the site's own slot, mostly to eight: how many there are cannot be foretold.
    #[inline(always)]
    pub(crate) fn filled_up(&self, slot: Slot) -> &[Slot] {
        let site = &self.sites[slot as usize];
        match site.count {
            LONG => &self.long[site.slots[0] as usize],
            0 => &[],
            1..=8 => &site.slots[..8],
            _ => &site.slots,
        }
    }

    /// Begins to bring a site into the cache, if it is one.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: Slot) {
        prefetch(&self.sites, slot as usize);
    }

    /// The neighbours that a site holds itself, filled up with its own slot; if it is one, and all are held there.
    #[inline(always)]
    pub(crate) fn all_held(&self, slot: Slot) -> Option<&[Slot; INLINE]> {
        self.sites.get(slot as usize).filter(|site| site.count != LONG).map(|site| &site.slots)
    }

    #[cfg(test)]
    fn are_neighbours(&self, a: Slot, b: Slot) -> bool {
        let (of_a, of_b) = (self.neighbours(a), self.neighbours(b));
        if of_a.len() <= of_b.len() { of_a.contains(&b) } else { of_b.contains(&a) }
    }

    /// Makes two that are not neighbours neighbours.
    pub(crate) fn join(&mut self, a: Slot, b: Slot) {
        self.add(a, b);
        self.add(b, a);
    }

    /// Makes two neighbours strangers.
    pub(crate) fn part(&mut self, a: Slot, b: Slot) {
        self.forget(a, b);
        self.forget(b, a);
    }

    /// Gives a site these neighbours, none twice, and those it has no more, and names those that it did not have before.
    pub(crate) fn set_neighbours(&mut self, slot: Slot, found: &[Slot], fresh: &mut Vec<Slot>) {
        let site = &self.sites[slot as usize];
        if site.count == LONG || found.len() > INLINE {
            return self.set_many_neighbours(slot, found, fresh);
        }
        let (known, of_known) = (site.slots, site.held());
        // Without a branch for who is known: that cannot be foretold.
        let (mut kept, mut few, mut count) = (0, [0; INLINE], 0);
        for &other in found {
            let place = places_of(other, &known) & of_known;
            kept |= place;
            few[count] = other;
            count += usize::from(place == 0);
        }
        fresh.extend_from_slice(&few[..count]);
        for gone in Bits((of_known & !kept).into()) {
            self.forget(known[gone], slot);
        }
        for &other in &*fresh {
            self.add(other, slot);
        }
        let site = &mut self.sites[slot as usize];
        site.slots = [slot; INLINE];
        site.slots[..found.len()].copy_from_slice(found);
        site.count = found.len() as u8;
    }

    fn set_many_neighbours(&mut self, slot: Slot, found: &[Slot], fresh: &mut Vec<Slot>) {
        let known: Vec<Slot> = self.neighbours(slot).to_vec();
        for &gone in known.iter().filter(|known| !found.contains(known)) {
            self.part(slot, gone);
        }
        fresh.extend(found.iter().filter(|found| !known.contains(found)));
        for &other in &*fresh {
            self.join(slot, other);
        }
    }

    fn add(&mut self, to: Slot, slot: Slot) {
        let site = &mut self.sites[to as usize];
        match site.count as usize {
            count if count < INLINE => {
                site.slots[count] = slot;
                site.count += 1;
            }
            INLINE => {
                let place = self.free.pop().unwrap_or_else(|| {
                    self.long.push(Vec::new());
                    self.long.len() as u32 - 1
                });
                let list = &mut self.long[place as usize];
                list.reserve_exact(INLINE + ROOM);
                list.extend_from_slice(&site.slots);
                list.push(slot);
                (site.slots[0], site.count) = (place, LONG);
            }
            _ => {
                let list = &mut self.long[site.slots[0] as usize];
                // Many are a little longer, and few much.
                if list.len() == list.capacity() {
                    list.reserve_exact(list.len() / 4 + ROOM);
                }
                list.push(slot);
            }
        }
    }

    fn forget(&mut self, of: Slot, slot: Slot) {
        let site = &mut self.sites[of as usize];
        if site.count != LONG {
            let at = (places_of(slot, &site.slots) & site.held()).trailing_zeros() as usize;
            if at < INLINE {
                let last = site.count as usize - 1;
                site.slots[at] = site.slots[last];
                site.slots[last] = of;
                site.count -= 1;
            }
            return;
        }
        let place = site.slots[0];
        let list = &mut self.long[place as usize];
        if let Some(at) = list.iter().position(|&other| other == slot) {
            list.swap_remove(at);
        }
        // Not at the first opportunity, or a list at the limit would go to and fro.
        if list.len() <= INLINE - 2 {
            site.count = list.len() as u8;
            site.slots = [of; INLINE];
            site.slots[..list.len()].copy_from_slice(list);
            list.clear();
            self.free.push(place);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.long.iter().map(|list| size_of::<Slot>() * list.capacity()).sum();
        size_of::<Site>() * self.sites.capacity()
            + size_of::<Vec<Slot>>() * self.long.capacity()
            + lists
            + 4 * self.free.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_site_is_a_cache_line() {
        assert_eq!((size_of::<Site>(), align_of::<Site>()), (64, 64));
    }

    /// A slot's list is what the matrix says, filled up with itself.
    fn assert_list(sites: &Sites, slot: Slot, row: &[bool]) {
        let mut list = sites.neighbours(slot).to_vec();
        list.sort_unstable();
        let expected = (0..).zip(row).filter(|(_, is_near)| **is_near).map(|(other, _)| other);
        assert!(list.iter().copied().eq(expected));
        let filled_up = sites.filled_up(slot);
        assert!(filled_up.starts_with(sites.neighbours(slot)));
        assert!(filled_up[list.len()..].iter().all(|&other| other == slot));
    }

    /// Against the obvious: a matrix of who is whose neighbour.
    #[test]
    fn lists_are_symmetric_at_any_length() {
        const N: usize = 24;
        let mut sites = Sites::default();
        sites.grow_to(N);
        let mut matrix = [[false; N]; N];
        let mut state = 1u64;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (a, b) = ((state >> 33) as usize % N, (state >> 50) as usize % N);
            if a == b {
                continue;
            }
            let joined = matrix[a][b];
            assert_eq!(sites.are_neighbours(a as Slot, b as Slot), joined);
            if joined {
                sites.part(a as Slot, b as Slot);
            } else {
                sites.join(a as Slot, b as Slot);
            }
            (matrix[a][b], matrix[b][a]) = (!joined, !joined);
            for slot in [a, b] {
                assert_list(&sites, slot as Slot, &matrix[slot]);
            }
        }
    }

    /// Against the same matrix: lists that are given as a whole, of none to all.
    #[test]
    fn lists_given_as_a_whole_are_symmetric() {
        const N: usize = 24;
        let mut sites = Sites::default();
        sites.grow_to(N);
        let mut matrix = [[false; N]; N];
        let mut state = 7u64;
        for _ in 0..5_000 {
            let mut random = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 33) as usize
            };
            let (a, share) = (random() % N, random() % 9);
            let found: Vec<Slot> =
                (0..N).filter(|&b| b != a && random() % 8 < share).map(|b| b as Slot).collect();
            let mut fresh = Vec::new();
            sites.set_neighbours(a as Slot, &found, &mut fresh);
            for b in (0..N).filter(|&b| b != a) {
                let is_found = found.contains(&(b as Slot));
                assert_eq!(fresh.contains(&(b as Slot)), is_found && !matrix[a][b]);
                (matrix[a][b], matrix[b][a]) = (is_found, is_found);
            }
            for (slot, row) in (0..).zip(&matrix) {
                assert_list(&sites, slot, row);
            }
        }
    }
}
