use super::neighbourhood::{HELD_ELSEWHERE, MOST_HELD, Neighbourhood, places_of};
use crate::memory::make_room;
use crate::{Bits, Slot, prefetch, reserve_huge_pages};
use alloc::vec::Vec;

/// Free places that a long list is given when it is full, beside a quarter of its length. Many lists are a
/// little too long for a neighbourhood, and few much: doubling them would waste memory.
const FREE_PLACES: usize = 4;

/// The neighbourhoods of all slots, with their lists of neighbours.
#[derive(Debug, Default)]
pub(crate) struct NeighbourLists {
    lists: Vec<Neighbourhood>,
    /// Lists that are too long for a neighbourhood, which has the index as its first slot.
    long: Vec<Vec<Slot>>,
    /// Free places among these.
    free: Vec<u32>,
    /// Scratch: long lists as they were and as they become, sorted.
    before: Vec<Slot>,
    sorted: Vec<Slot>,
}

impl Clone for NeighbourLists {
    fn clone(&self) -> Self {
        let (lists, long, free) = (self.lists.clone(), self.long.clone(), self.free.clone());
        NeighbourLists { lists, long, free, ..NeighbourLists::default() }
    }

    /// Keeps its memory, also that of long lists beyond those of `source`: they are free places.
    fn clone_from(&mut self, source: &Self) {
        self.lists.clone_from(&source.lists);
        let common = self.long.len().min(source.long.len());
        let (first, rest) = source.long.split_at(common);
        self.long[..common].clone_from_slice(first);
        self.long[common..].iter_mut().for_each(Vec::clear);
        self.long.extend_from_slice(rest);
        self.free.clear();
        self.free.extend(source.long.len() as u32..self.long.len() as u32);
        self.free.extend_from_slice(&source.free);
    }
}

impl NeighbourLists {
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    pub(crate) fn reserve(&mut self, len: usize) {
        reserve_huge_pages(&mut self.lists, len);
    }

