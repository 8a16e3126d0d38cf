use super::column::Column;
use crate::walk::{fields, variants};
use carom_broadphase::Slot;
use core::cmp::Ordering;
use glam::DVec2;
use smallvec::SmallVec;

/// Impacts a disc after which a chain between closing bodies is made plastic.
const MOST_IMPACTS: u64 = 64;

/// Bodies that may close in on a chain: two jaws, or one and the walls of a corner.
const MOST_ENDS: usize = 8;

/// Discs that are caught between unstoppable bodies which close in on each other.
///
/// A chain begins where a disc is hit by an unstoppable body that moves, and takes in the discs that its
/// own have impacts with. It ends when one of them meets an unstoppable body that does not close in on it
/// with the others, or one of those bodies changes its velocity. Its impacts are counted: bodies that close
/// in without being stopped make them ever faster, 1/gap² of them a second where they are elastic, without
/// a bound. So after [`MOST_IMPACTS`] a disc they are made plastic.
///
/// Takes no memory where nothing unstoppable moves.
#[derive(Debug, Default)]
pub(crate) struct Chains {
    /// The number of the chain of each disc, from 1; 0 for none.
    of: Column<u32>,
    /// Those without members are free.
    chains: Vec<Chain>,
    free: Vec<usize>,
    scratch: Scratch,
    /// Scratch: ends in their order, and by discs.
    sorted: Vec<ChainEnd>,
    by_disc: Vec<(Slot, ChainEnd)>,
}

carom_broadphase::clone_fields!(Chains: of, chains, free; scratch scratch, sorted, by_disc);

/// Memory that is kept for the next group.
#[derive(Debug, Default)]
struct Scratch {
    /// The discs of a group, sorted; which of them are linked; by chains; and by links.
    discs: Vec<Slot>,
    linked: Linked,
    in_chains: Vec<(usize, usize)>,
    roots: Vec<(usize, Slot)>,
    /// Those of one set, and their ends.
    of_one: Vec<Slot>,
    ends: Vec<(Slot, ChainEnd)>,
    /// Lent out for the impacts of a group.
    pairs: Vec<(Slot, Slot)>,
    ends_of_group: Vec<(Slot, ChainEnd)>,
}

/// Discs that have had impacts only among themselves and with these bodies since the first of these.
#[derive(Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Chain {
    pub(crate) members: Vec<Slot>,
    /// Impacts of its members, each counted for each of them.
    pub(crate) impacts: u64,
    pub(crate) ends: Vec<ChainEnd>,
}

carom_broadphase::clone_fields!(Chain: members, impacts, ends);
fields!(Chain: members as Disc, impacts as Tally, ends);

/// An unstoppable body at a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct ChainEnd {
    pub(crate) body: EndBody,
    pub(crate) velocity: DVec2,
    /// Unit normal from the disc that it met first.
    pub(crate) normal: DVec2,
}

fields!(ChainEnd: body, velocity, normal);
variants!(EndBody: Disc(serial as Serial), Facet(facet as Facet));

/// Names an unstoppable body for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub(crate) enum EndBody {
    /// The disc with this serial number.
    Disc(u64),
    Facet(u32),
}

/// Discs that meet, and discs with the bodies that they do not stop.
type DiscPairs = Vec<(Slot, Slot)>;
type DiscEnds = Vec<(Slot, ChainEnd)>;

impl ChainEnd {
    /// An order of ends that does not depend on that of discs: of those of one body the first is kept.
    fn in_order(&self, other: &ChainEnd) -> Ordering {
        let normal = |a: f64, b: f64| a.total_cmp(&b);
        self.body
            .cmp(&other.body)
            .then(normal(self.normal.x, other.normal.x))
            .then(normal(self.normal.y, other.normal.y))
    }

    /// Whether two bodies close in on what is between them, or neither moves against the other.
    fn closes_with(&self, other: &ChainEnd) -> bool {
        let closing = self.velocity - other.velocity;
        closing == DVec2::ZERO || closing.dot(other.normal - self.normal) > 0.0
    }
}

