use super::{DebugDraw, DebugView, Mark, outline};
use crate::state::contacts::HeldTo;
use crate::store::Common;
use crate::{DiscHit, DiscId, Sensor, WallShape};
use carom_broadphase::Slot;
use glam::DVec2;
use std::borrow::Cow;

/// What is drawn, and how.
pub(crate) struct Drawing<'d> {
    pub(crate) common: &'d Common,
    /// The form and place of a wall at the present.
    pub(crate) shape_of_wall: &'d dyn Fn(u32) -> Cow<'d, WallShape>,
    /// What a disc will meet first, if all go on as they move now.
    pub(crate) next_impact: &'d dyn Fn(Slot) -> Option<DiscHit>,
    pub(crate) view: &'d DebugView,
}

impl Drawing<'_> {
    pub(crate) fn draw(&self, to: &mut dyn DebugDraw) {
        let Drawing { common, shape_of_wall, view, .. } = self;
        if view.regions {
            self.draw_regions(to);
        }
        if view.walls {
            for slot in common.walls.live() {
                outline::wall(&shape_of_wall(slot), view.reach, Mark::Wall(common.walls.id(slot)), to);
            }
        }
        for slot in common.bodies.live().filter(|&slot| !common.bodies.off.contains(slot)) {
            self.draw_disc(slot, to);
        }
    }

    fn draw_regions(&self, to: &mut dyn DebugDraw) {
        let Some(sensing) = &self.common.sensing else { return };
        for (r, placed) in sensing.placed() {
            let carrier = placed.carrier().map_or(DVec2::ZERO, |slot| self.centre(slot));
            let is_entered = !sensing.slots[r as usize].inside.is_empty();
            let id = sensing.id(r);
            let mark = if is_entered { Mark::Entered(id) } else { Mark::Region(id) };
            outline::region(&placed.region.shape, carrier, self.view.reach, mark, to);
        }
    }

    fn draw_disc(&self, slot: Slot, to: &mut dyn DebugDraw) {
        let Drawing { common: &Common { ref bodies, now, .. }, view, .. } = *self;
        let (id, centre, radius) = (bodies.id(slot), self.centre(slot), bodies.radius_at(slot, now));
        let velocity = self.common.true_velocity(slot);
        let is_sensor = bodies.sensors.get(slot).sensor != Sensor::No;
        if view.discs {
            let mark = if is_sensor { Mark::Sensor(id) } else { Mark::Disc(id) };
            to.circle(centre, radius, mark);
        }
        if view.velocities > 0.0 && velocity != DVec2::ZERO {
            to.line(centre, centre + velocity * view.velocities, Mark::Velocity(id));
        }
        if view.contacts {
            for held in bodies.contacts.holds.of(slot).iter().filter(|held| held.presses) {
                // Of two discs each is held to the other.
                if let HeldTo::Disc(other) = held.to
                    && other > slot
                {
                    let share = radius / (radius + bodies.radius_at(other, now));
                    to.point(centre + (self.centre(other) - centre) * share, Mark::Contact);
                }
            }
        }
        // What presses on something meets it at once, and has no next impact.
        if view.next_impacts > 0.0
            && !is_sensor
            && let Some(hit) = (self.next_impact)(slot)
            && hit.seconds > 0.0
        {
            to.circle(hit.position, radius, Mark::NextImpact(id));
            to.point(hit.point, Mark::NextImpact(id));
        }
    }

    /// Draws where a disc has met something, and along the normal how large it is.
    pub(crate) fn draw_impact(&self, disc: DiscId, point: DVec2, normal: DVec2, to: &mut dyn DebugDraw) {
        let Common { bodies, now, .. } = self.common;
        let length = bodies.slot(disc).map_or(0.0, |slot| bodies.radius_at(slot, *now));
        to.line(point, point + normal * length, Mark::Contact);
        to.point(point, Mark::Contact);
    }

    fn centre(&self, slot: Slot) -> DVec2 {
        self.common.bodies.place_at(slot, self.common.now)
    }
}
