use crate::crossing::CrossingNote;
use crate::sense::{Flights, Placed, Planned, Sensing};
use crate::sink::Sink;
use crate::state::rules::SensorRules;
use crate::store::Store;
use crate::{
    Crossing, CrossingCause, Disc, Error, Event, Extent, Physics, Region, RegionShape, Rules, Sensor,
    Upcoming, UpcomingKind, WallId, World,
};
use carom_broadphase::{Kind, Scheduled, Slot};
use carom_math::Time;

/// What edits change.
impl<P: Physics> World<P> {
    /// To be called when a disc has been put somewhere, or has another size.
    #[inline(always)]
    pub(crate) fn sense_placed(&mut self, slot: Slot) {
        if self.store.sensing.is_some() {
            self.sense_anew(slot, |_| true);
        }
    }

    /// To be called when a disc has another size.
    #[inline(always)]
    pub(crate) fn sense_resized(&mut self, slot: Slot) {
        if self.store.sensing.is_some() {
            self.renew_sensor(slot);
            self.sense_anew(slot, |region| region.extent == Extent::Edge);
        }
    }

    /// Refuses a disc that cannot be a sensor in this world.
    pub(super) fn check_sensor(&self, disc: &Disc<P::Body, P::Extra>) -> Result<(), Error> {
        match disc.sensor {
            Sensor::No => Ok(()),
            sensor => self.check_region(&Region::of_sensor(sensor, disc.radius, disc.rules, disc.user_data)),
        }
    }

    /// As `check_sensor`, of a disc that is to have another radius.
    pub(super) fn check_sensor_size(&self, slot: Slot, radius: f64) -> Result<(), Error> {
        match self.store.bodies.sensors.get(slot) {
            SensorRules { sensor: Sensor::No, .. } => Ok(()),
            SensorRules { sensor, rules } => self.check_region(&Region::of_sensor(sensor, radius, rules, 0)),
        }
    }

    /// Gives a disc that has been inserted the region that it is as a sensor.
    pub(super) fn put_up_sensor(&mut self, slot: Slot) {
        let SensorRules { sensor, rules } = self.store.bodies.sensors.get(slot);
        if sensor != Sensor::No {
            let (radius, user_data) =
                (self.store.bodies.radius_at(slot, self.store.now), self.store.bodies.user_data.get(slot));
            let own =
                Region::of_sensor(sensor, radius, rules, user_data).carried_by(self.store.bodies.id(slot));
            self.put_up_region(own, true);
        }
    }

    /// Changes the region that a disc is as a sensor, if it is one, to its size and rules.
    pub(super) fn renew_sensor(&mut self, slot: Slot) {
        let Some(id) = self.sensor_region(self.store.bodies.id(slot)) else { return };
        let SensorRules { sensor, rules } = self.store.bodies.sensors.get(slot);
        let (radius, user_data) =
            (self.store.bodies.radius_at(slot, self.store.now), self.store.bodies.user_data.get(slot));
        let own = Region::of_sensor(sensor, radius, rules, user_data).carried_by(self.store.bodies.id(slot));
        self.change_region(id.slot(), own, true);
    }

    /// Sets the rules of a disc that is a sensor, which are in force at once.
    pub(super) fn set_sensor_rules(&mut self, slot: Slot, rules: Rules) {
        let sensor = self.store.bodies.sensors.get(slot).sensor;
        self.store.bodies.sensors.set(slot, SensorRules { sensor, rules });
        self.renew_sensor(slot);
        for r in 0..self.region_slots() {
            self.sense_pair(r, slot, CrossingCause::Rules);
        }
        self.mark(slot);
    }

    #[cold]
    fn sense_anew(&mut self, slot: Slot, concerns: impl Fn(&Region) -> bool) {
        for r in 0..self.region_slots() {
            let Some(placed) = self.placed_region(r) else { continue };
            if placed.carrier() == Some(slot) {
                self.sense_all(r, CrossingCause::Placed);
            } else if concerns(&placed.region) {
                self.sense_pair(r, slot, CrossingCause::Placed);
            }
        }
    }

    /// To be called when other rules of a disc have come into force.
    #[inline(always)]
    pub(super) fn sense_rules(&mut self, slot: Slot, before: &Rules) {
        if self.store.sensing.is_some() {
            self.sense_changed_rules(slot, before);
        }
    }

    /// To be called when a disc has been taken off the plane, or put back.
    #[cold]
    pub(super) fn sense_enabled(&mut self, slot: Slot) {
        let cause = if self.store.bodies.off.contains(slot) {
            CrossingCause::Disabled
        } else {
            CrossingCause::Placed
        };
        for r in 0..self.region_slots() {
            if self.placed_region(r).is_some_and(|placed| placed.is_own && placed.carrier() == Some(slot)) {
                self.sense_all(r, cause);
            } else {
                self.sense_pair(r, slot, cause);
            }
        }
    }

