use super::{Bodies, Detail};
use crate::Physics;
use crate::state::bend::Bend;
use crate::state::growth::Growth;
use crate::state::record::Record;
use crate::walk::{Place, Walk};
use carom_broadphase::Slot;

impl<P: Physics> Bodies<P> {
    /// `numbers` are those of the facets if those of removed walls are left out.
    pub(crate) fn walk(&self, walk: &mut Walk<'_>, numbers: &[Option<u32>]) {
        let Bodies {
            records,
            bends: _,
            // Copies.
            blocks: _,
            bend_blocks: _,
            sweeping: _,
            periods: _,
            growth: Growth { rate, since, limit: _ },
            contacts,
            // Bounds for searches.
            largest: _,
            wide: _,
            windings: _,
            details: _,
            free,
            walls: _,
            user_data: _,
            overlap: _,
            rules: _,
            sensors: _,
            off: _,
            movers: _,
            generations,
            next_serial,
            // Of copies that are thrown away.
            only: _,
        } = self;
        walk.at(Place::World);
        walk.number("growth.rate", *rate);
        walk.time("growth.since", *since);
        walk.size("number of discs", self.len());
        walk.size("slots of discs", records.len());
        for slot in 0..records.len() as Slot {
            walk.at(Place::DiscSlot(slot));
            walk.flag("is taken", self.is_live(slot));
            walk.count("generation", generations.get(slot).into());
        }
        for (k, &slot) in (0..).zip(free) {
            walk.at(Place::DiscSlot(slot));
            walk.count("place among the free ones", k);
        }
        self.live().for_each(|slot| self.walk_motion(walk, slot));
        self.live().for_each(|slot| self.walk_rest(walk, slot, numbers));
        walk.at(Place::World);
        walk.count("next serial number", *next_serial);
        contacts.walk(walk, numbers, &|slot| self.place_of(slot));
    }

    pub(crate) fn place_of(&self, slot: Slot) -> Place {
        if self.is_live(slot) {
            Place::Disc { id: self.id(slot), serial: self.detail(slot).serial }
        } else {
            Place::DiscSlot(slot)
        }
    }

    fn walk_motion(&self, walk: &mut Walk<'_>, slot: Slot) {
        let Record { x, y, vx, vy, start: _, offset: _, radius, tag: _ } = *self.record(slot);
        walk.at(self.place_of(slot));
        walk.number("position.x", x);
        walk.number("position.y", y);
        walk.number("velocity.x", vx);
        walk.number("velocity.y", vy);
        walk.time("time", self.time(slot));
        walk.number("radius", radius);
        if P::ACCELERATED {
            let Bend { acceleration, lasts, low_impacts } = *self.bend(slot);
            walk.vector(["acceleration.x", "acceleration.y"], acceleration);
            walk.number("end of its motion", lasts);
            walk.count("impacts near its rest height", low_impacts.into());
        }
        let [across, up] = self.windings.get(slot);
        walk.count("windings[0]", across as u64);
        walk.count("windings[1]", up as u64);
    }

    fn walk_rest(&self, walk: &mut Walk<'_>, slot: Slot, numbers: &[Option<u32>]) {
        let Detail { serial, mass, restitution, extra, own, partner: _, rapid_impacts } = self.detail(slot);
        walk.at(self.place_of(slot));
        walk.text("extra state", extra);
        walk.number("mass", *mass);
        walk.number("restitution", *restitution);
        walk.text("body", own);
        walk.count("user data", self.user_data.get(slot));
        walk.text("overlap", &self.overlap.get(slot));
        let (rules, latest) = (self.rules.get(slot), self.rules.latest(slot));
        walk.text("rules in force", &rules);
        walk.text("rules", &latest);
        walk.text("sensor", &self.sensors.get(slot));
        walk.text("what it is as a kinematic disc", &self.movers.get(slot));
        walk.text("what it is off the plane", &self.off.get(slot));
        walk.count("serial number", *serial);
        let stamp = self.stamp(slot);
        walk.count("impact", stamp.number());
        walk.text("kind of the impact", &stamp.kind());
        walk.count("serial number of the partner", self.serial_of_partner(slot));
        walk.count("rapid impacts", (*rapid_impacts).into());
        self.walls.get(slot).walk(walk, numbers);
    }

    /// The serial number of the disc that one met in the impact which wrote its state; its own if none, or if
    /// that one's state is from another impact by now, after which it means nothing.
    pub(crate) fn serial_of_partner(&self, slot: Slot) -> u64 {
        let Detail { serial, partner, .. } = *self.detail(slot);
        if self.is_live(partner) && self.stamp(slot).same_impact(self.stamp(partner)) {
            self.detail(partner).serial
        } else {
            serial
        }
    }
}