impl Chains {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.chains.len() == self.free.len()
    }

    fn index_of(&self, slot: Slot) -> Option<usize> {
        (self.of.get(slot) as usize).checked_sub(1)
    }

    /// Whether the impacts of one of these discs are to be plastic.
    #[inline(always)]
    pub(crate) fn is_any_spent(&self, slots: [Slot; 2]) -> bool {
        !self.is_empty() && slots.into_iter().any(|slot| self.is_spent(slot))
    }

    #[cold]
    fn is_spent(&self, slot: Slot) -> bool {
        self.index_of(slot).is_some_and(|k| self.chains[k].is_spent())
    }

    /// Notes an impact of two discs, neither of which the other cannot stop.
    pub(crate) fn note_impact(&mut self, a: Slot, b: Slot) {
        self.note_linked(&[a, b], 1, &[]);
    }

    /// Notes an impact of a disc with a body that it does not stop.
    pub(crate) fn note_end(&mut self, slot: Slot, end: ChainEnd) {
        self.note_linked(&[slot], 0, &[(slot, end)]);
    }

    /// Two empty lists for [`Chains::note_group`], with the memory of those given back.
    pub(crate) fn take_lists(&mut self) -> (DiscPairs, DiscEnds) {
        (core::mem::take(&mut self.scratch.pairs), core::mem::take(&mut self.scratch.ends_of_group))
    }

    pub(crate) fn give_back(&mut self, mut pairs: DiscPairs, mut ends: DiscEnds) {
        pairs.clear();
        ends.clear();
        (self.scratch.pairs, self.scratch.ends_of_group) = (pairs, ends);
    }

    /// Notes the impacts of one instant, between discs and of discs with bodies that they do not stop, in any
    /// order: discs that these and their chains link are one chain after it, or none.
    pub(crate) fn note_group(&mut self, pairs: &[(Slot, Slot)], ends: &[(Slot, ChainEnd)]) {
        let mut scratch = core::mem::take(&mut self.scratch);
        let Scratch { discs, linked, in_chains, roots, of_one, ends: ends_of_one, .. } = &mut scratch;
        discs.clear();
        discs.extend(pairs.iter().flat_map(|&(a, b)| [a, b]));
        discs.extend(ends.iter().map(|&(slot, _)| slot));
        discs.sort_unstable();
        discs.dedup();
        linked.reset(discs.len());
        let place = |slot: Slot| discs.partition_point(|&other| other < slot);
        for &(a, b) in pairs {
            linked.link(place(a), place(b));
        }
        in_chains.clear();
        in_chains.extend((0..discs.len()).filter_map(|i| Some((self.index_of(discs[i])?, i))));
        in_chains.sort_unstable();
        for two in in_chains.windows(2).filter(|two| two[0].0 == two[1].0) {
            linked.link(two[0].1, two[1].1);
        }
        roots.clear();
        roots.extend((0..discs.len()).map(|i| (linked.root(i), discs[i])));
        roots.sort_unstable();
        for chunk in roots.chunk_by(|a, b| a.0 == b.0) {
            of_one.clear();
            of_one.extend(chunk.iter().map(|&(_, slot)| slot));
            let is_here = |slot: &Slot| of_one.binary_search(slot).is_ok();
            let impacts = pairs.iter().filter(|(a, _)| is_here(a)).count();
            ends_of_one.clear();
            ends_of_one.extend(ends.iter().filter(|(slot, _)| is_here(slot)).copied());
            self.note_linked(of_one, impacts as u64, ends_of_one);
        }
        self.scratch = scratch;
    }

    /// Notes impacts of linked discs: this many between them, and those with ends.
    fn note_linked(&mut self, discs: &[Slot], impacts: u64, ends: &[(Slot, ChainEnd)]) {
        let mut chains: SmallVec<[usize; 4]> = discs.iter().filter_map(|&slot| self.index_of(slot)).collect();
        chains.sort_unstable();
        chains.dedup();
        let Some(&kept) = chains.iter().max_by_key(|&&k| self.chains[k].members.len()) else {
            return self.begin(ends);
        };
        if !self.unite(&chains, kept) {
            return self.begin(ends);
        }
        self.sorted.clear();
        self.sorted.extend(ends.iter().map(|&(_, end)| end));
        self.sorted.sort_unstable_by(ChainEnd::in_order);
        if !self.chains[kept].takes(&self.sorted) {
            self.end(kept);
            return self.begin(ends);
        }
        self.chains[kept].impacts += 2 * impacts + ends.len() as u64;
        for &slot in discs {
            if self.index_of(slot).is_none() {
                self.join(kept, slot);
            }
        }
    }

    /// Begins a chain for each disc that is in none and has been hit by a body that moves.
    fn begin(&mut self, ends: &[(Slot, ChainEnd)]) {
        let mut by_disc = core::mem::take(&mut self.by_disc);
        by_disc.clear();
        by_disc.extend_from_slice(ends);
        by_disc.sort_unstable_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.in_order(&b.1)));
        for of_one in by_disc.chunk_by(|a, b| a.0 == b.0) {
            let slot = of_one[0].0;
            let ends: SmallVec<[ChainEnd; 8]> = of_one.iter().map(|&(_, end)| end).collect();
            if ends.iter().all(|end| end.velocity == DVec2::ZERO) {
                continue;
            }
            let k = self.new_chain();
            if self.chains[k].takes(&ends) {
                self.chains[k].impacts = ends.len() as u64;
                self.join(k, slot);
            } else {
                self.end(k);
            }
        }
        self.by_disc = by_disc;
    }

    /// Ends the chain of a disc, if it is in one.
    #[inline]
    pub(crate) fn dissolve(&mut self, slot: Slot) {
        if !self.is_empty()
            && let Some(k) = self.index_of(slot)
        {
            self.end(k);
        }
    }

    /// Ends all chains.
    pub(crate) fn clear(&mut self) {
        *self = Chains::default();
    }

    /// Adds a chain as it was.
    pub(crate) fn restore(&mut self, chain: Chain) {
        let k = self.new_chain();
        for &member in &chain.members {
            self.of.set(member, k as u32 + 1);
        }
        self.chains[k] = chain;
    }

    fn new_chain(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.chains.push(Chain::default());
            self.chains.len() - 1
        })
    }

    /// Its memory is kept for the next one.
    fn end(&mut self, k: usize) {
        let chain = &mut self.chains[k];
        for member in chain.members.drain(..) {
            self.of.set(member, 0);
        }
        chain.ends.clear();
        self.free.push(k);
    }

    /// The chains, in no order that means anything.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Chain> {
        self.chains.iter().filter(|chain| !chain.members.is_empty())
    }

    fn join(&mut self, k: usize, slot: Slot) {
        self.chains[k].members.push(slot);
        self.of.set(slot, k as u32 + 1);
    }

    /// Makes one chain of several, `kept` among them. False if their ends do not go together: then all end.
    fn unite(&mut self, chains: &[usize], kept: usize) -> bool {
        if chains.len() == 1 {
            return true;
        }
        let ends = chains.iter().flat_map(|&k| self.chains[k].ends.iter().copied());
        let mut ends: SmallVec<[ChainEnd; 16]> = ends.collect();
        ends.sort_unstable_by(ChainEnd::in_order);
        // Before the one that is kept takes ends that are new to it, which it would count anew for.
        let impacts = chains.iter().map(|&k| self.chains[k].impacts).sum();
        self.chains[kept].ends.clear();
        if !self.chains[kept].takes(&ends) {
            chains.iter().for_each(|&k| self.end(k));
            return false;
        }
        self.chains[kept].impacts = impacts;
        for &k in chains.iter().filter(|&&k| k != kept) {
            let mut members = core::mem::take(&mut self.chains[k].members);
            members.iter().for_each(|&slot| self.of.set(slot, kept as u32 + 1));
            self.chains[kept].members.append(&mut members);
            self.chains[k].members = members;
            self.end(k);
        }
        true
    }
}

