use super::CommonPredictor;
use crate::touch::{Apart, are_wide_together};
use carom_broadphase::Slot;
use carom_math::toi::Motion;
use glam::DVec2;

/// What a disc meets at all: by its rules, and by the same-impact rule, as two that have just met do not meet
/// again.
impl CommonPredictor<'_> {
    /// Takes the marks of discs away that do not collide with one by their rules.
    #[inline(always)]
    pub(super) fn leave_out_marked(self, slot: Slot, words: &mut [u64]) {
        if self.store.bodies.rules.is_used() {
            self.store.bodies.rules.leave_out(slot, words, self.store.simd);
        }
    }

    /// Whether a disc collides with a facet by their rules.
    #[inline(always)]
    pub(crate) fn collides_with_facet(self, slot: Slot, f: u32) -> bool {
        !self.is_filtering() || self.collides_by_rules(slot, f)
    }

    /// Whether some disc or wall has rules of its own, or had, or passes through walls.
    #[inline(always)]
    pub(crate) fn is_filtering(self) -> bool {
        self.store.walls.is_ruled()
            | self.store.bodies.rules.is_used()
            | !self.store.bodies.contacts.passing_walls.is_empty()
            | !self.store.bodies.movers.is_empty()
    }

    #[inline]
    pub(super) fn collides_by_rules(self, slot: Slot, f: u32) -> bool {
        let facet = &self.store.walls.facets[f as usize];
        !self.store.bodies.movers.contains(slot)
            && facet.rules.collides_with(&self.store.bodies.rules.get(slot))
            && !self.store.bodies.contacts.passes_wall(slot, facet.wall)
    }

    /// Whether both states come from one impact, at which the two touched.
    #[inline(always)]
    pub(crate) fn just_met(self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        let stamp = self.store.bodies.stamp(a);
        stamp.same_impact(self.store.bodies.stamp(b))
            && (!stamp.is_group() || self.met_in_group(a, b, of_a, of_b, reach))
    }

    /// In a group not all touched all. Which did follows from the stored positions, by the test that formed
    /// the group; the pair that caused it is noted with the states.
    #[cold]
    fn met_in_group(self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        let apart = Apart::new(of_a.position, of_b.position, &self.store.bodies.periods);
        self.store.bodies.detail(a).partner == b || self.store.bodies.stamp(a).kind().takes_in(&apart, reach)
    }

    /// As `just_met`, of the second where this image of it is at the reference.
    #[inline(always)]
    pub(crate) fn just_met_at(
        self,
        image: DVec2,
        [a, b]: [Slot; 2],
        [of_a, of_b]: [&Motion; 2],
        reach: f64,
    ) -> bool {
        let periods = &self.store.bodies.periods;
        if !periods.is_nearest(image) {
            return are_wide_together(periods, reach)
                && self.met_on_two_sides(image, [a, b], [of_a, of_b], reach);
        }
        self.just_met(a, b, of_a, of_b, reach)
    }

    /// Whether two that come from one impact touched there by this image, too.
    #[cold]
    fn met_on_two_sides(self, image: DVec2, [a, b]: [Slot; 2], of: [&Motion; 2], reach: f64) -> bool {
        let stamp = self.store.bodies.stamp(a);
        let apart = Apart::at_image(image, of[0].position, of[1].position);
        stamp.same_impact(self.store.bodies.stamp(b)) && stamp.kind().takes_in(&apart, reach)
    }

    /// Whether two pass through each other by their masses, their rules, or what they were in each other.
    #[inline(always)]
    pub(crate) fn pass_through(self, a: Slot, b: Slot) -> bool {
        self.store.bodies.class(a).pass_through(self.store.bodies.class(b))
            || !self.store.bodies.rules.collide(a, b)
            || self.store.bodies.contacts.keep_apart(a, b)
    }
}
