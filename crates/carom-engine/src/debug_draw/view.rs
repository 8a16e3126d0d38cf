/// What of a world is drawn by [`World::debug_draw`](crate::World::debug_draw).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DebugView {
    /// Discs that are on the plane, and sensors.
    pub discs: bool,
    /// Walls.
    pub walls: bool,
    /// Regions.
    pub regions: bool,
    /// Velocities, as the way of this many seconds; 0 for none.
    pub velocities: f64,
    /// Impacts of the last call of `advance`, if events are recorded, and what discs press on now.
    pub contacts: bool,
    /// The next impact of each disc within this many seconds, if all go on as they move now: kinematic discs
    /// beyond the ends of their ways, too; 0 for none. Each costs what
    /// [`World::cast_disc`](crate::World::cast_disc) does among moving discs.
    pub next_impacts: f64,
    /// How far lines without an end are drawn from their points.
    pub reach: f64,
}

impl Default for DebugView {
    /// All but the next impacts; velocities as the way of a tenth of a second.
    fn default() -> Self {
        DebugView { velocities: 0.1, ..DebugView::nothing() }.with_all(true)
    }
}

impl DebugView {
    /// Nothing, to be added to.
    #[must_use]
    pub const fn nothing() -> Self {
        let (discs, walls, regions, contacts) = (false, false, false, false);
        DebugView { discs, walls, regions, velocities: 0.0, contacts, next_impacts: 0.0, reach: 1e3 }
    }

    const fn with_all(mut self, all: bool) -> Self {
        (self.discs, self.walls, self.regions, self.contacts) = (all, all, all, all);
        self
    }

    setters! {
        /// With discs, or without.
        const with_discs(discs: bool);

        /// With walls, or without.
        const with_walls(walls: bool);

        /// With regions, or without.
        const with_regions(regions: bool);

        /// Draws each velocity as an arrow: how far the disc gets in this many seconds. 0 draws none.
        const with_velocities(velocities: f64);

        /// With contacts, or without.
        const with_contacts(contacts: bool);

        /// Draws the next impact of each disc, if it is within this many seconds. 0 draws none.
        const with_next_impacts(next_impacts: f64);

        /// Draws lines that have no end up to this length.
        const with_reach(reach: f64);
    }
}
