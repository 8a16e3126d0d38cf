use super::Bodies;
use carom_broadphase::Slot;

impl Bodies {
    /// Whether no force moves a disc, and its motion does not change its law, whatever the physics says: so
    /// it is with kinematic discs, with what is off the plane, and with all but one in the copies in which
    /// forecasts among frozen discs are made.
    #[inline(always)]
    pub(crate) fn is_unforced(&self, slot: Slot) -> bool {
        self.only.is_some_and(|only| only != slot) || self.off.contains(slot) || self.movers.contains(slot)
    }
}
