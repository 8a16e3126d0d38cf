//! Regions: which discs are inside of them, and when they next enter or leave.
//!
//! Crossings change no state, so they stand in a queue of their own beside the schedule. The next one of a
//! disc and a region is a function of the stored states and of whether the disc is inside
//! ([`flight`]), in terms of the times at which its path is in the region ([`stays`]); what is inside is
//! stored.

mod edits;
mod flight;
mod queue;
mod region;
mod stays;

pub(crate) use self::edits::{check_region, check_sensor, own_region};
pub(crate) use self::flight::Flights;
pub(crate) use self::queue::Planned;
pub use self::region::{Extent, Region, RegionShape};

use self::queue::Queue;
use self::region::Form;
use crate::crossing::{Crossing, CrossingCause, CrossingNote};
use crate::state::bodies::Bodies;
use crate::state::rules::SensorRules;
use crate::{Error, RegionId, Rules, Sensor, WallId};
use carom_broadphase::{Kind, Scheduled, Slot, clone_fields};
use carom_math::Time;

/// The regions of a world, the discs inside of each, and what is planned.
#[derive(Debug, Default)]
pub(crate) struct Sensing {
    pub(crate) slots: Vec<RegionSlot>,
    /// The last is taken next.
    pub(crate) free: Vec<u32>,
    /// The number that the next region gets.
    pub(crate) next_number: u64,
    /// Crossings that have not been reported.
    pub(crate) notes: Vec<CrossingNote>,
    /// How often each disc has been planned.
    versions: Vec<u32>,
    queue: Queue,
}

clone_fields!(Sensing: slots, free, next_number, notes, versions, queue);

/// A slot for a region.
#[derive(Debug, Default)]
pub(crate) struct RegionSlot {
    /// How often it was freed.
    pub(crate) generation: u32,
    pub(crate) placed: Option<Placed>,
    /// Serial numbers and slots of the discs that are inside, in order.
    pub(crate) inside: Vec<(u64, Slot)>,
    /// How often all discs have been planned for it.
    version: u32,
}

clone_fields!(RegionSlot: generation, placed, inside, version);

/// A region that is there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed {
    pub(crate) region: Region,
    form: Form,
    /// Given when it was put up and never again: breaks ties.
    pub(crate) number: u64,
    /// Whether it is what its carrier is as a sensor.
    pub(crate) is_own: bool,
}

impl Placed {
    pub(crate) fn new(region: Region, number: u64, is_own: bool) -> Self {
        Placed { form: region.form(), region, number, is_own }
    }

    /// Whether it sees a disc, which is there.
    pub(crate) fn sees_disc(&self, bodies: &Bodies, slot: Slot) -> bool {
        let is_off = |slot: Slot| bodies.off.contains(slot);
        if is_off(slot) || (self.is_own && self.carrier().is_some_and(is_off)) {
            return false;
        }
        let SensorRules { sensor, rules } = bodies.sensors.get(slot);
        match sensor {
            Sensor::No => self.sees(slot, &bodies.rules.get(slot)),
            Sensor::Yes => false,
            Sensor::AmongSensors => self.region.sensors && self.sees(slot, &rules),
        }
    }

    /// The slot of the disc that carries it: it is there, or the region would not be.
    pub(crate) fn carrier(&self) -> Option<Slot> {
        self.region.carrier.map(|carrier| carrier.slot())
    }

    /// Whether it sees a disc that is no sensor, with these rules.
    pub(crate) fn sees(&self, slot: Slot, rules: &Rules) -> bool {
        self.carrier() != Some(slot) && self.region.rules.collides_with(rules)
    }
}

impl RegionSlot {
    pub(crate) fn new(generation: u32, placed: Option<Placed>, inside: Vec<(u64, Slot)>) -> Self {
        RegionSlot { generation, placed, inside, version: 0 }
    }
}

impl Sensing {
    /// With nothing planned.
    pub(crate) fn new(
        slots: Vec<RegionSlot>,
        free: Vec<u32>,
        next_number: u64,
        notes: Vec<CrossingNote>,
    ) -> Self {
        Sensing { slots, free, next_number, notes, ..Sensing::default() }
    }

