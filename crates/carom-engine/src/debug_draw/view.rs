use super::{DebugDraw, Mark, outline};
use crate::{CastOptions, DiscId, Event, Hold, Impact, Partner, Physics, QueryFilter, Sensor, World};

/// What of a world is drawn by [`World::debug_draw`].
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct DebugView {
    /// Discs that are on the plane, and sensors.
    pub discs: bool,
    /// Walls.
    pub walls: bool,
    /// Regions.
    pub regions: bool,
    /// Velocities, as the way of so many seconds; 0 for none.
    pub velocities: f64,
    /// Impacts of the last call of `advance`, if events are recorded, and what discs press on now.
    pub contacts: bool,
    /// The next impact of each disc within so many seconds, if all go on as they move now: kinematic discs
    /// beyond the ends of their ways, too; 0 for none. Each costs what [`World::cast_disc`] does among moving
    /// discs.
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

impl<P: Physics> World<P> {
    /// Draws what the world knows at the present: regions first, then walls, discs and what is on them.
    /// Changes nothing. O(discs and walls), and what the next impacts cost.
    pub fn debug_draw(&self, view: &DebugView, to: &mut dyn DebugDraw) {
        if view.regions {
            self.draw_regions(view.reach, to);
        }
        if view.walls {
            for (id, wall) in self.walls() {
                outline::wall(&self.shape_now(id, wall), view.reach, Mark::Wall(id), to);
            }
        }
        for id in self.ids().filter(|&id| self.is_enabled(id)) {
            self.draw_disc(id, view, to);
        }
        if view.contacts {
            for event in self.events() {
                if let Event::Impact(Impact { point, normal, a, .. }) = *event {
                    let length = self.get(a).map_or(0.0, |disc| disc.radius());
                    to.line(point, point + normal * length, Mark::Contact);
                    to.point(point, Mark::Contact);
                } else if let Event::Held(Hold { point, .. }) = *event {
                    to.point(point, Mark::Contact);
                }
            }
        }
    }

    fn draw_regions(&self, reach: f64, to: &mut dyn DebugDraw) {
        for (id, region) in self.regions() {
            let origin = region.carrier.and_then(|id| self.get(id)).map(|disc| disc.position());
            let is_entered = self.inside(id).is_ok_and(|mut inside| inside.next().is_some());
            let mark = if is_entered { Mark::Entered(id) } else { Mark::Region(id) };
            outline::region(&region.shape, origin.unwrap_or_default(), reach, mark, to);
        }
    }

    fn draw_disc(&self, id: DiscId, view: &DebugView, to: &mut dyn DebugDraw) {
        let Some(disc) = self.get(id) else { return };
        let (centre, velocity, is_sensor) = (disc.position(), disc.velocity(), disc.sensor() != Sensor::No);
        if view.discs {
            let mark = if is_sensor { Mark::Sensor(id) } else { Mark::Disc(id) };
            to.circle(centre, disc.radius(), mark);
        }
        if view.velocities > 0.0 && velocity != glam::DVec2::ZERO {
            to.line(centre, centre + velocity * view.velocities, Mark::Velocity(id));
        }
        if view.contacts {
            for held in self.held_to(id) {
                // Of two discs each is held to the other.
                if let Partner::Disc(other) = held
                    && let Some(other) = self.get(other)
                    && other.id().slot() > id.slot()
                {
                    let share = disc.radius() / (disc.radius() + other.radius());
                    to.point(centre + (other.position() - centre) * share, Mark::Contact);
                }
            }
        }
        if view.next_impacts > 0.0 && !is_sensor {
            let options = CastOptions::new().with_max_time(view.next_impacts);
            let others = QueryFilter::new().excluding(id);
            // What presses on something meets it at once, and has no next impact.
            if let Ok(Some(hit)) = self.cast_disc(&disc.to_disc(), &options, &others)
                && hit.seconds > 0.0
            {
                to.circle(hit.position, disc.radius(), Mark::NextImpact(id));
                to.point(hit.point, Mark::NextImpact(id));
            }
        }
    }
}
