use super::column::Column;
use carom_broadphase::Slot;
use glam::DVec2;

/// Impacts a disc after which a chain between closing bodies is made plastic.
const MOST_IMPACTS: u64 = 64;

/// Bodies that may close in on a chain: two jaws, or one and the walls of a corner.
const MOST_ENDS: usize = 4;

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
}

carom_broadphase::clone_fields!(Chains: of, chains, free);

/// Discs that have had impacts only among themselves and with these bodies since the first of these.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Chain {
    pub(crate) members: Vec<Slot>,
    /// Impacts of its members, each counted for each of them.
    pub(crate) impacts: u64,
    pub(crate) ends: Vec<ChainEnd>,
}

carom_broadphase::clone_fields!(Chain: members, impacts, ends);

/// An unstoppable body at a chain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ChainEnd {
    pub(crate) body: EndBody,
    pub(crate) velocity: DVec2,
    /// Unit normal from the disc that it met first.
    pub(crate) normal: DVec2,
}

/// Names an unstoppable body for as long as it is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndBody {
    /// The disc with this serial number.
    Disc(u64),
    Facet(u32),
}

impl ChainEnd {
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
        let kept = match (self.index_of(a), self.index_of(b)) {
            (None, None) => return,
            (Some(k), None) => self.join(k, b),
            (None, Some(k)) => self.join(k, a),
            (Some(k), Some(l)) if k == l => k,
            (Some(k), Some(l)) => match self.unite(k, l) {
                Some(k) => k,
                None => return,
            },
        };
        self.chains[kept].impacts += 2;
    }

    /// Notes the impacts of pairs of discs at one instant, in any order.
    pub(crate) fn note_impacts(&mut self, pairs: &[(Slot, Slot)]) {
        // First the chains reach whom they reach; to join counts no impact.
        let mut spreads = true;
        while spreads {
            spreads = false;
            for &(a, b) in pairs {
                match (self.index_of(a), self.index_of(b)) {
                    (Some(k), None) => spreads = self.join(k, b) == k,
                    (None, Some(k)) => spreads = self.join(k, a) == k,
                    _ => {}
                }
            }
        }
        pairs.iter().for_each(|&(a, b)| self.note_impact(a, b));
    }

    /// Notes impacts of a disc at one instant with bodies that it does not stop, in any order.
    pub(crate) fn note_ends(&mut self, slot: Slot, ends: &[ChainEnd]) {
        if let Some(k) = self.index_of(slot) {
            if self.chains[k].takes(ends) {
                self.chains[k].impacts += ends.len() as u64;
                return;
            }
            self.dissolve(slot);
        }
        if ends.iter().any(|end| end.velocity != DVec2::ZERO) {
            let k = self.new_chain();
            if self.chains[k].takes(ends) {
                self.join(k, slot);
                self.chains[k].impacts = ends.len() as u64;
            } else {
                self.end(k);
            }
        }
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
    #[cfg(feature = "serde")]
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
    #[cfg(feature = "serde")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Chain> {
        self.chains.iter().filter(|chain| !chain.members.is_empty())
    }

    fn join(&mut self, k: usize, slot: Slot) -> usize {
        self.chains[k].members.push(slot);
        self.of.set(slot, k as u32 + 1);
        k
    }

    /// Makes one chain of two, the smaller one in the larger. `None` if their ends do not go together: then
    /// both end.
    fn unite(&mut self, k: usize, l: usize) -> Option<usize> {
        let [mut kept, mut other] = [k, l];
        if self.chains[kept].members.len() < self.chains[other].members.len() {
            (kept, other) = (other, kept);
        }
        let ends = core::mem::take(&mut self.chains[other].ends);
        let impacts = self.chains[kept].impacts + self.chains[other].impacts;
        if !self.chains[kept].takes(&ends) {
            self.end(kept);
            self.end(other);
            return None;
        }
        for i in 0..self.chains[other].members.len() {
            self.join(kept, self.chains[other].members[i]);
        }
        self.chains[other].members.clear();
        self.end(other);
        self.chains[kept].impacts = impacts;
        Some(kept)
    }
}

impl Chain {
    fn is_spent(&self) -> bool {
        self.impacts >= MOST_IMPACTS * self.members.len() as u64
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
            chains.note_ends(3, &[end(9, DVec2::X, DVec2::NEG_X)]);
            chains.note_ends(3, &[wall(DVec2::X)]);
        }
        assert!(chains.is_spent(3) && !chains.is_spent(2));
        // The paddle has changed its velocity.
        chains.note_ends(3, &[end(9, DVec2::X * 2.0, DVec2::NEG_X)]);
        assert!(!chains.is_spent(3));
    }

    #[test]
    fn what_rests_or_recedes_begins_and_continues_no_chain() {
        let mut chains = Chains::default();
        chains.note_ends(0, &[wall(DVec2::X)]);
        chains.note_ends(0, &[end(1, DVec2::ZERO, DVec2::NEG_X)]);
        assert!(chains.is_empty());
        chains.note_ends(0, &[end(1, DVec2::NEG_X, DVec2::NEG_X)]);
        assert!(!chains.is_empty());
        chains.note_ends(0, &[wall(DVec2::X)]);
        assert!(chains.is_empty());
    }

    #[test]
    fn a_row_counts_as_one() {
        let mut chains = Chains::default();
        let paddle = end(9, DVec2::X, DVec2::NEG_X);
        chains.note_ends(0, &[paddle]);
        chains.note_impact(0, 1);
        chains.note_impact(5, 6);
        chains.note_ends(1, &[wall(DVec2::X)]);
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
            chains.note_ends(0, &[end(8, DVec2::X, DVec2::NEG_X)]);
            chains.note_ends(1, &[end(9, DVec2::X * speed, DVec2::X)]);
            chains.note_impact(0, 1);
            assert_eq!(chains.is_empty(), !together);
        }
    }
}
