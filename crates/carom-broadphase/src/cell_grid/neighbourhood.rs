use crate::{Circle, Slot};
use carom_math::DVec2;

/// Neighbours that a neighbourhood holds itself: they fill its cache line. Longer lists are kept elsewhere.
pub(super) const MOST_HELD: usize = 10;
/// Count of a neighbourhood whose list is kept elsewhere.
pub(super) const HELD_ELSEWHERE: u8 = u8::MAX;

/// A disc's neighbourhood, in one cache line: a circle that contains the disc until the planned
/// [`NEIGHBOURHOOD_EXIT`](super::planned_event::NEIGHBOURHOOD_EXIT), and the discs whose circles overlap it.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Neighbourhood {
    x: f64,
    y: f64,
    /// Radius of the circle.
    pub(crate) radius: f32,
    /// Number of neighbours held here, or [`HELD_ELSEWHERE`].
    pub(super) count: u8,
    /// Level of its cell, [`Neighbourhood::NOWHERE`] if it is not placed.
    pub(crate) level: u8,
    /// The neighbours, and then the disc's own slot.
    pub(super) slots: [Slot; MOST_HELD],
}

impl Neighbourhood {
    /// Level of a slot that is not placed.
    pub(crate) const NOWHERE: u8 = u8::MAX;
    /// Level of those that are neighbours of all.
    pub(crate) const EVERYWHERE: u8 = u8::MAX - 2;
    /// Level of those that meet no other, and have no circle.
    pub(crate) const ALONE: u8 = u8::MAX - 1;

    pub(super) fn empty(slot: Slot) -> Neighbourhood {
        Neighbourhood {
            x: 0.0,
            y: 0.0,
            radius: 0.0,
            count: 0,
            level: Neighbourhood::NOWHERE,
            slots: [slot; MOST_HELD],
        }
    }

    #[inline(always)]
    pub(crate) fn center(&self) -> DVec2 {
        DVec2::new(self.x, self.y)
    }

    /// Its circle.
    #[inline(always)]
    pub(crate) fn circle(&self) -> Circle {
        Circle { center: self.center(), radius: f64::from(self.radius) }
    }

    pub(crate) fn set_center(&mut self, center: DVec2) {
        (self.x, self.y) = (center.x, center.y);
    }

    /// A bit for each place of a neighbour that it holds itself.
    #[inline(always)]
    pub(super) fn held(&self) -> u32 {
        (1 << self.count) - 1
    }

    #[inline(always)]
    pub(crate) fn is_placed(&self) -> bool {
        self.level != Neighbourhood::NOWHERE
    }

    #[inline(always)]
    pub(crate) fn has_circle(&self) -> bool {
        self.level <= Neighbourhood::EVERYWHERE
    }
}

/// A bit for each place where a slot is.
#[inline(always)]
pub(super) fn places_of(slot: Slot, slots: &[Slot; MOST_HELD]) -> u32 {
    slots.iter().zip(0..).fold(0, |bits, (&one, l)| bits | u32::from(one == slot) << l)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_neighbourhood_is_a_cache_line() {
        assert_eq!((size_of::<Neighbourhood>(), align_of::<Neighbourhood>()), (64, 64));
    }
}
