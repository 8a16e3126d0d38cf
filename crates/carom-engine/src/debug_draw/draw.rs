use super::{DebugDraw, DebugView, Mark, outline};
use crate::disc_ref::DiscRef;
use crate::state::contacts::HeldTo;
use crate::store::Store;
use crate::{DiscHit, Event, Hold, Impact, Physics, Sensor};
use glam::DVec2;

/// What is drawn, and how.
pub(crate) struct Drawing<'d, P: Physics> {
    pub(crate) store: &'d Store<P>,
    /// Those of the latest call.
    pub(crate) events: &'d [Event<P::Change>],
    /// What a disc will meet first, if all go on as they move now.
    pub(crate) next_impact: &'d dyn Fn(DiscRef<'_, P>) -> Option<DiscHit>,
    pub(crate) view: &'d DebugView,
}

impl<P: Physics> Drawing<'_, P> {
    pub(crate) fn draw(&self, to: &mut dyn DebugDraw) {
        let Drawing { store, view, .. } = self;
        if view.regions {
            self.draw_regions(to);
        }
        if view.walls {
            for slot in store.walls.live() {
                let mark = Mark::Wall(store.walls.id(slot));
                outline::wall(&store.shape_of_wall(slot), view.reach, mark, to);
            }
        }
        for slot in store.bodies.live().filter(|&slot| !store.bodies.off.contains(slot)) {
            self.draw_disc(DiscRef { store, slot }, to);
        }
        if view.contacts {
            for event in self.events {
                if let Event::Impact(Impact { point, normal, a, .. }) = *event {
                    let slot = store.bodies.slot(a);
                    let length = slot.map_or(0.0, |slot| store.bodies.radius_at(slot, store.now));
                    to.line(point, point + normal * length, Mark::Contact);
                    to.point(point, Mark::Contact);
                } else if let Event::Held(Hold { point, .. }) = *event {
                    to.point(point, Mark::Contact);
                }
            }
        }
    }

    fn draw_regions(&self, to: &mut dyn DebugDraw) {
        let Some(sensing) = &self.store.sensing else { return };
        for (r, placed) in sensing.placed() {
            let carrier = placed.carrier().map(|slot| DiscRef { store: self.store, slot }.position());
            let is_entered = !sensing.slots[r as usize].inside.is_empty();
            let id = sensing.id(r);
            let mark = if is_entered { Mark::Entered(id) } else { Mark::Region(id) };
            outline::region(&placed.region.shape, carrier.unwrap_or_default(), self.view.reach, mark, to);
        }
    }

    fn draw_disc(&self, disc: DiscRef<'_, P>, to: &mut dyn DebugDraw) {
        let (view, id, centre, velocity) = (self.view, disc.id(), disc.position(), disc.velocity());
        let is_sensor = disc.sensor() != Sensor::No;
        if view.discs {
            let mark = if is_sensor { Mark::Sensor(id) } else { Mark::Disc(id) };
            to.circle(centre, disc.radius(), mark);
        }
        if view.velocities > 0.0 && velocity != DVec2::ZERO {
            to.line(centre, centre + velocity * view.velocities, Mark::Velocity(id));
        }
        if view.contacts {
            let held = self.store.bodies.contacts.holds.of(disc.slot).iter().filter(|held| held.presses);
            for held in held {
                // Of two discs each is held to the other.
                if let HeldTo::Disc(slot) = held.to
                    && slot > disc.slot
                {
                    let other = DiscRef { store: self.store, slot };
                    let share = disc.radius() / (disc.radius() + other.radius());
                    to.point(centre + (other.position() - centre) * share, Mark::Contact);
                }
            }
        }
        // What presses on something meets it at once, and has no next impact.
        if view.next_impacts > 0.0
            && !is_sensor
            && let Some(hit) = (self.next_impact)(disc)
            && hit.seconds > 0.0
        {
            to.circle(hit.position, disc.radius(), Mark::NextImpact(id));
            to.point(hit.point, Mark::NextImpact(id));
        }
    }
}
