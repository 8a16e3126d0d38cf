//! Saving and loading worlds with serde, in any format: feature `serde`.
//!
//! A [`World`] implements `Serialize` and `Deserialize` if its physics and what that adds to discs and walls
//! do. A loaded world goes on as the saved one would have, to the last bit: the same events, the same states,
//! the same handles for what is inserted next. It holds all that this depends on (stored states and the
//! impacts that wrote them, what discs remember of walls, free slots in their order, generations, serial
//! numbers, counters, settings) and nothing that can be derived from it: the schedule is made again, O(N²).
//!
#![cfg_attr(feature = "serde", doc = "```")]
#![cfg_attr(not(feature = "serde"), doc = "```ignore")]
//! # use carom_engine as carom;
//! use carom::{DVec2, Disc, Wall, World};
//!
//! let mut world = World::new();
//! world.add_wall(Wall::container(DVec2::ZERO, DVec2::splat(10.0)))?;
//! let ball = world.insert(Disc::new(DVec2::new(2.0, 5.0), 1.0).with_velocity(DVec2::new(3.0, 0.4)))?;
//! world.advance(7.0)?;
//!
//! let text = serde_json::to_string(&world)?;
//! let mut loaded: World = serde_json::from_str(&text)?;
//!
//! world.advance(100.0)?;
//! loaded.advance(100.0)?;
//! let place = |world: &World| world.get(ball).map(|ball| ball.position());
//! assert_eq!(place(&loaded), place(&world));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Formats
//!
//! Numbers are stored as they are. A format that is not exact loses the bits of the run: `serde_json` reads
//! one in ten numbers an ulp off unless its feature `float_roundtrip` is on. Where a format is for people,
//! infinite masses are the text `"inf"`. A format that does not name its fields, such as postcard, takes some
//! 90 bytes a disc, JSON 450.
//!
//! Not held are the events of the last call ([`World::events`] is empty), and what the scheduler counted:
//! `pair_times`, `roots`, `solo_times`, `queue_operations` and `row_searches` of [`World::counters`] start
//! anew.
//!
//! # What is refused
//!
//! A snapshot of another [`VERSION`], and one that contradicts itself: states that are not finite, times
//! after the present, slots and serial numbers that are missing or named twice, facets that do not exist,
//! numbers beyond the ranges of [`limits`], an event that should have happened before. States may be beyond
//! what [`World::insert`] takes, as they are after long flights and hard impacts: up to 10¹²⁰ length units
//! from the origin, at up to 10⁸⁰ a second. Overlaps are not refused. The error comes as the format's own,
//! and its text names the field, its value, and what is allowed (postcard keeps no texts); there is no world
//! then. A world that could not be loaded is not saved either.
//!
//! Reading takes memory in proportion to what is read, and the schedule what it takes for as many slots,
//! which for the pair table is 8 bytes for each pair of them.
//!
//! What a physics adds is stored and checked by its own implementations of serde's traits. A snapshot does
//! not say of which physics it is.
//!
//! [`World`]: crate::World
//! [`World::counters`]: crate::World::counters
//! [`World::events`]: crate::World::events
//! [`World::insert`]: crate::World::insert

mod bounds;
mod contacts;
mod diff;
mod discs;
mod drag;
mod error;
#[cfg(feature = "serde")]
mod format;
#[cfg(feature = "serde")]
pub(crate) mod in_order;
mod regions;
mod slots;
mod walls;

use crate::crossing::CrossingNote;
use crate::error::check;
use crate::handle::STOPS;
use crate::ledger::Book;
use crate::physics::{Reach, check_command};
use crate::sense::Sensing;
use crate::state::chains::Chain;
use crate::state::contacts::{ContactRecords, Held, HoldNote};
use crate::state::growth::Growth;
use crate::state::timers::{Timer, Timers};
use crate::store::{Common, Store};
use crate::walk::fields;
use crate::walls::facet::Shape;
use crate::{Counters, DiscId, Physics, RegionId, Rules, Settings, WallId, limits};
use bounds::Bounds;
use carom_broadphase::{Scheduler, Slot};
use carom_math::{Clock, Shown, Time};
pub use diff::Difference;
pub(crate) use diff::{checksum, difference};
use discs::{DiscRecord, Discs};
use drag::DragRecord;
pub(crate) use error::SnapshotError;
use error::{allow, each, shown};
use regions::RegionRecord;
use walls::WallRecord;