    pub(crate) fn grow_to(&mut self, len: usize) {
        make_room(&mut self.lists, len);
        let added = self.lists.len()..len;
        self.lists.extend(added.map(|slot| Neighbourhood::empty(slot as Slot)));
    }

    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> &Neighbourhood {
        &self.lists[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, slot: Slot) -> &mut Neighbourhood {
        &mut self.lists[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn neighbours(&self, slot: Slot) -> &[Slot] {
        let neighbourhood = &self.lists[slot as usize];
        if neighbourhood.count == HELD_ELSEWHERE {
            &self.long[neighbourhood.slots[0] as usize]
        } else {
            &neighbourhood.slots[..neighbourhood.count as usize]
        }
    }

    /// The neighbours, filled up with the neighbourhood's own slot, mostly to eight: a branch on their number
    /// would be mispredicted.
    #[inline(always)]
    pub(crate) fn filled_up(&self, slot: Slot) -> &[Slot] {
        let neighbourhood = &self.lists[slot as usize];
        match neighbourhood.count {
            HELD_ELSEWHERE => &self.long[neighbourhood.slots[0] as usize],
            0 => &[],
            1..=8 => &neighbourhood.slots[..8],
            _ => &neighbourhood.slots,
        }
    }

    /// Begins to bring a neighbourhood into the cache, if it is one.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: Slot) {
        prefetch(&self.lists, slot as usize);
    }

    /// The neighbours that a neighbourhood holds itself, filled up with its own slot; if it is one, and all
    /// are held there.
    #[inline(always)]
    pub(crate) fn all_held(&self, slot: Slot) -> Option<&[Slot; MOST_HELD]> {
        self.lists
            .get(slot as usize)
            .filter(|neighbourhood| neighbourhood.count != HELD_ELSEWHERE)
            .map(|neighbourhood| &neighbourhood.slots)
    }

    #[cfg(test)]
    fn are_neighbours(&self, a: Slot, b: Slot) -> bool {
        let (of_a, of_b) = (self.neighbours(a), self.neighbours(b));
        if of_a.len() <= of_b.len() { of_a.contains(&b) } else { of_b.contains(&a) }
    }

    /// Makes two that are not neighbours neighbours.
    pub(crate) fn pair_up(&mut self, a: Slot, b: Slot) {
        self.append(a, b);
        self.append(b, a);
    }

    /// Removes two discs from each other's lists.
    pub(crate) fn unpair(&mut self, a: Slot, b: Slot) {
        self.delete(a, b);
        self.delete(b, a);
    }

    /// Gives a neighbourhood these neighbours, none twice, and those it has no more, and names those that
    /// it did not have before.
    pub(crate) fn set_neighbours(&mut self, slot: Slot, found: &[Slot], added: &mut Vec<Slot>) {
        let neighbourhood = &self.lists[slot as usize];
        if neighbourhood.count == HELD_ELSEWHERE || found.len() > MOST_HELD {
            return self.set_many_neighbours(slot, found, added);
        }
        let (before, held_before) = (neighbourhood.slots, neighbourhood.held());
        // Without a branch on whether it was a neighbour before, which would be mispredicted.
        let (mut kept, mut few, mut count) = (0, [0; MOST_HELD], 0);
        for &other in found {
            let place = places_of(other, &before) & held_before;
            kept |= place;
            few[count] = other;
            count += usize::from(place == 0);
        }
        added.extend_from_slice(&few[..count]);
        for gone in Bits((held_before & !kept).into()) {
            self.delete(before[gone], slot);
        }
        for &other in &*added {
            self.append(other, slot);
        }
        let neighbourhood = &mut self.lists[slot as usize];
        neighbourhood.slots = [slot; MOST_HELD];
        neighbourhood.slots[..found.len()].copy_from_slice(found);
        neighbourhood.count = found.len() as u8;
    }

    fn set_many_neighbours(&mut self, slot: Slot, found: &[Slot], added: &mut Vec<Slot>) {
        let (mut before, mut sorted) = (core::mem::take(&mut self.before), core::mem::take(&mut self.sorted));
        before.clear();
        before.extend_from_slice(self.neighbours(slot));
        sorted.clear();
        sorted.extend_from_slice(found);
        sorted.sort_unstable();
        for &gone in before.iter().filter(|before| sorted.binary_search(before).is_err()) {
            self.unpair(slot, gone);
        }
        before.sort_unstable();
        added.extend(found.iter().filter(|found| before.binary_search(found).is_err()));
        (self.before, self.sorted) = (before, sorted);
        for &other in &*added {
            self.pair_up(slot, other);
        }
    }

    fn append(&mut self, to: Slot, slot: Slot) {
        let neighbourhood = &mut self.lists[to as usize];
        match neighbourhood.count as usize {
            count if count < MOST_HELD => {
                neighbourhood.slots[count] = slot;
                neighbourhood.count += 1;
            }
            MOST_HELD => {
                let place = self.free.pop().unwrap_or_else(|| {
                    self.long.push(Vec::new());
                    self.long.len() as u32 - 1
                });
                let list = &mut self.long[place as usize];
                list.reserve_exact(MOST_HELD + FREE_PLACES);
                list.extend_from_slice(&neighbourhood.slots);
                list.push(slot);
                (neighbourhood.slots[0], neighbourhood.count) = (place, HELD_ELSEWHERE);
            }
            _ => {
                let list = &mut self.long[neighbourhood.slots[0] as usize];
                if list.len() == list.capacity() {
                    list.reserve_exact(list.len() / 4 + FREE_PLACES);
                }
                list.push(slot);
            }
        }
    }

    fn delete(&mut self, of: Slot, slot: Slot) {
        let neighbourhood = &mut self.lists[of as usize];
        if neighbourhood.count != HELD_ELSEWHERE {
            let at = (places_of(slot, &neighbourhood.slots) & neighbourhood.held()).trailing_zeros() as usize;
            if at < MOST_HELD {
                let last = neighbourhood.count as usize - 1;
                neighbourhood.slots[at] = neighbourhood.slots[last];
                neighbourhood.slots[last] = of;
                neighbourhood.count -= 1;
            }
            return;
        }
        let place = neighbourhood.slots[0];
        let list = &mut self.long[place as usize];
        if let Some(at) = list.iter().position(|&other| other == slot) {
            list.swap_remove(at);
        }
        // Not at the first opportunity, or a list at the limit would go to and fro.
        if list.len() <= MOST_HELD - 2 {
            neighbourhood.count = list.len() as u8;
            neighbourhood.slots = [of; MOST_HELD];
            neighbourhood.slots[..list.len()].copy_from_slice(list);
            list.clear();
            self.free.push(place);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let lists: usize = self.long.iter().map(|list| size_of::<Slot>() * list.capacity()).sum();
        size_of::<Neighbourhood>() * self.lists.capacity()
            + size_of::<Vec<Slot>>() * self.long.capacity()
            + lists
            + 4 * self.free.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_testkit::rng::Rng;

    /// A slot's list is what the matrix says, filled up with itself.
    fn assert_list(lists: &NeighbourLists, slot: Slot, row: &[bool]) {
        let mut list = lists.neighbours(slot).to_vec();
        list.sort_unstable();
        let expected = (0..).zip(row).filter(|(_, is_near)| **is_near).map(|(other, _)| other);
        assert!(list.iter().copied().eq(expected));
        let filled_up = lists.filled_up(slot);
        assert!(filled_up.starts_with(lists.neighbours(slot)));
        assert!(filled_up[list.len()..].iter().all(|&other| other == slot));
    }

    /// Against the obvious: a matrix of neighbours.
    #[test]
    fn lists_are_symmetric_at_any_length() {
        const N: usize = 24;
        let mut lists = NeighbourLists::default();
        lists.grow_to(N);
        let mut matrix = [[false; N]; N];
        let mut rng = Rng::new(1);
        for _ in 0..20_000 {
            let (a, b) = (rng.below(N), rng.below(N));
            if a == b {
                continue;
            }
            let joined = matrix[a][b];
            assert_eq!(lists.are_neighbours(a as Slot, b as Slot), joined);
            if joined {
                lists.unpair(a as Slot, b as Slot);
            } else {
                lists.pair_up(a as Slot, b as Slot);
            }
            (matrix[a][b], matrix[b][a]) = (!joined, !joined);
            for slot in [a, b] {
                assert_list(&lists, slot as Slot, &matrix[slot]);
            }
        }
    }

    /// Against the same matrix: lists that are given as a whole, of none to all.
    #[test]
    fn lists_given_as_a_whole_are_symmetric() {
        const N: usize = 24;
        let mut lists = NeighbourLists::default();
        lists.grow_to(N);
        let mut matrix = [[false; N]; N];
        let mut rng = Rng::new(7);
        for _ in 0..5_000 {
            let (a, share) = (rng.below(N), rng.below(9));
            let found: Vec<Slot> =
                (0..N).filter(|&b| b != a && rng.below(8) < share).map(|b| b as Slot).collect();
            let mut added = Vec::new();
            lists.set_neighbours(a as Slot, &found, &mut added);
            for b in (0..N).filter(|&b| b != a) {
                let is_found = found.contains(&(b as Slot));
                assert_eq!(added.contains(&(b as Slot)), is_found && !matrix[a][b]);
                (matrix[a][b], matrix[b][a]) = (is_found, is_found);
            }
            for (slot, row) in (0..).zip(&matrix) {
                assert_list(&lists, slot, row);
            }
        }
    }
}
