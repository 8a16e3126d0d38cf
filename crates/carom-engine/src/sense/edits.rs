use super::{Flights, Placed, Sensing, flight};
use crate::crossing::{Crossing, CrossingCause, CrossingNote};
use crate::sink::Sink;
use crate::state::rules::SensorRules;
use crate::{Error, Event, Extent, Physics, Region, RegionId, RegionShape, Rules, Sensor, WallId};
use carom_broadphase::Slot;

/// Refuses a region with a number out of range, or one that this world cannot have.
pub(crate) fn check_region(flights: &Flights<'_>, region: &Region) -> Result<(), Error> {
    region.check()?;
    if let Some(carrier) = region.carrier {
        flights.bodies.slot(carrier)?;
    }
    if let RegionShape::Wall { wall } = region.shape {
        let slot = flights.walls.slot(wall)?;
        match flights.walls.course(slot) {
            Some(course) if course.is_over() => {}
            Some(course) if course.way.is_rotation() => {
                return Err(Error::CannotTurn { wall, reason: "it turns, and regions do not" });
            }
            Some(_) => return Err(Error::CannotMoveWall { wall, reason: "it moves, and regions do not" }),
            None => {}
        }
    }
    check_extent(flights, region)
}

/// Refuses a region that discs that grow, or a periodic plane, do not have.
fn check_extent(flights: &Flights<'_>, region: &Region) -> Result<(), Error> {
    let is_by_edge = region.extent == Extent::Edge;
    let value = f64::from(u8::from(is_by_edge));
    if is_by_edge && flights.bodies.growth.is_on() {
        let reason = "the edges of discs that grow cross borders at times without a closed form";
        return Err(Error::Inconsistent { field: "extent", value, reason });
    }
    if flights.bodies.periods.is_open() {
        return Ok(());
    }
    let most = 0.49 * flights.bodies.periods.shortest();
    match region.shape {
        _ if is_by_edge => {
            let reason = "in a periodic world a region sees centres, not edges";
            Err(Error::Inconsistent { field: "extent", value, reason })
        }
        RegionShape::Disc { radius, .. } if radius <= most => Ok(()),
        RegionShape::Disc { radius, .. } => {
            let reason = "in a periodic world no region is larger than 0.49 periods";
            Err(Error::Inconsistent { field: "radius", value: radius, reason })
        }
        _ => {
            let reason = "in a periodic world a region is a disc";
            Err(Error::Inconsistent { field: "shape", value: most, reason })
        }
    }
}

/// Refuses a disc of a radius that cannot be a sensor in this world.
pub(crate) fn check_sensor(
    flights: &Flights<'_>,
    &SensorRules { sensor, rules }: &SensorRules,
    radius: f64,
) -> Result<(), Error> {
    match sensor {
        Sensor::No => Ok(()),
        sensor => {
            let region = Region::of_sensor(sensor, radius, rules, 0);
            region.check()?;
            check_extent(flights, &region)
        }
    }
}

/// The region that a disc is as a sensor, if it is one.
pub(crate) fn own_region(flights: &Flights<'_>, slot: Slot) -> Option<Region> {
    let SensorRules { sensor, rules } = flights.bodies.sensors.get(slot);
    let (radius, user_data) =
        (flights.bodies.radius_at(slot, flights.now), flights.bodies.user_data.get(slot));
    let own = || Region::of_sensor(sensor, radius, rules, user_data).carried_by(flights.bodies.id(slot));
    (sensor != Sensor::No).then(own)
}

/// What edits change.
impl Sensing {
    /// Puts up a region. What is inside enters.
    pub(crate) fn put_up(&mut self, flights: &Flights<'_>, region: Region, is_own: bool) -> RegionId {
        let r = self.insert(region, is_own);
        self.look_at_all(flights, r, CrossingCause::Placed);
        self.id(r)
    }

