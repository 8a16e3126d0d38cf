use carom_broadphase::Slot;
use carom_math::Time;
use std::collections::BTreeMap;

/// The tag of the change of motion that ends a chord of a slide; 0 is that of a change by the physics.
pub(crate) const SLIDE: u32 = 1;

/// A held contact of a disc with the inside of a curved wall: the disc slides along it, on chords.
///
/// A chord is a stored state like any other; at its end, a change of motion, the next one begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slide {
    /// The facet that it slides along.
    pub(crate) facet: u32,
    /// Whether it goes round counter-clockwise.
    pub(crate) turns_left: bool,
    /// Whether the chord ends at the end of the facet.
    pub(crate) at_end: bool,
    /// Speed, kept from chord to chord.
    pub(crate) speed: f64,
    /// When the chord ends.
    pub(crate) until: Time,
}

/// The discs that slide, by slot. Sparse: no memory and no time unless a disc held.
#[derive(Clone, Debug, Default)]
pub(crate) struct HeldContacts(BTreeMap<Slot, Slide>);

impl HeldContacts {
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// By slot.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Slot, &Slide)> {
        self.0.iter().map(|(&slot, slide)| (slot, slide))
    }

    /// The slide of a disc, if it held. O(log n) in the number of discs that do.
    #[inline(always)]
    pub(crate) fn get(&self, slot: Slot) -> Option<&Slide> {
        if self.0.is_empty() { None } else { self.0.get(&slot) }
    }

    pub(crate) fn set(&mut self, slot: Slot, slide: Slide) {
        self.0.insert(slot, slide);
    }

    #[inline(always)]
    pub(crate) fn remove(&mut self, slot: Slot) {
        if !self.0.is_empty() {
            self.0.remove(&slot);
        }
    }

    /// Ends the slides of discs along facets that are not to be kept.
    pub(crate) fn retain(&mut self, keep: impl Fn(Slot, u32) -> bool) {
        self.0.retain(|&slot, slide| keep(slot, slide.facet));
    }

    /// After facets were given other numbers: ends the slides along those that are gone, for which there is
    /// `None`.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.0.retain(|_, slide| match number(slide.facet) {
            Some(facet) => {
                slide.facet = facet;
                true
            }
            None => false,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renumbering_ends_the_slides_along_facets_that_are_gone() {
        let slide = |facet| Slide { facet, turns_left: true, at_end: false, speed: 1.0, until: Time::ZERO };
        let mut held = HeldContacts::default();
        for (slot, facet) in [(7, 0), (1, 1), (3, 2)] {
            held.set(slot, slide(facet));
        }
        held.renumber(|facet| (facet != 1).then_some(facet / 2));
        assert_eq!([1, 3, 7].map(|slot| held.get(slot).copied()), [None, Some(slide(1)), Some(slide(0))]);
        held.remove(3);
        assert_eq!(held.get(3), None);
    }
}
