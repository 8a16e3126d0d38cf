#[cfg(feature = "serde")]
use super::never;
use crate::walk::{As, Fields, Kind, Walk, fields};
use carom_broadphase::Slot;
use carom_math::Time;
use std::collections::BTreeSet;

/// Two discs that pass through each other until they have parted.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Passing {
    /// The one of which the end is a solo event: the tracer, if the two are in a jam.
    pub(crate) disc: Slot,
    pub(crate) through: Slot,
    /// When it began.
    pub(crate) since: Time,
    /// When the two have parted.
    #[cfg_attr(feature = "serde", serde(skip, default = "never"))]
    pub(crate) end: Time,
    /// Whether it is by a verdict or as one is put back on the plane: then they have parted where they do not
    /// even touch.
    pub(crate) is_judged: bool,
}

fields!(Passing: disc as Disc, through as Disc, since as Past, is_judged; without end);

impl Passing {
    pub(super) fn is_of(&self, a: Slot, b: Slot) -> bool {
        (self.disc, self.through) == (a, b) || (self.disc, self.through) == (b, a)
    }

    /// Whether the record depends on the state of a disc.
    pub(crate) fn names(&self, slot: Slot) -> bool {
        self.disc == slot || self.through == slot
    }
}

/// Pairs of discs that do not collide, the lower slot first.
#[derive(Clone, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ExcludedPairs(BTreeSet<[Slot; 2]>);

impl Fields for ExcludedPairs {
    fn walk(&self, walk: &mut Walk<'_>) {
        As(Kind::Disc, &self.0.iter().collect::<Vec<_>>()).walk(walk);
    }
}

impl ExcludedPairs {
    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether two discs are one of the pairs. O(log n) in their number.
    #[inline(always)]
    pub(crate) fn contains(&self, a: Slot, b: Slot) -> bool {
        !self.0.is_empty() && self.0.contains(&[a.min(b), a.max(b)])
    }

    /// Adds a pair; false if it is there.
    pub(crate) fn insert(&mut self, a: Slot, b: Slot) -> bool {
        a != b && self.0.insert([a.min(b), a.max(b)])
    }

    /// Removes a pair; false if it is not there.
    pub(crate) fn remove(&mut self, a: Slot, b: Slot) -> bool {
        self.0.remove(&[a.min(b), a.max(b)])
    }

    /// Removes all pairs of a disc. O(n).
    pub(crate) fn forget(&mut self, slot: Slot) {
        self.0.retain(|pair| !pair.contains(&slot));
    }

    /// The pairs, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = [Slot; 2]> + '_ {
        self.0.iter().copied()
    }
}
