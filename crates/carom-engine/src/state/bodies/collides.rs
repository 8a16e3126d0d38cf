use super::Bodies;
use crate::Rules;
use carom_broadphase::Slot;

/// What collides with what.
impl Bodies {
    /// Whether two discs may overlap, as they do not collide: by their classes, their rules, or as a pair.
    pub(crate) fn ignore(&self, a: Slot, b: Slot) -> bool {
        self.class(a).pass_through(self.class(b))
            || !self.rules.latest(a).collides_with(&self.rules.latest(b))
            || self.contacts.excluded.contains(a, b)
    }

    /// Whether a disc collides with a wall of these rules, by its latest ones.
    pub(crate) fn meets_wall(&self, slot: Slot, rules: &Rules) -> bool {
        !self.movers.contains(slot) && rules.collides_with(&self.rules.latest(slot))
    }
}
