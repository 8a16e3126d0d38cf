use super::Bodies;
use crate::Physics;
use crate::state::bend::Bend;
use carom_broadphase::Slot;

impl<P: Physics> Bodies<P> {
    /// Whether no force moves a disc, and its motion does not change its law, whatever the physics says: so
    /// it is with kinematic discs, with what is off the plane, and with all but one in the copies in which
    /// forecasts among frozen discs are made.
    #[inline(always)]
    pub(crate) fn is_unforced(&self, slot: Slot) -> bool {
        self.only.is_some_and(|only| only != slot) || self.off.contains(slot) || self.movers.contains(slot)
    }

    /// How the path of a disc bends by its stored state alone.
    #[inline(always)]
    pub(super) fn own_bend(&self, physics: &P, slot: Slot) -> Bend {
        if self.is_unforced(slot) {
            return Bend::NONE;
        }
        Bend::of(physics, &self.body(slot), &self.state(slot))
    }
}
