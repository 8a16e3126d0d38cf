use super::error::SnapshotError;
use crate::walk::{Place, Walk, fields};
use slab::Slab;

/// The slots of a store: how often each was freed, and in which order the free ones are taken.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Slots {
    generations: Vec<u32>,
    /// The first is taken next.
    free: Vec<u32>,
}

fields!(Slots: generations, free);

impl Slots {
    /// With these generations; `free` are the free slots, as they are going to be taken.
    pub(super) fn new(generations: Vec<u32>, free: impl Iterator<Item = u32>) -> Self {
        Slots { generations, free: free.collect() }
    }

    /// The slots of a slab, which does not tell their order but by filling it; `filler` is what to put there.
    pub(super) fn of_slab<T: Clone>(slab: &Slab<T>, generations: &[u32], filler: impl Fn() -> T) -> Self {
        let mut full = slab.clone();
        let vacant = generations.len() - slab.len();
        Slots::new(generations.to_vec(), (0..vacant).map(|_| full.insert(filler()) as u32))
    }

    /// How often a slot was freed.
    pub(super) fn generation(&self, slot: u32) -> u32 {
        self.generations[slot as usize]
    }

    /// Visits them, slot by slot.
    pub(super) fn walk_each(&self, number: &'static str, place: fn(u32) -> Place, walk: &mut Walk<'_>) {
        walk.at(Place::World);
        walk.field(number, &self.generations.len());
        for (slot, &generation) in (0..).zip(&self.generations) {
            walk.at(place(slot));
            walk.field("generation", &generation);
        }
        walk.at(Place::World);
        self.free.iter().for_each(|slot| walk.field("free slot", slot));
    }

    /// Checks that each slot is either one of those `taken` or free, once. `what` says what takes them,
    /// `name` what this is called.
    pub(super) fn check(
        &self,
        what: &str,
        name: &str,
        taken: impl ExactSizeIterator<Item = u32>,
        most: usize,
    ) -> Result<(), SnapshotError> {
        let slots = self.generations.len();
        if slots > most {
            let field = format!("length of {name}.generations");
            return Err(SnapshotError::refused(&field, slots, format!("at most {most}")));
        }
        let rest = slots.checked_sub(taken.len());
        let mut known = vec![false; slots];
        let mut take = |field: String, slot: u32| match known.get_mut(slot as usize) {
            None => Err(SnapshotError::refused(&field, slot, format!("a slot below {slots}"))),
            Some(true) => Err(SnapshotError::refused(&field, slot, "a slot that is named once")),
            Some(known) => {
                *known = true;
                Ok(())
            }
        };
        for (k, slot) in taken.enumerate() {
            take(format!("{what}[{k}].slot"), slot)?;
        }
        for (k, &slot) in self.free.iter().enumerate() {
            take(format!("{name}.free[{k}]"), slot)?;
        }
        if rest != Some(self.free.len()) {
            let field = format!("length of {name}.free");
            let allowed = format!("{}, the number of slots without one of {what}", rest.unwrap_or(0));
            return Err(SnapshotError::refused(&field, self.free.len(), allowed));
        }
        Ok(())
    }

    /// All slots, free ones with a filler, the free ones with the one last that is taken first, and the
    /// generations. `live` names each slot that is not free, as has been checked.
    pub(super) fn filled<T>(
        self,
        live: impl Iterator<Item = (u32, T)>,
        filler: impl Fn() -> T,
    ) -> (Vec<T>, Vec<u32>, Vec<u32>) {
        let mut all: Vec<Option<T>> = self.generations.iter().map(|_| None).collect();
        for (slot, value) in live {
            all[slot as usize] = Some(value);
        }
        let all = all.into_iter().map(|value| value.unwrap_or_else(&filler)).collect();
        (all, self.free.into_iter().rev().collect(), self.generations)
    }

    /// As `filled`, in a slab.
    pub(super) fn filled_slab<T>(
        self,
        live: impl Iterator<Item = (u32, T)>,
        filler: impl Fn() -> T,
    ) -> (Slab<T>, Vec<u32>) {
        let (all, free, generations) = self.filled(live, filler);
        let mut slab: Slab<T> = all.into_iter().enumerate().collect();
        // The one that is freed last is taken first.
        for slot in free {
            slab.remove(slot as usize);
        }
        (slab, generations)
    }
}
