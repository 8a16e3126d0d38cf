use crate::debug_draw::outline;
use crate::{
    CastOptions, DebugDraw, DebugView, DiscId, Event, Hold, Impact, Mark, Partner, Physics, QueryFilter,
    Sensor, World,
};

impl<P: Physics> World<P> {
    /// Draws what the world knows at the present: regions first, then walls, discs and what is on them.
    /// Changes nothing. O(discs and walls), and what the next impacts cost.
    pub fn debug_draw(&self, view: &DebugView, to: &mut dyn DebugDraw) {
        if view.regions {
            draw_regions(self, view.reach, to);
        }
        if view.walls {
            for (id, _) in self.walls() {
                let shape = self.store.walls.shape_at(id.slot(), self.store.now);
                outline::wall(&shape, view.reach, Mark::Wall(id), to);
            }
        }
        for id in self.ids().filter(|&id| self.is_enabled(id)) {
            draw_disc(self, id, view, to);
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
}

fn draw_regions<P: Physics>(world: &World<P>, reach: f64, to: &mut dyn DebugDraw) {
    for (id, region) in world.regions() {
        let origin = region.carrier.and_then(|id| world.get(id)).map(|disc| disc.position());
        let is_entered = world.inside(id).is_ok_and(|mut inside| inside.next().is_some());
        let mark = if is_entered { Mark::Entered(id) } else { Mark::Region(id) };
        outline::region(&region.shape, origin.unwrap_or_default(), reach, mark, to);
    }
}

fn draw_disc<P: Physics>(world: &World<P>, id: DiscId, view: &DebugView, to: &mut dyn DebugDraw) {
    let Some(disc) = world.get(id) else { return };
    let (centre, velocity, is_sensor) = (disc.position(), disc.velocity(), disc.sensor() != Sensor::No);
    if view.discs {
        let mark = if is_sensor { Mark::Sensor(id) } else { Mark::Disc(id) };
        to.circle(centre, disc.radius(), mark);
    }
    if view.velocities > 0.0 && velocity != glam::DVec2::ZERO {
        to.line(centre, centre + velocity * view.velocities, Mark::Velocity(id));
    }
    if view.contacts {
        for held in world.held_to(id) {
            // Of two discs each is held to the other.
            if let Partner::Disc(other) = held
                && let Some(other) = world.get(other)
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
        if let Ok(Some(hit)) = world.cast_disc(&disc.to_disc(), &options, &others)
            && hit.seconds > 0.0
        {
            to.circle(hit.position, disc.radius(), Mark::NextImpact(id));
            to.point(hit.point, Mark::NextImpact(id));
        }
    }
}
