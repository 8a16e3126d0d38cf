use super::error::{SnapshotError, allow, each};

/// Checks that each slot is either taken by one of `what` or free, and is named once. `slots` is their
/// number.
pub(super) fn check(
    (what, slots): (&str, u32),
    taken: impl ExactSizeIterator<Item = u32>,
    free: impl ExactSizeIterator<Item = u32>,
) -> Result<(), SnapshotError> {
    let (slots, count) = (slots as usize, free.len());
    allow(
        taken.len() + count == slots,
        format_args!("length of free_{what}"),
        count,
        format_args!("{slots}, the number of slots, less {}, that of {what}", taken.len()),
    )?;
    let mut known = vec![false; slots];
    let mut take = |field: &str, slot: u32| {
        let place = known.get_mut(slot as usize);
        allow(place.is_some(), field, slot, format_args!("a slot below {slots}"))?;
        let is_new = place.is_some_and(|known| !core::mem::replace(known, true));
        allow(is_new, field, slot, "a slot that is named once")
    };
    each(what, taken, |slot| take("id.slot", slot))?;
    each(&format!("free_{what}"), free, |slot| take("slot", slot))
}

/// What stands in each slot; `filler` where nothing does.
pub(super) fn filled<T: Clone>(slots: usize, filler: T, items: impl Iterator<Item = (u32, T)>) -> Vec<T> {
    let mut all = vec![filler; slots];
    items.for_each(|(slot, item)| all[slot as usize] = item);
    all
}