    #[cold]
    fn sense_changed_rules(&mut self, slot: Slot, before: &Rules) {
        let rules = self.store.bodies.rules.get(slot);
        for r in 0..self.region_slots() {
            if self
                .placed_region(r)
                .is_some_and(|placed| placed.sees(slot, before) != placed.sees(slot, &rules))
            {
                self.sense_pair(r, slot, CrossingCause::Rules);
            }
        }
    }

    /// To be called before a disc is removed.
    #[inline(always)]
    pub(super) fn sense_removal(&mut self, slot: Slot) {
        if self.store.sensing.is_some() {
            self.sense_removed(slot);
        }
    }

    #[cold]
    fn sense_removed(&mut self, slot: Slot) {
        let serial = self.store.bodies.detail(slot).serial;
        for r in 0..self.region_slots() {
            if self.placed_region(r).is_some_and(|placed| placed.carrier() == Some(slot)) {
                self.drop_region(r);
            } else if self.store.sensing.as_ref().is_some_and(|sensing| sensing.is_inside(r, serial)) {
                self.set_inside(r, slot, false, CrossingCause::DiscRemoved);
            }
        }
        if let Some(sensing) = &mut self.store.sensing {
            sensing.begin_disc(slot);
        }
    }

    /// To be called before a wall is removed.
    pub(super) fn sense_wall_removal(&mut self, id: WallId) {
        for r in 0..self.region_slots() {
            let is_it = |placed: &Placed| placed.region.shape == RegionShape::Wall { wall: id };
            if self.placed_region(r).is_some_and(is_it) {
                self.drop_region(r);
            }
        }
    }

    fn region_slots(&self) -> u32 {
        self.store.sensing.as_ref().map_or(0, |sensing| sensing.slots.len() as u32)
    }

    fn placed_region(&self, r: u32) -> Option<&Placed> {
        self.store.sensing.as_ref()?.slots.get(r as usize)?.placed.as_ref()
    }

    /// Finds what is inside of a region, and plans all crossings of it.
    pub(super) fn sense_all(&mut self, r: u32, cause: CrossingCause) {
        self.edited();
        self.for_each_live(|world, slot| world.sense_pair(r, slot, cause));
        let Store { sensing, bodies, walls, clock, now, .. } = &mut self.store;
        if let Some(sensing) = sensing {
            sensing.plan_region(&Flights { bodies, walls, clock, now: *now }, r);
        }
    }

    /// Looks whether a disc is inside of a region.
    fn sense_pair(&mut self, r: u32, slot: Slot, cause: CrossingCause) {
        let Some(placed) = self.placed_region(r) else { return };
        let is_inside =
            placed.sees_disc(&self.store.bodies, slot) && self.flights().is_inside_now(placed, slot);
        let serial = self.store.bodies.detail(slot).serial;
        if self.store.sensing.as_ref().is_some_and(|sensing| sensing.is_inside(r, serial) != is_inside) {
            self.set_inside(r, slot, is_inside, cause);
        }
    }

    /// Notes that an edit has made a disc be inside of a region, or not.
    fn set_inside(&mut self, r: u32, slot: Slot, is_inside: bool, cause: CrossingCause) {
        let serial = self.store.bodies.detail(slot).serial;
        self.note_crossing(r, slot, is_inside, cause);
        if let Some(sensing) = &mut self.store.sensing {
            sensing.set_inside(r, slot, serial, is_inside);
        }
    }

    pub(super) fn note_crossing(&mut self, r: u32, slot: Slot, enters: bool, cause: CrossingCause) {
        let Some(placed) = self.placed_region(r) else { return };
        let serials = [self.store.bodies.detail(slot).serial, placed.number];
        let Some(mut crossing) = self.crossing(r, slot, cause) else { return };
        (crossing.time, crossing.velocity) = (self.now(), crossing.velocity * self.pace());
        if let Some(sensing) = &mut self.store.sensing {
            sensing.note(CrossingNote { crossing, enters, serials });
        }
    }

    /// A crossing now; of the schedule's time and velocity.
    fn crossing(&self, r: u32, slot: Slot, cause: CrossingCause) -> Option<Crossing> {
        let (sensing, motion) =
            (self.store.sensing.as_ref()?, self.store.bodies.wrapped_motion_at(slot, self.store.now));
        let of_region = sensing.slots[r as usize].placed.as_ref()?.region.user_data;
        Some(Crossing {
            time: self.store.now,
            disc: self.store.bodies.id(slot),
            region: sensing.id(r),
            user_data: [self.store.bodies.user_data.get(slot), of_region],
            position: motion.position,
            velocity: motion.velocity,
            cause,
        })
    }

