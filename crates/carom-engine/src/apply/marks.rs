//! Which discs the schedule lags behind, and what of the store follows from the scheduler in use.

use super::token::{GuardedCommon, Open};
use carom_broadphase::Slot;

/// Marks discs to be scheduled again.
pub(crate) fn mark(mut store: GuardedCommon<'_>, slots: impl IntoIterator<Item = Slot>) {
    let store = store.open();
    slots.into_iter().for_each(|slot| store.mark(slot));
}

/// Keeps copies of the records for sweeps, or none, as the scheduler wants.
pub(crate) fn set_sweeping(mut store: GuardedCommon<'_>, sweeps: bool) {
    store.open().bodies.set_sweeping(sweeps);
}

/// Brings the index of the walls up to date.
#[inline(always)]
pub(crate) fn tidy_walls(mut store: GuardedCommon<'_>) {
    let walls = &mut store.open().walls;
    walls.planes.tidy(&walls.facets);
}

/// Leaves each marked slot once, and none of them marked for what it does on its own alone.
#[cold]
pub(crate) fn tidy_marks(mut store: GuardedCommon<'_>) {
    store.open().tidy_marks();
}

/// Plans the crossings of the marked discs.
#[inline(always)]
pub(crate) fn plan_crossings(mut store: GuardedCommon<'_>) {
    store.open().plan_crossings();
}

/// The number of marks for which memory is kept. There are more where a world begins, and seldom later.
const MOST_DIRTY: usize = 1024;

/// Takes all marks: the discs are scheduled.
#[inline(always)]
pub(crate) fn clear_marks(mut store: GuardedCommon<'_>) {
    let dirty = &mut store.open().dirty;
    dirty.clear();
    dirty.shrink_to(MOST_DIRTY);
}

/// Forgets which marks are for what a disc does on its own alone.
pub(crate) fn forget_solo_marks(mut store: GuardedCommon<'_>) {
    store.open().solo_marks.clear();
}

/// Takes the marks of discs that are marked for what they do on their own alone. Returns these discs.
pub(crate) fn take_solo_marks(mut store: GuardedCommon<'_>) -> Vec<Slot> {
    let store = store.open();
    let mut solos = core::mem::take(&mut store.solo_marks);
    store.dirty.sort_unstable();
    solos.sort_unstable();
    let marks_of = |slot| {
        let first = store.dirty.partition_point(|&marked| marked < slot);
        store.dirty[first..].iter().take_while(|&&marked| marked == slot).count()
    };
    let alone = solos.chunk_by(|a, b| a == b).filter(|marks| marks_of(marks[0]) == marks.len());
    let alone: Vec<Slot> = alone.map(|marks| marks[0]).collect();
    store.dirty.retain(|slot| alone.binary_search(slot).is_err());
    alone
}

/// Marks these discs alone.
pub(crate) fn set_marks(mut store: GuardedCommon<'_>, slots: Vec<Slot>) {
    store.open().dirty = slots;
}

/// For tests: panics if the regions are not as they follow from the states.
pub(crate) fn assert_crossings(mut store: GuardedCommon<'_>) {
    store.open().sense(|sensing, flights| sensing.assert_well_formed(flights));
}