    /// Puts another region in the place of one.
    pub(crate) fn change(&mut self, flights: &Flights<'_>, r: u32, region: Region, is_own: bool) {
        let Some(placed) = &mut self.slots[r as usize].placed else { return };
        let is_same_place = (placed.region.shape, placed.region.carrier, placed.region.extent)
            == (region.shape, region.carrier, region.extent);
        *placed = Placed::new(region, placed.number, is_own);
        let cause = if is_same_place { CrossingCause::Rules } else { CrossingCause::Placed };
        self.look_at_all(flights, r, cause);
    }

    /// Removes a region. What is inside leaves.
    pub(crate) fn take_down(&mut self, flights: &Flights<'_>, r: u32) -> Option<Region> {
        let inside = core::mem::take(&mut self.slots[r as usize].inside);
        for &(_, slot) in &inside {
            self.note_crossing(flights, r, slot, false, CrossingCause::RegionRemoved);
        }
        self.remove(r)
    }

    /// The region that a disc is as a sensor.
    pub(crate) fn own_of(&self, slot: Slot) -> Option<u32> {
        self.placed().find(|(_, placed)| placed.is_own && placed.carrier() == Some(slot)).map(|(r, _)| r)
    }

    /// To be called when a disc has been put somewhere.
    #[cold]
    pub(crate) fn see_placed(&mut self, flights: &Flights<'_>, slot: Slot) {
        self.see_anew(flights, slot, |_| true);
    }

    /// To be called when a disc has another size.
    #[cold]
    pub(crate) fn see_resized(&mut self, flights: &Flights<'_>, slot: Slot) {
        self.renew_own(flights, slot);
        self.see_anew(flights, slot, |region| region.extent == Extent::Edge);
    }

    fn see_anew(&mut self, flights: &Flights<'_>, slot: Slot, concerns: impl Fn(&Region) -> bool) {
        for r in self.numbers() {
            let Some(placed) = &self.slots[r as usize].placed else { continue };
            if placed.carrier() == Some(slot) {
                self.look_at_all(flights, r, CrossingCause::Placed);
            } else if concerns(&placed.region) {
                self.look_at(flights, r, slot, CrossingCause::Placed);
            }
        }
    }

    /// Changes the region that a disc is as a sensor, if it is one, to its size, rules and user data.
    pub(crate) fn renew_own(&mut self, flights: &Flights<'_>, slot: Slot) {
        if let Some((r, own)) = self.own_of(slot).zip(own_region(flights, slot)) {
            self.change(flights, r, own, true);
        }
    }

    /// To be called when a disc that is a sensor has other rules.
    pub(crate) fn see_sensor_rules(&mut self, flights: &Flights<'_>, slot: Slot) {
        self.renew_own(flights, slot);
        self.numbers().for_each(|r| self.look_at(flights, r, slot, CrossingCause::Rules));
    }

    /// To be called when other rules of a disc have come into force.
    #[cold]
    pub(crate) fn see_rules(&mut self, flights: &Flights<'_>, slot: Slot, before: &Rules) {
        let rules = flights.bodies.rules.get(slot);
        for r in self.numbers() {
            let changes = |placed: &Placed| placed.sees(slot, before) != placed.sees(slot, &rules);
            if self.slots[r as usize].placed.as_ref().is_some_and(changes) {
                self.look_at(flights, r, slot, CrossingCause::Rules);
            }
        }
    }

    /// To be called when a disc has been taken off the plane, or put back.
    #[cold]
    pub(crate) fn see_enabled(&mut self, flights: &Flights<'_>, slot: Slot) {
        let is_off = flights.bodies.off.contains(slot);
        let cause = if is_off { CrossingCause::Disabled } else { CrossingCause::Placed };
        let own = self.own_of(slot);
        for r in self.numbers() {
            if own == Some(r) {
                self.look_at_all(flights, r, cause);
            } else {
                self.look_at(flights, r, slot, cause);
            }
        }
    }

    /// To be called before a disc is removed.
    #[cold]
    pub(crate) fn see_removal(&mut self, flights: &Flights<'_>, slot: Slot) {
        let serial = flights.bodies.detail(slot).serial;
        for r in self.numbers() {
            let Some(placed) = &self.slots[r as usize].placed else { continue };
            if placed.carrier() == Some(slot) {
                self.take_down(flights, r);
            } else if self.is_inside(r, serial) {
                self.change_inside(flights, r, slot, false, CrossingCause::DiscRemoved);
            }
        }
        self.begin_disc(slot);
    }

