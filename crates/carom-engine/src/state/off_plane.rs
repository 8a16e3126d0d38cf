use crate::Rules;
use carom_broadphase::Slot;
use glam::DVec2;
use std::collections::BTreeMap;

/// The discs that are off the plane: they stand still, and meet nothing.
///
/// Their rules in force are those of what collides with nothing; their own ones are kept here.
#[derive(Clone, Debug, Default)]
pub(crate) struct OffPlane(BTreeMap<Slot, Off>);

/// A disc off the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Off {
    pub(crate) rules: Rules,
    /// With which it goes on.
    pub(crate) velocity: DVec2,
    /// Whether it is put back with its place: see [`Verdict::Capture`](crate::Verdict::Capture).
    pub(crate) is_captured: bool,
}

impl OffPlane {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub(crate) fn contains(&self, slot: Slot) -> bool {
        !self.0.is_empty() && self.0.contains_key(&slot)
    }

    pub(crate) fn get(&self, slot: Slot) -> Option<&Off> {
        self.0.get(&slot)
    }

    pub(crate) fn get_mut(&mut self, slot: Slot) -> Option<&mut Off> {
        self.0.get_mut(&slot)
    }

    pub(crate) fn insert(&mut self, slot: Slot, off: Off) {
        self.0.insert(slot, off);
    }

    pub(crate) fn remove(&mut self, slot: Slot) -> Option<Off> {
        self.0.remove(&slot)
    }

    /// To be called when all velocities are multiplied.
    pub(crate) fn scale(&mut self, factor: f64) {
        self.0.values_mut().for_each(|off| off.velocity *= factor);
    }

    /// By slot.
    #[cfg(feature = "serde")]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Off)> {
        self.0.iter().map(|(&slot, off)| (slot, off))
    }
}
