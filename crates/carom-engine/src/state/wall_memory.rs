use carom_math::toi::{Memory, Side};

/// The facets that a disc was hit by when its state was written, with the side; two, for a corner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct WallMemory {
    facets: [u32; 2],
    sides: [Side; 2],
    /// Whether the present state comes from that impact.
    pub(crate) met: bool,
}

impl Default for WallMemory {
    fn default() -> Self {
        WallMemory::EMPTY
    }
}

impl WallMemory {
    const NOTHING: u32 = u32::MAX;
    pub(crate) const EMPTY: WallMemory =
        WallMemory { facets: [Self::NOTHING; 2], sides: [Side::Front; 2], met: false };

    /// Has just been hit by this facet.
    #[inline]
    pub(crate) fn met(facet: u32, side: Side) -> Self {
        WallMemory { facets: [facet, Self::NOTHING], sides: [side; 2], met: true }
    }

    /// Adds a facet; a third is not remembered.
    pub(crate) fn add(&mut self, facet: u32, side: Side) {
        if let Some(free) = self.facets.iter().position(|&f| f == Self::NOTHING) {
            (self.facets[free], self.sides[free]) = (facet, side);
        }
    }

    /// With this facet before the others.
    pub(crate) fn with_first(self, facet: u32, side: Side) -> Self {
        let mut all = WallMemory::EMPTY;
        all.add(facet, side);
        self.known().for_each(|(facet, side)| all.add(facet, side));
        all
    }

    /// With the present state coming from an impact with these.
    pub(crate) fn just_met(self) -> Self {
        WallMemory { met: true, ..self }
    }

    #[inline(always)]
    pub(crate) fn is_empty(&self) -> bool {
        self.facets[0] == Self::NOTHING
    }

    #[inline(always)]
    pub(crate) fn of(&self, facet: u32) -> Memory {
        let Some(at) = self.facets.iter().position(|&f| f == facet) else { return Memory::None };
        if self.met { Memory::Met(self.sides[at]) } else { Memory::Near(self.sides[at]) }
    }

    /// The facets that it has been hit by in the impact that wrote its present state; of what is none of
    /// them, a number that no facet has.
    #[inline(always)]
    pub(crate) fn just_met_facets(&self) -> [u32; 2] {
        if self.met { self.facets } else { [Self::NOTHING; 2] }
    }

    /// The facets, each with the side.
    pub(crate) fn known(&self) -> impl Iterator<Item = (u32, Side)> {
        self.facets.into_iter().zip(self.sides).filter(|(facet, _)| *facet != Self::NOTHING)
    }

    /// The facets still `near` are remembered, but may be hit again.
    #[inline]
    pub(crate) fn faded(&self, near: impl Fn(u32, Side) -> bool) -> Self {
        let mut kept = WallMemory::EMPTY;
        for (facet, side) in self.known().filter(|&(facet, side)| near(facet, side)) {
            kept.add(facet, side);
        }
        kept
    }

    /// After facets were given other numbers; `None` for those that are gone.
    pub(crate) fn renumbered(&self, number: impl Fn(u32) -> Option<u32>) -> Self {
        let mut kept = WallMemory { met: self.met, ..WallMemory::EMPTY };
        for (facet, side) in self.known() {
            if let Some(facet) = number(facet) {
                kept.add(facet, side);
            }
        }
        if kept.is_empty() { WallMemory::EMPTY } else { kept }
    }
}