/// Which of some discs are linked: disjoint sets, each with a root.
#[derive(Debug, Default)]
struct Linked(Vec<usize>);

impl Linked {
    fn reset(&mut self, discs: usize) {
        self.0.clear();
        self.0.extend(0..discs);
    }

    fn root(&mut self, mut i: usize) -> usize {
        while self.0[i] != i {
            self.0[i] = self.0[self.0[i]];
            i = self.0[i];
        }
        i
    }

    fn link(&mut self, i: usize, j: usize) {
        let (i, j) = (self.root(i), self.root(j));
        self.0[i] = j;
    }
}

impl Chain {
    /// What has ends on one side alone, as on a lift that rises, is thrown clear of them.
    fn is_spent(&self) -> bool {
        let faces = |a: &ChainEnd| self.ends.iter().any(|b| a.normal.dot(b.normal) < 0.0);
        self.impacts >= MOST_IMPACTS * self.members.len() as u64 && self.ends.iter().any(faces)
    }

    /// Whether bodies are among the ends, or all become ends: they must close in with the others and with
    /// each other. With a third one the count begins anew.
    fn takes(&mut self, ends: &[ChainEnd]) -> bool {
        let before = self.ends.len();
        for end in ends {
            let known = self.ends.iter().find(|known| known.body == end.body).map(|known| known.velocity);
            let room = self.ends.len() < MOST_ENDS && self.ends.iter().all(|other| end.closes_with(other));
            match known {
                Some(velocity) if velocity == end.velocity => {}
                None if room => self.ends.push(*end),
                _ => {
                    self.ends.truncate(before);
                    return false;
                }
            }
        }
        if self.ends.len() > before.max(2) {
            self.impacts = 0;
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(serial: u64, velocity: DVec2, normal: DVec2) -> ChainEnd {
        ChainEnd { body: EndBody::Disc(serial), velocity, normal }
    }

    fn wall(normal: DVec2) -> ChainEnd {
        ChainEnd { body: EndBody::Facet(0), velocity: DVec2::ZERO, normal }
    }

    #[test]
    fn a_disc_between_a_paddle_and_a_wall_is_spent_after_64() {
        let mut chains = Chains::default();
        for k in 0..32 {
            assert!(!chains.is_spent(3), "{k}");
            chains.note_end(3, end(9, DVec2::X, DVec2::NEG_X));
            chains.note_end(3, wall(DVec2::X));
        }
        assert!(chains.is_spent(3) && !chains.is_spent(2));
        // The paddle has changed its velocity.
        chains.note_end(3, end(9, DVec2::X * 2.0, DVec2::NEG_X));
        assert!(!chains.is_spent(3));
    }

    #[test]
    fn what_rests_or_recedes_begins_and_continues_no_chain() {
        let mut chains = Chains::default();
        chains.note_end(0, wall(DVec2::X));
        chains.note_end(0, end(1, DVec2::ZERO, DVec2::NEG_X));
        assert!(chains.is_empty());
        chains.note_end(0, end(1, DVec2::NEG_X, DVec2::NEG_X));
        assert!(!chains.is_empty());
        chains.note_end(0, wall(DVec2::X));
        assert!(chains.is_empty());
    }

    #[test]
    fn a_row_counts_as_one() {
        let mut chains = Chains::default();
        let paddle = end(9, DVec2::X, DVec2::NEG_X);
        chains.note_end(0, paddle);
        chains.note_impact(0, 1);
        chains.note_impact(5, 6);
        chains.note_end(1, wall(DVec2::X));
        // 4 impacts so far, 128 are those of two discs.
        for _ in 0..62 {
            assert!(!chains.is_spent(0) && !chains.is_spent(1));
            chains.note_impact(1, 0);
        }
        assert!(chains.is_spent(0) && chains.is_spent(1) && !chains.is_spent(5));
        // Another one that is caught with them delays it.
        chains.note_impact(1, 2);
        assert!(!chains.is_spent(0));
        chains.dissolve(2);
        assert!(chains.is_empty());
    }

    #[test]
    fn two_chains_become_one_if_their_ends_close_in() {
        for (speed, together) in [(-1.0, true), (3.0, false)] {
            let mut chains = Chains::default();
            chains.note_end(0, end(8, DVec2::X, DVec2::NEG_X));
            chains.note_end(1, end(9, DVec2::X * speed, DVec2::X));
            chains.note_impact(0, 1);
            assert_eq!(chains.is_empty(), !together);
        }
    }

    #[test]
    fn united_chains_have_the_impacts_of_both() {
        for first in [0, 1] {
            let mut chains = Chains::default();
            // Three ends in all: that of one disc, and two of the other, whichever chain is older.
            let (a, b) = (end(8, DVec2::X, DVec2::NEG_X), end(9, DVec2::NEG_X, DVec2::X));
            let c = end(7, DVec2::NEG_Y, DVec2::Y);
            let of_both = [vec![a; 20], vec![b, c, b, c]];
            for slot in [first, 1 - first] {
                of_both[slot].iter().for_each(|&end| chains.note_end(slot as Slot, end));
            }
            chains.note_impact(0, 1);
            let impacts: Vec<u64> = chains.iter().map(|chain| chain.impacts).collect();
            assert_eq!(impacts, [20 + 4 + 2]);
        }
    }
}
