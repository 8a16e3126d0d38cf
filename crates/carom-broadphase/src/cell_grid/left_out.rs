use crate::Slot;
use alloc::vec::Vec;

/// How many discs each list leaves out though the circles overlap; empty while no list does.
///
/// A disc of a dilute gas flies past most discs around it. Its list is a *path list*: it leaves out those
/// that the disc passes on the paths that both have now, if the other one's list is a path list, too. So a
/// path list is made anew when the path of its disc changes.
#[derive(Debug, Default)]
pub(super) struct LeftOut {
    of_slots: Vec<OfSlot>,
}

crate::clone_fields!(LeftOut: of_slots);

#[derive(Clone, Copy, Debug, Default)]
struct OfSlot {
    /// How many were left out when the list was made.
    count: u16,
    is_path_list: bool,
}

impl LeftOut {
    pub(super) fn is_empty(&self) -> bool {
        self.of_slots.is_empty()
    }

    /// Whether a disc's list is a path list.
    #[inline(always)]
    pub(super) fn is_path_list(&self, slot: Slot) -> bool {
        self.of_slots.get(slot as usize).is_some_and(|of| of.is_path_list)
    }

    /// How many were left out of a list when it was made.
    ///
    /// They count as neighbours where the size of a circle is chosen, since they take time where neighbours
    /// are sought. Without that, a crowd of discs that never meet would have ever larger circles.
    #[inline(always)]
    pub(super) fn count(&self, slot: Slot) -> usize {
        self.of_slots.get(slot as usize).map_or(0, |of| of.count.into())
    }

    /// Notes for a list that is to be made whether it is a path list.
    #[inline(always)]
    pub(super) fn set_path_list(&mut self, slot: Slot, is_path_list: bool) {
        if is_path_list || !self.of_slots.is_empty() {
            self.entry(slot).is_path_list = is_path_list;
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
