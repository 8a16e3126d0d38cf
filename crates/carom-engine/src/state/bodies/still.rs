use super::Bodies;
use crate::Physics;
use crate::state::bend::Bend;
use carom_broadphase::Slot;

impl<P: Physics> Bodies<P> {
    /// Whether a disc is to stand still, whatever the physics says: all but one are in the copies in which
    /// forecasts among frozen discs are made.
    #[inline(always)]
    pub(crate) fn is_still(&self, slot: Slot) -> bool {
        self.only.is_some_and(|only| only != slot) || self.off.contains(slot)
    }

    /// How the path of a disc bends by its stored state alone.
    #[inline(always)]
    pub(super) fn own_bend(&self, physics: &P, slot: Slot) -> Bend {
        if self.is_still(slot) {
            return Bend::NONE;
        }
        Bend::of(physics, &self.body(slot), &self.state(slot))
    }
}