    fn flights(&self) -> Flights<'_, P> {
        Flights {
            bodies: &self.store.bodies,
            walls: &self.store.walls,
            clock: &self.store.clock,
            now: self.store.now,
        }
    }
}

/// Crossings as events.
impl<P: Physics> World<P> {
    /// Plans the crossings of the marked discs.
    #[inline(always)]
    pub(super) fn plan_crossings(&mut self) {
        if self.store.sensing.is_some() {
            self.plan_marked_crossings();
        }
    }

    #[cold]
    fn plan_marked_crossings(&mut self) {
        let Store { sensing, bodies, walls, clock, now, dirty, .. } = &mut self.store;
        dirty.sort_unstable();
        if let Some(sensing) = sensing {
            sensing.plan_discs(&Flights { bodies, walls, clock, now: *now }, dirty);
        }
    }

    /// Reports what edits have changed: leaving first, then entering, each by serial numbers.
    /// Returns whether there was anything.
    #[inline(always)]
    pub(super) fn report_crossings<K: Sink<P>>(&mut self, sink: &mut K) {
        if let Some(sensing) = &mut self.store.sensing
            && !sensing.notes.is_empty()
        {
            report_notes(sensing, sink);
        }
    }

    /// The first crossing, if it comes before what is due, and not after a time.
    // By value, so that a world without regions need not store it.
    #[cold]
    #[inline(never)]
    pub(super) fn crossing_due(&mut self, due: Option<Scheduled>, until: Time) -> Option<Planned> {
        let first = self.store.sensing.as_mut()?.first()?;
        let is_first = due.is_none_or(|due| {
            first.time < due.time || (first.time == due.time && !first.enters && due.kind == Kind::Impact)
        });
        (is_first && first.time <= until).then_some(first)
    }

    /// The time of what is next, if it is not after a time.
    pub(super) fn next_time_before(&mut self, until: Time) -> Option<Time> {
        let due = self.due(until).filter(|due| due.time <= until);
        let crossing = self.crossing_due(due, until);
        crossing.map(|crossing| crossing.time).or(due.map(|due| due.time))
    }

    /// The first crossing, if it comes before the next event of the schedule.
    pub(super) fn next_crossing_before(&mut self, next: Option<Scheduled>) -> Option<Upcoming> {
        let limit = self.last_time();
        let Planned { time, enters, disc, region, .. } = self.crossing_due(next, limit)?;
        let (disc, region) = (self.store.bodies.id(disc), self.store.sensing.as_ref()?.id(region));
        let kind = if enters { UpcomingKind::Enter(disc, region) } else { UpcomingKind::Leave(disc, region) };
        Some(Upcoming { time: self.time_of_next(time), kind })
    }

    /// Has a disc cross the border of a region.
    #[cold]
    pub(super) fn cross<K: Sink<P>>(&mut self, planned: &Planned, sink: &mut K) {
        let &Planned { time, enters, serials, disc, region, .. } = planned;
        debug_assert!(time >= self.store.now, "{planned:?} lies in the past of {:?}", self.store.now);
        self.store.now = time;
        self.edited();
        let Store { sensing, bodies, walls, clock, .. } = &mut self.store;
        let Some(sensing) = sensing else { return };
        sensing.take_first();
        sensing.set_inside(region, disc, serials[0], enters);
        sensing.plan(&Flights { bodies, walls, clock, now: time }, region, disc);
        if K::ACTIVE
            && let Some(crossing) = self.crossing(region, disc, CrossingCause::Motion)
        {
            let event = if enters { Event::Entered(crossing) } else { Event::Left(crossing) };
            _ = sink.event(&event);
        }
    }

    /// See [`World::assert_well_formed`].
    pub(super) fn assert_regions_well_formed(&mut self) {
        let Store { sensing, bodies, walls, clock, now, .. } = &mut self.store;
        if let Some(sensing) = sensing {
            sensing.assert_well_formed(&Flights { bodies, walls, clock, now: *now });
        }
    }
}

#[cold]
fn report_notes<P: Physics, K: Sink<P>>(sensing: &mut Sensing, sink: &mut K) {
    sensing.notes.sort_by_key(|note| (note.enters, note.serials));
    for CrossingNote { crossing, enters, .. } in sensing.notes.drain(..) {
        let event = if enters { Event::Entered(crossing) } else { Event::Left(crossing) };
        _ = sink.event(&event);
    }
}
