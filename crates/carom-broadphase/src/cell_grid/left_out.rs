use crate::Slot;
use alloc::vec::Vec;

/// Which discs are left out of lists though their circles overlap: empty unless there are such.
///
/// A disc of a dilute gas leaves out those that it flies past on the paths that both have now, which are
/// most. So the list of one whose path changes is to be made anew: `of_paths`. Both of a pair must be such
/// discs.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    of_slots: Vec<OfSlot>,
}

crate::clone_fields!(LeftOut: of_slots);

#[derive(Clone, Copy, Debug, Default)]
struct OfSlot {
    /// How many were left out when the list was made.
    count: u16,
    of_paths: bool,
}

impl LeftOut {
    pub(super) fn is_empty(&self) -> bool {
        self.of_slots.is_empty()
    }

    /// Whether a disc's list is that of its path.
    #[inline(always)]
    pub(super) fn of_paths(&self, slot: Slot) -> bool {
        self.of_slots.get(slot as usize).is_some_and(|of| of.of_paths)
    }

    /// How many were left out of a list when it was made.
    ///
    /// They count as neighbours where the size of a circle is chosen: they take time where neighbours are
    /// sought, and a crowd of discs that do not meet would else have ever larger circles.
    #[inline(always)]
    pub(super) fn count(&self, slot: Slot) -> usize {
        self.of_slots.get(slot as usize).map_or(0, |of| of.count.into())
    }

    /// Notes for a list that is to be made whether it is that of a path.
    #[inline(always)]
    pub(super) fn set_of_paths(&mut self, slot: Slot, of_paths: bool) {
        if of_paths || !self.of_slots.is_empty() {
            self.entry(slot).of_paths = of_paths;
        }
    }

    #[inline(always)]
    pub(super) fn set_count(&mut self, slot: Slot, count: usize) {
        if count > 0 || !self.of_slots.is_empty() {
            self.entry(slot).count = count.min(usize::from(u16::MAX)) as u16;
        }
    }

    fn entry(&mut self, slot: Slot) -> &mut OfSlot {
        if self.of_slots.len() <= slot as usize {
            self.of_slots.resize(slot as usize + 1, OfSlot::default());
        }
        &mut self.of_slots[slot as usize]
    }

    pub(super) fn bytes(&self) -> usize {
        size_of::<OfSlot>() * self.of_slots.capacity()
    }
}