/// Version of the format, which is the first thing in a snapshot. It changes with what a world holds; others
/// are refused.
pub const VERSION: u32 = 22;

/// Counts beyond this are refused: no world can have counted so far, and none can overflow from here.
const MOST: u64 = 1 << 60;

/// Stored states up to here can be reckoned with: squares, of distances as of speeds, are far from overflow.
/// No world whose numbers were let in gets there: the lightest disc with all the energy of all the heaviest
/// makes 10⁶⁹ length units a second, and flies for at most 10³⁴ s.
const MAX_STORED_LENGTH: f64 = 1e120;
const MAX_STORED_SPEED: f64 = 1e80;

/// All that a world's future depends on: what is saved, and what is compared by [`World::diff`].
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename = "World", deny_unknown_fields))]
pub(crate) struct Snapshot<B, X, W, P> {
    /// Always [`VERSION`]: another one is refused when it is read, before what follows is taken for something
    /// else.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "format::version"))]
    version: u32,
    physics: P,
    settings: Settings,
    /// On the slow clock, as all times but that in `drag`, if there is drag.
    now: Time,
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    drag: Option<DragRecord>,
    growth: Growth,
    /// Number of the latest impact.
    impacts: u64,
    counters: Counters,
    ledger: Book,
    /// The serial number that the next disc gets.
    next_serial: u64,
    /// The number that the next region gets.
    next_region: u64,
    /// How many slots there are of walls, discs and regions.
    slots: [u32; 3],
    /// In the order in which they were put up, which numbers their facets.
    walls: Vec<WallRecord<W>>,
    /// The slots that are free, as the handles that they are going to have; the last is taken next.
    free_walls: Vec<WallId>,
    discs: Discs<B, X>,
    /// As `free_walls`.
    free_discs: Vec<DiscId>,
    contacts: ContactRecords,
    /// What discs are held to, by slot.
    holds: Vec<(Slot, Held)>,
    /// Discs that bodies close in on, by their first members.
    chains: Vec<Chain>,
    /// Slots of discs that are to be settled before anything is scheduled, in order.
    unsettled: Vec<Slot>,
    /// Contacts that may have begun to be held, or ceased to be, and have not been reported.
    hold_notes: Vec<HoldNote>,
    regions: Vec<RegionRecord>,
    /// As `free_walls`.
    free_regions: Vec<RegionId>,
    /// Crossings that have not been reported.
    crossing_notes: Vec<CrossingNote>,
    timers: Timers<B, X>,
}

// What the rest follows from comes first.
fields!(
    Snapshot<B, X, W; P>: settings as Any, now, walls, free_walls, growth, discs, free_discs,
    next_serial as Tally, slots, contacts, holds as Disc, chains, unsettled as Disc, hold_notes,
    impacts as Tally, regions, free_regions, next_region as Tally, crossing_notes, timers, drag,
    counters as Tally, ledger; without version, physics
);

pub(crate) type SnapshotOf<P> =
    Snapshot<<P as Physics>::Body, <P as Physics>::Extra, <P as Physics>::Surface, P>;

/// Checks that what a disc or a wall does is ended by this timer.
fn check_timer<B: PartialEq, X: PartialEq>(
    timers: &Timers<B, X>,
    field: &str,
    timer: (Time, u64),
    ends: [Timer<B, X>; 2],
) -> Result<(), SnapshotError> {
    let is_there = timers.list.get(&timer).is_some_and(|timer| ends.contains(timer));
    allow(is_there, field, shown(timer.0), "time and number of the timer that ends it")
}