    pub(crate) fn slot(&self, id: RegionId) -> Result<u32, Error> {
        let known = self.slots.get(id.slot() as usize);
        let live = known.is_some_and(|slot| slot.placed.is_some() && slot.generation == id.generation());
        if live { Ok(id.slot()) } else { Err(Error::NoSuchRegion(id)) }
    }

    /// Whether a wall is a region.
    pub(crate) fn has_wall(&self, wall: WallId) -> bool {
        self.placed().any(|(_, placed)| placed.region.shape == RegionShape::Wall { wall })
    }

    pub(crate) fn id(&self, r: u32) -> RegionId {
        RegionId::new(r, self.slots[r as usize].generation)
    }

    /// The regions that are there, by slot.
    pub(crate) fn placed(&self) -> impl Iterator<Item = (u32, &Placed)> + '_ {
        (0..).zip(&self.slots).filter_map(|(r, slot)| Some((r, slot.placed.as_ref()?)))
    }

    fn insert(&mut self, region: Region, is_own: bool) -> u32 {
        let placed = Placed::new(region, self.next_number, is_own);
        self.next_number += 1;
        let r = self.free.pop().unwrap_or_else(|| {
            self.slots.push(RegionSlot::default());
            self.slots.len() as u32 - 1
        });
        self.slots[r as usize].placed = Some(placed);
        r
    }

    fn remove(&mut self, r: u32) -> Option<Region> {
        let slot = &mut self.slots[r as usize];
        slot.generation = slot.generation.wrapping_add(1);
        slot.version = slot.version.wrapping_add(1);
        slot.inside.clear();
        self.free.push(r);
        slot.placed.take().map(|placed| placed.region)
    }

    /// Whether a disc is inside of a region.
    pub(crate) fn is_inside(&self, r: u32, serial: u64) -> bool {
        self.slots[r as usize].inside.binary_search_by_key(&serial, |&(serial, _)| serial).is_ok()
    }

    /// Notes that a disc is inside of a region, or not. O(those inside).
    fn set_inside(&mut self, r: u32, disc: Slot, serial: u64, is_inside: bool) {
        let inside = &mut self.slots[r as usize].inside;
        match (inside.binary_search_by_key(&serial, |&(serial, _)| serial), is_inside) {
            (Err(place), true) => inside.insert(place, (serial, disc)),
            (Ok(place), false) => _ = inside.remove(place),
            _ => {}
        }
    }

    /// Notes a crossing that an edit has caused; one that undoes another which has not been reported takes
    /// that back.
    fn note(&mut self, note: CrossingNote) {
        let pair = |note: &CrossingNote| (note.crossing.disc, note.crossing.region);
        let earlier = self.notes.iter().rposition(|earlier| pair(earlier) == pair(&note));
        match earlier {
            Some(k) => _ = self.notes.remove(k),
            None => self.notes.push(note),
        }
    }

    /// The first crossing that is planned.
    fn first(&mut self) -> Option<Planned> {
        let Sensing { slots, versions, queue, .. } = self;
        queue.first(|planned| is_valid(slots, versions, planned))
    }

    /// The first crossing that is planned, if it comes before what is due, and not after a time.
    // By value, so that a world without regions need not store it.
    #[cold]
    #[inline(never)]
    pub(crate) fn due(&mut self, due: Option<Scheduled>, until: Time) -> Option<Planned> {
        let first = self.first()?;
        let is_first = due.is_none_or(|due| {
            first.time < due.time || (first.time == due.time && !first.enters && due.kind == Kind::Impact)
        });
        (is_first && first.time <= until).then_some(first)
    }

    /// Has a disc cross a border, as is planned first, at the present.
    pub(crate) fn cross(&mut self, flights: &Flights<'_>, planned: &Planned) -> Option<Crossing> {
        let &Planned { enters, serials, disc, region, .. } = planned;
        self.queue.pop();
        self.set_inside(region, disc, serials[0], enters);
        self.plan(flights, region, disc);
        self.crossing(flights, region, disc, CrossingCause::Motion)
    }

    /// Drops what is planned for these discs, and for the regions that they carry, and plans it anew.
    #[cold]
    pub(crate) fn plan_discs(&mut self, flights: &Flights<'_>, discs: &[Slot]) {
        for &disc in discs {
            self.begin_disc(disc);
        }
        let is_planned = |disc: &Slot| discs.binary_search(disc).is_ok();
        for r in 0..self.slots.len() as u32 {
            let Some(placed) = self.slots[r as usize].placed else { continue };
            if placed.carrier().as_ref().is_some_and(is_planned) {
                self.plan_region(flights, r);
                continue;
            }
            discs.iter().for_each(|&disc| self.plan(flights, r, disc));
        }
        let Sensing { slots, versions, queue, .. } = self;
        queue.tidy(|planned| is_valid(slots, versions, planned));
    }

    /// Drops what is planned for a disc.
    fn begin_disc(&mut self, disc: Slot) {
        let version = self.version_of(disc);
        *version = version.wrapping_add(1);
    }

    fn version_of(&mut self, disc: Slot) -> &mut u32 {
        if disc as usize >= self.versions.len() {
            self.versions.resize(disc as usize + 1, 0);
        }
        &mut self.versions[disc as usize]
    }

    /// Drops what is planned for a region, and plans it anew for all discs.
    fn plan_region(&mut self, flights: &Flights<'_>, r: u32) {
        let version = &mut self.slots[r as usize].version;
        *version = version.wrapping_add(1);
        flights.bodies.live().for_each(|disc| self.plan(flights, r, disc));
    }

    /// Plans the next crossing of a disc and a region, for which none is planned.
    fn plan(&mut self, flights: &Flights<'_>, r: u32, disc: Slot) {
        let Some(planned) = self.next(flights, r, disc) else { return };
        self.queue.push(planned);
    }

    fn next(&mut self, flights: &Flights<'_>, r: u32, disc: Slot) -> Option<Planned> {
        let slot = &self.slots[r as usize];
        let placed = slot.placed.as_ref()?;
        if !flights.bodies.is_live(disc) || !placed.sees_disc(flights.bodies, disc) {
            return None;
        }
        let serial = flights.bodies.detail(disc).serial;
        let is_inside = self.is_inside(r, serial);
        let time = flight::next_crossing(flights, placed, disc, is_inside)?;
        let (enters, serials) = (!is_inside, [serial, placed.number]);
        let (region, version) = (r, slot.version);
        let versions = [*self.version_of(disc), version];
        Some(Planned { time, enters, serials, disc, region, versions })
    }

    /// Checks what is planned against plans that are made anew, and the discs inside against the rules.
    ///
    /// # Panics
    /// With a description, if something is wrong.
    pub(crate) fn assert_well_formed(&mut self, flights: &Flights<'_>) {
        let mut anew: Vec<(Time, bool, [u64; 2])> = Vec::new();
        for r in 0..self.slots.len() as u32 {
            let slot = &self.slots[r as usize];
            assert!(slot.inside.is_sorted_by(|a, b| a.0 < b.0), "order of who is inside");
            assert!(slot.placed.is_some() || slot.inside.is_empty(), "inside of a region that is gone");
            for &(serial, disc) in &slot.inside {
                assert!(flights.bodies.is_live(disc) && flights.bodies.detail(disc).serial == serial);
                let is_seen = slot.placed.is_some_and(|placed| placed.sees_disc(flights.bodies, disc));
                assert!(is_seen, "inside and not seen");
            }
            for disc in flights.bodies.live() {
                anew.extend(self.next(flights, r, disc).map(|next| (next.time, next.enters, next.serials)));
            }
        }
        let planned = self.queue.valid(|planned| is_valid(&self.slots, &self.versions, planned));
        let mut planned: Vec<_> = planned.iter().map(|p| (p.time, p.enters, p.serials)).collect();
        planned.sort_unstable();
        anew.sort_unstable();
        assert_eq!(planned, anew, "planned crossings, and those planned anew");
    }

    /// The bytes that they take.
    pub(crate) fn bytes(&self) -> usize {
        let inside: usize = self.slots.iter().map(|slot| slot.inside.capacity()).sum();
        size_of::<(u64, Slot)>() * inside
            + size_of::<RegionSlot>() * self.slots.capacity()
            + size_of::<CrossingNote>() * self.notes.capacity()
            + size_of::<u32>() * self.versions.capacity()
            + self.queue.bytes()
    }
}

fn is_valid(slots: &[RegionSlot], versions: &[u32], planned: &Planned) -> bool {
    planned.versions == [versions[planned.disc as usize], slots[planned.region as usize].version]
}
