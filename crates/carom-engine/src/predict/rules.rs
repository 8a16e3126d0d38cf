use super::StatePredictor;
use crate::Physics;
use carom_broadphase::Slot;

/// The slot of a disc that is not in the world, where walls ask for one.
pub(crate) const VISITOR: Slot = Slot::MAX;

/// What a disc collides with by its rules.
impl<P: Physics> StatePredictor<'_, P> {
    /// Takes the marks of discs away that do not collide with one by their rules.
    #[inline(always)]
    pub(super) fn leave_out_marked(&self, slot: Slot, words: &mut [u64]) {
        if self.store.bodies.rules.is_used() {
            self.store.bodies.rules.leave_out(slot, words, self.store.simd);
        }
    }

    /// Whether a disc collides with a facet by their rules.
    #[inline(always)]
    pub(crate) fn collides_with_facet(&self, slot: Slot, f: u32) -> bool {
        !self.is_filtering() || self.collides_by_rules(slot, f)
    }

    /// Whether some disc or wall has rules of its own, or had, or passes through walls.
    #[inline(always)]
    pub(crate) fn is_filtering(&self) -> bool {
        self.store.walls.is_ruled()
            | self.store.bodies.rules.is_used()
            | !self.store.bodies.contacts.passing_walls.is_empty()
            | !self.store.bodies.movers.is_empty()
    }

    #[inline]
    pub(super) fn collides_by_rules(&self, slot: Slot, f: u32) -> bool {
        let own = if slot == VISITOR { self.visitor } else { self.store.bodies.rules.get(slot) };
        let facet = &self.store.walls.facets[f as usize];
        !self.store.bodies.movers.contains(slot)
            && facet.rules.collides_with(&own)
            && !self.store.bodies.contacts.passes_wall(slot, facet.wall)
    }
}
