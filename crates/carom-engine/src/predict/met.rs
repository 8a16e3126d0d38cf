use super::StatePredictor;
use crate::Physics;
use crate::touch::Apart;
use carom_broadphase::Slot;
use carom_math::toi::Motion;

/// The same-impact rule: two that have just met do not meet again.
impl<P: Physics> StatePredictor<'_, P> {
    /// Whether both states come from one impact, at which the two touched.
    #[inline(always)]
    pub(crate) fn just_met(&self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        let stamp = self.store.bodies.stamp(a);
        stamp.same_impact(self.store.bodies.stamp(b))
            && (!stamp.is_group() || self.met_in_group(a, b, of_a, of_b, reach))
    }

    /// In a group not all touched all. Which did follows from the stored positions, by the test that formed
    /// the group; the pair that caused it is noted with the states.
    #[cold]
    fn met_in_group(&self, a: Slot, b: Slot, of_a: &Motion, of_b: &Motion, reach: f64) -> bool {
        let apart = Apart::new(of_a.position, of_b.position, &self.store.bodies.periods);
        self.store.bodies.detail(a).partner == b || self.store.bodies.stamp(a).kind().takes_in(&apart, reach)
    }
}
