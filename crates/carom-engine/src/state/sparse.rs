use crate::walk::{As, Fields, Kind, Walk};
use carom_broadphase::Slot;
use std::collections::BTreeMap;

/// What few discs have, by slot. It takes no memory, and next to no time, while none has it.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound(serialize = "T: serde::Serialize")))]
#[cfg_attr(feature = "serde", serde(bound(deserialize = "T: serde::Deserialize<'de>")))]
pub(crate) struct Sparse<T>(
    #[cfg_attr(feature = "serde", serde(with = "crate::snapshot::in_order"))] BTreeMap<Slot, T>,
);

impl<T: Fields> Fields for Sparse<T> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.0.iter().map(|(slot, value)| (As(Kind::Disc, slot), value)).collect::<Vec<_>>().walk(walk);
    }
}

impl<T> Default for Sparse<T> {
    fn default() -> Self {
        Sparse(BTreeMap::new())
    }
}

impl<T> Sparse<T> {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    #[inline(always)]
    pub(crate) fn contains(&self, slot: Slot) -> bool {
        self.get(slot).is_some()
    }

    /// O(log n) in the number of discs that have one.
    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> Option<&T> {
        if self.0.is_empty() { None } else { self.0.get(&slot) }
    }

    pub(crate) fn get_mut(&mut self, slot: Slot) -> Option<&mut T> {
        self.0.get_mut(&slot)
    }

    pub(crate) fn set(&mut self, slot: Slot, value: T) {
        self.0.insert(slot, value);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: Slot) -> Option<T> {
        if self.0.is_empty() { None } else { self.0.remove(&slot) }
    }

    /// By slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &T)> {
        self.0.iter().map(|(&slot, value)| (slot, value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut T)> {
        self.0.iter_mut().map(|(&slot, value)| (slot, value))
    }

    pub(crate) fn retain(&mut self, mut keep: impl FnMut(Slot, &mut T) -> bool) {
        self.0.retain(|&slot, value| keep(slot, value));
    }
}
