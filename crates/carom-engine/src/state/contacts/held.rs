use crate::state::sparse::Sparse;
use crate::walk::fields;
use carom_math::Time;

/// The tag of the change of motion that ends a chord of a slide; 0 is that of a change by the physics.
pub(crate) const SLIDE: u32 = 1;

/// A held contact of a disc with the inside of a curved wall: the disc slides along it, on chords.
///
/// A chord is a stored state like any other; at its end, a change of motion, the next one begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
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

fields!(Slide: facet as Facet, turns_left, at_end, speed as Speed, until as Future);

impl Sparse<Slide> {
    /// After facets were given other numbers: ends the slides along those that are gone, for which there is
    /// `None`.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> Option<u32>) {
        self.retain(|_, slide| match number(slide.facet) {
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
        let mut held = Sparse::<Slide>::default();
        for (slot, facet) in [(7, 0), (1, 1), (3, 2)] {
            held.set(slot, slide(facet));
        }
        held.renumber(|facet| (facet != 1).then_some(facet / 2));
        assert_eq!([1, 3, 7].map(|slot| held.get(slot).copied()), [None, Some(slide(1)), Some(slide(0))]);
        held.remove(3);
        assert_eq!(held.get(3), None);
    }
}