impl<P: Physics> SnapshotOf<P> {
    // Parts are named one by one: a new one does not compile until it is decided where it belongs.
    pub(crate) fn of(store: &Store<P>) -> Self {
        let Store { common, physics, added: _, descriptions, judging: _, timers } = store;
        let Common {
            settings,
            clock: _,
            now,
            bodies,
            walls,
            dirty: _,
            solo_marks: _,
            unsettled,
            hold_notes,
            impacts,
            counters,
            book,
            chains,
            simd: _,
            drag,
            sensing,
            edition: _,
        } = common;
        let numbers = walls.numbers();
        let mut contacts = bodies.contacts.clone();
        contacts.renumber(|facet| numbers[facet as usize]);
        let none = Sensing::default();
        let sensing = sensing.as_deref().unwrap_or(&none);
        Snapshot {
            version: VERSION,
            physics: physics.clone(),
            settings: settings.clone(),
            now: *now,
            walls: walls::records_of(walls, descriptions),
            free_walls: walls.free.iter().map(|&slot| walls.id(slot)).collect(),
            growth: bodies.growth,
            discs: Discs(bodies.live().map(|slot| DiscRecord::of(store, slot, &numbers)).collect()),
            free_discs: bodies.free.iter().map(|&slot| bodies.id(slot)).collect(),
            next_serial: bodies.next_serial,
            holds: contacts.holds.iter().collect(),
            contacts,
            chains: contacts::chains_of(chains, &numbers),
            unsettled: discs::unsettled_of(bodies, unsettled),
            hold_notes: hold_notes.clone(),
            impacts: *impacts,
            regions: regions::records_of(sensing),
            free_regions: sensing.free.iter().map(|&r| sensing.id(r)).collect(),
            next_region: sensing.next_number,
            slots: [walls.slots(), bodies.slots(), sensing.slots.len()].map(|slots| slots as u32),
            crossing_notes: sensing.notes.clone(),
            timers: timers.clone(),
            drag: drag.as_ref().map(DragRecord::of),
            counters: *counters,
            ledger: *book,
        }
    }

    /// Checks all; `store` has the same settings, and has come to the same time or is at its start. Gives the
    /// forms of the facets of each wall.
    fn check(&self, store: &Store<P>) -> Result<(Bounds, Vec<Vec<Shape>>), SnapshotError> {
        let (clock, start) = (store.clock, store.now);
        let now = clock.from_parts(self.now.epoch_start(), self.now.offset());
        allow(
            now.is_some(),
            "now",
            shown(self.now),
            format_args!("a time of the clock with epoch {} s", Shown(clock.epoch())),
        )?;
        let now = now.unwrap_or(self.now);
        allow(now >= start, "now", shown(now), format_args!("at least the start, {}", shown(start)))?;
        let shapes = walls::shapes_of(&self.walls)?;
        let mut walls: Vec<u32> = self.walls.iter().map(|wall| wall.id.slot()).collect();
        walls.sort_unstable();
        let bounds = Bounds {
            clock,
            now,
            impacts: self.impacts,
            next_serial: self.next_serial,
            facets: shapes.iter().map(|shapes| shapes.len() as u64).sum(),
            periods: store.bodies.periods,
            growth: self.growth,
            discs: self.discs.0.iter().map(|disc| disc.id.slot()).collect(),
            walls,
        };
        let most_discs = limits::MAX_DISCS.min(Scheduler::capacity(self.settings.scheduler));
        let most = [limits::MAX_DISCS, most_discs, limits::MAX_DISCS];
        each("slots", self.slots.iter().zip(most), |(count, most)| {
            allow(*count as usize <= most, "", count, format_args!("at most {most}"))
        })?;
        let [walls, discs, regions] = self.slots;
        let taken = self.walls.iter().map(|wall| wall.id.slot());
        slots::check(("walls", walls), taken, self.free_walls.iter().map(|id| id.slot()))?;
        let taken = bounds.discs.iter().copied();
        slots::check(("discs", discs), taken, self.free_discs.iter().map(|id| id.slot()))?;
        let taken = self.regions.iter().map(|region| region.id.slot());
        slots::check(("regions", regions), taken, self.free_regions.iter().map(|id| id.slot()))?;
        bounds.check(self)?;
        drag::check(self.drag.as_ref(), store.drag.as_ref(), now)?;
        self.check_growth()?;
        each("walls", self.walls.iter().zip(&shapes), |(wall, shapes)| {
            wall.check(shapes, &bounds, &self.timers)
        })?;
        discs::check(&self.discs, &self.physics, &bounds, &self.timers)?;
        contacts::check(&self.contacts, &self.holds, &self.chains)?;
        regions::check(&self.regions, self.next_region)?;
        self.check_timers(store.true_clock(), now)?;
        Ok((bounds, shapes))
    }