    /// To be called before a wall is removed.
    #[cold]
    pub(crate) fn see_wall_removal(&mut self, flights: &Flights<'_>, wall: WallId) {
        for r in self.numbers() {
            let is_it = |placed: &Placed| placed.region.shape == RegionShape::Wall { wall };
            if self.slots[r as usize].placed.as_ref().is_some_and(is_it) {
                self.take_down(flights, r);
            }
        }
    }

    fn numbers(&self) -> core::ops::Range<u32> {
        0..self.slots.len() as u32
    }

    /// Finds what is inside of a region, and plans all crossings of it.
    fn look_at_all(&mut self, flights: &Flights<'_>, r: u32, cause: CrossingCause) {
        flights.bodies.live().for_each(|slot| self.look_at(flights, r, slot, cause));
        self.plan_region(flights, r);
    }

    /// Looks whether a disc is inside of a region.
    fn look_at(&mut self, flights: &Flights<'_>, r: u32, slot: Slot, cause: CrossingCause) {
        let Some(placed) = &self.slots[r as usize].placed else { return };
        let is_inside =
            placed.sees_disc(flights.bodies, slot) && flight::is_inside_now(flights, placed, slot);
        if self.is_inside(r, flights.bodies.detail(slot).serial) != is_inside {
            self.change_inside(flights, r, slot, is_inside, cause);
        }
    }

    /// Notes that an edit has made a disc be inside of a region, or not.
    fn change_inside(
        &mut self,
        flights: &Flights<'_>,
        r: u32,
        slot: Slot,
        is_inside: bool,
        cause: CrossingCause,
    ) {
        self.note_crossing(flights, r, slot, is_inside, cause);
        self.set_inside(r, slot, flights.bodies.detail(slot).serial, is_inside);
    }

    fn note_crossing(
        &mut self,
        flights: &Flights<'_>,
        r: u32,
        slot: Slot,
        enters: bool,
        cause: CrossingCause,
    ) {
        let Some(Placed { number, .. }) = self.slots[r as usize].placed else { return };
        let Some(crossing) = self.crossing(flights, r, slot, cause) else { return };
        let drag = flights.drag.map(|drag| (drag.now, drag.pacing.pace(flights.now, drag.now)));
        let (time, pace) = drag.unwrap_or((flights.now, 1.0));
        let crossing = Crossing { time, velocity: crossing.velocity * pace, ..crossing };
        self.note(CrossingNote { crossing, enters, serials: [flights.bodies.detail(slot).serial, number] });
    }

    /// A crossing now; of the schedule's time and velocity.
    pub(super) fn crossing(
        &self,
        flights: &Flights<'_>,
        r: u32,
        slot: Slot,
        cause: CrossingCause,
    ) -> Option<Crossing> {
        let motion = flights.bodies.wrapped_motion_at(slot, flights.now);
        let of_region = self.slots[r as usize].placed.as_ref()?.region.user_data;
        Some(Crossing {
            time: flights.now,
            disc: flights.bodies.id(slot),
            region: self.id(r),
            user_data: [flights.bodies.user_data.get(slot), of_region],
            position: motion.position,
            velocity: motion.velocity,
            cause,
        })
    }

    /// Reports what edits have changed: leaving first, then entering, each by serial numbers.
    #[inline(always)]
    pub(crate) fn report<P: Physics, K: Sink<P>>(&mut self, sink: &mut K) {
        if !self.notes.is_empty() {
            self.report_notes(sink);
        }
    }

    #[cold]
    fn report_notes<P: Physics, K: Sink<P>>(&mut self, sink: &mut K) {
        self.notes.sort_by_key(|note| (note.enters, note.serials));
        for CrossingNote { crossing, enters, .. } in self.notes.drain(..) {
            let event = if enters { Event::Entered(crossing) } else { Event::Left(crossing) };
            _ = sink.event(&event);
        }
    }
}