    fn check_growth(&self) -> Result<(), SnapshotError> {
        let rate = self.growth.rate;
        check::rate(rate).map_err(SnapshotError::within("growth"))?;
        let allowed = if P::GROWS { "0 beside drag" } else { "0 for this physics" };
        allow(!(rate > 0.0) || (P::GROWS && self.drag.is_none()), "growth.rate", Shown(rate), allowed)
    }

    /// `now` is the present on the clock of the schedule; timers are on the true one, `clock`.
    fn check_timers(&self, clock: &Clock, now: Time) -> Result<(), SnapshotError> {
        let now = self.drag.as_ref().map_or(now, |drag| drag.now);
        let next = self.timers.next;
        each("timers.list", &self.timers.list, |(&(time, number), timer)| {
            let known = clock.from_parts(time.epoch_start(), time.offset());
            allow(
                known.is_some_and(|time| time >= now),
                "time",
                shown(time),
                format_args!("a time of this clock, at least now, {}", shown(now)),
            )?;
            let set = if timer.is_of_caller() { number } else { number & !STOPS };
            allow(set < next, "number", number, format_args!("a number below next, {next}"))?;
            let Timer::Command(command) = timer else { return Ok(()) };
            check_command(&self.physics, command).map_err(SnapshotError::within("command"))
        })
    }

    /// What a store has, if it could be loaded again.
    pub(crate) fn saved(store: &Store<P>) -> Result<Self, SnapshotError> {
        let snapshot = Self::of(store);
        snapshot.check(store).map(|_| snapshot)
    }

    /// What is stored, and the rules that have been edited since the schedule was up to date.
    pub(crate) fn restore(self) -> Result<(Store<P>, EditedRules), SnapshotError> {
        let mut store = Store::new(self.physics.clone(), self.settings.clone())
            .map_err(SnapshotError::within("settings"))?;
        let (bounds, shapes) = self.check(&store)?;
        store.now = bounds.now;
        store.impacts = self.impacts;
        store.counters = self.counters;
        store.book = self.ledger;
        drag::restore(self.drag, &mut store.drag);
        let (walls, descriptions) = walls::restored(&self.walls, shapes, &self.free_walls);
        (store.walls, store.descriptions) = (walls, descriptions.into());
        discs::restore(&self.discs, &self.free_discs, &bounds, &mut store);
        if self.slots[2] > 0 {
            let slots = regions::restored(&self.regions, &self.free_regions, &store)?;
            let free = self.free_regions.iter().map(|id| id.slot()).collect();
            let sensing = Sensing::new(slots, free, self.next_region, self.crossing_notes);
            store.sensing = Some(Box::new(sensing));
        }
        self.chains.into_iter().for_each(|chain| store.chains.restore(chain));
        store.bodies.contacts = self.contacts;
        self.holds.into_iter().for_each(|(slot, held)| store.bodies.contacts.holds.add(slot, held));
        store.timers = self.timers;
        store.unsettled = self.unsettled;
        store.hold_notes = self.hold_notes;
        each("discs", bounds.discs, |slot| {
            let stored = store.bodies.radius(slot);
            let radius = store.bodies.radius_at(slot, bounds.now);
            let checked = store.check_within_periods(radius, Some(slot), Store::<P>::FARTHEST);
            checked.map_err(SnapshotError::within(""))?;
            let size = store.physics.size(stored);
            store.bodies.note_size(size);
            Ok(())
        })?;
        let discs = self.discs.0.iter().filter_map(|disc| Some((disc.id.slot(), disc.edited_rules()?)));
        let walls = self.walls.iter().filter(|wall| wall.in_force.is_some());
        let walls = walls.map(|wall| (wall.id.slot(), wall.wall.rules));
        Ok((store, EditedRules { discs: discs.collect(), walls: walls.collect() }))
    }
}

/// Rules of discs and walls that are not in force yet: they are edited again once all is scheduled by those
/// that are.
pub(crate) struct EditedRules {
    pub(crate) discs: Vec<(Slot, Rules)>,
    pub(crate) walls: Vec<(u32, Rules)>,
}

/// Refuses a world of which something should have happened.
pub(crate) fn check_next(next: Time, now: Time) -> Result<(), SnapshotError> {
    allow(
        next >= now,
        "the time of the next event",
        shown(next),
        format_args!("now, {}, or later", shown(now)),
    )
}
