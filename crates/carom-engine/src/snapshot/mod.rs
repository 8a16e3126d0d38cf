//! Saving and loading worlds with serde, in any format: feature `serde`.
//!
//! A [`World`] implements `Serialize` and `Deserialize` if its physics and what that adds to discs and walls
//! do. A loaded world goes on as the saved one would have, to the last bit: the same events, the same states,
//! the same handles for what is inserted next. It holds all that this depends on (stored states and the
//! impacts that wrote them, what discs remember of walls, free slots in their order, generations, serial
//! numbers, counters, settings) and nothing that can be derived from it: the schedule is made again, O(N²).
//!
//! ```
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
//! 90 bytes a disc, JSON 400.
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

mod contacts;
mod diff;
mod discs;
mod drag;
mod error;
#[cfg(feature = "serde")]
mod format;
#[cfg(feature = "serde")]
pub(crate) mod in_order;
mod rare;
mod regions;
mod slots;
mod tally;
mod turns;
mod walls;

use crate::error::check;
use crate::ledger::Book;
use crate::physics::Reach;
use crate::state::chains::Chain;
use crate::state::contacts::{ContactRecords, Held, HoldNote};
use crate::state::growth::Growth;
use crate::state::timers::Timers;
use crate::store::Store;
use crate::walk::{Fields, Path, Seen, Walk};
use crate::{Physics, Settings, World, limits};
use carom_broadphase::{Scheduler, SchedulerKind, Slot};
use carom_math::{Clock, Periods, Time};
use core::fmt::Display;
pub use diff::Difference;
use discs::DiscRecord;
use drag::DragRecord;
use error::SnapshotError;
use regions::RegionsRecord;
use slots::Slots;
use tally::Tally;
use walls::WallRecord;

/// Version of the format, which is the first thing in a snapshot. It changes with what a world holds; others
/// are refused.
pub const VERSION: u32 = 14;

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
pub(crate) struct Snapshot<P, B, X, W> {
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
    counters: Tally,
    ledger: Book,
    /// The serial number that the next disc gets.
    next_serial: u64,
    /// The number that the next region gets.
    next_region: u64,
    disc_slots: Slots,
    /// By slot.
    discs: Vec<DiscRecord<B, X>>,
    /// Discs that bodies close in on, by their first members.
    chains: Vec<Chain>,
    contacts: ContactRecords,
    /// What discs are held to, by slot.
    holds: Vec<(Slot, Held)>,
    /// Slots of discs that are to be settled before anything is scheduled, in order.
    unsettled: Vec<Slot>,
    /// Contacts that may have begun to be held, or ceased to be, and have not been reported.
    hold_notes: Vec<HoldNote>,
    wall_slots: Slots,
    /// In the order in which they were put up, which numbers their facets.
    walls: Vec<WallRecord<W>>,
    regions: RegionsRecord,
    timers: Timers<B, X>,
}

pub(crate) type SnapshotOf<P> =
    Snapshot<P, <P as Physics>::Body, <P as Physics>::Extra, <P as Physics>::Surface>;

/// What the records are checked against.
struct Bounds {
    clock: Clock,
    now: Time,
    impacts: u64,
    next_serial: u64,
    facets: u32,
    periods: Periods,
    growth: Growth,
    /// Slots of the discs, and of the walls, in order.
    discs: Vec<Slot>,
    walls: Vec<u32>,
}

impl Bounds {
    /// A time of the clock, not after the present.
    fn past(&self, field: &str, time: Time) -> Result<Time, SnapshotError> {
        let known = self.clock.from_parts(time.epoch_start(), time.offset());
        known.filter(|time| *time <= self.now).ok_or_else(|| {
            let now = shown(self.now);
            SnapshotError::refused(field, shown(time), format!("a time of this clock, at most now, {now}"))
        })
    }

    fn is_live(&self, slot: Slot) -> bool {
        self.discs.binary_search(&slot).is_ok()
    }

    fn are_live(&self, field: &str, slots: &[Slot]) -> Result<(), SnapshotError> {
        match slots.iter().find(|slot| !self.is_live(**slot)) {
            Some(slot) => Err(SnapshotError::refused(field, slot, "the slot of a disc")),
            None => Ok(()),
        }
    }

    fn is_facet(&self, field: &str, facet: u32) -> Result<(), SnapshotError> {
        let allowed = || format!("a facet below {}", self.facets);
        if facet < self.facets { Ok(()) } else { Err(SnapshotError::refused(field, facet, allowed())) }
    }
}

/// A time to the last digit.
fn shown(time: Time) -> String {
    format!("{} + {} s", time.epoch_start(), time.offset())
}

fn at_most(field: &str, count: u64, most: u64) -> Result<(), SnapshotError> {
    if count <= most { Ok(()) } else { Err(SnapshotError::refused(field, count, format!("at most {most}"))) }
}

/// Checks each of these.
fn each<T>(
    list: &str,
    items: impl IntoIterator<Item = T>,
    mut check: impl FnMut(T) -> Result<(), SnapshotError>,
) -> Result<(), SnapshotError> {
    let inside = |k: usize| move |error: SnapshotError| error.inside(&format!("{list}[{k}]"));
    items.into_iter().enumerate().try_for_each(|(k, item)| check(item).map_err(inside(k)))
}

/// Checks that all numbers in it are finite.
fn are_finite(name: &'static str, whole: &dyn Fields) -> Result<(), SnapshotError> {
    let mut refused = Ok(());
    let mut look = |_, path: &Path, seen: Seen| match seen {
        Seen::Number(x) if !x.is_finite() && refused.is_ok() => {
            refused = Err(SnapshotError::refused(&path.to_string(), x, "a finite number"));
        }
        _ => {}
    };
    Walk::new(&mut look).field(name, whole);
    refused
}

/// Checks that none of these, in order, stands there twice.
fn are_named_once<T: PartialEq + Display>(field: &str, all: &[T], what: &str) -> Result<(), SnapshotError> {
    match all.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(twice) => Err(SnapshotError::refused(field, &twice[0], format!("{what} that are named once"))),
        None => Ok(()),
    }
}

impl<P: Physics> SnapshotOf<P> {
    // Parts are named one by one: a new one does not compile until it is decided where it belongs.
    pub(crate) fn of(world: &World<P>) -> Self {
        let Store {
            physics,
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
            judging: _,
            timers,
            simd: _,
            drag,
            sensing,
            edition: _,
        } = &world.store;
        let numbers = walls.numbers();
        let mut contacts = bodies.contacts.clone();
        contacts.renumber(|facet| numbers[facet as usize]);
        Snapshot {
            version: VERSION,
            physics: physics.clone(),
            settings: settings.clone(),
            now: *now,
            drag: drag.as_ref().map(DragRecord::of),
            growth: bodies.growth,
            impacts: *impacts,
            counters: Tally::of(counters),
            ledger: *book,
            next_serial: bodies.next_serial,
            next_region: sensing.as_ref().map_or(0, |sensing| sensing.next_number),
            disc_slots: discs::slots_of(bodies),
            discs: bodies.live().map(|slot| DiscRecord::of(bodies, slot, &numbers)).collect(),
            chains: contacts::chains_of(chains, &numbers),
            holds: contacts.holds.iter().collect(),
            contacts,
            unsettled: discs::unsettled_of(bodies, unsettled),
            hold_notes: hold_notes.clone(),
            wall_slots: walls::slots_of(walls),
            walls: walls::records_of(walls),
            regions: RegionsRecord::of(sensing.as_deref()),
            timers: timers.clone(),
        }
    }

    /// Checks all but the walls' forms, which are checked as facets are made of them.
    fn check(&self, facets: usize, most_discs: usize) -> Result<Bounds, SnapshotError> {
        let (clock, start) = drag::clock_and_start(&self.settings)?;
        let Some(now) = clock.from_parts(self.now.epoch_start(), self.now.offset()) else {
            let allowed = format!("a time of the clock with epoch {} s", clock.epoch());
            return Err(SnapshotError::refused("now", shown(self.now), allowed));
        };
        if now < start {
            let allowed = format!("at least the start, {} s", start.as_secs());
            return Err(SnapshotError::refused("now", shown(now), allowed));
        }
        drag::check(self.drag.as_ref(), &self.settings, now)?;
        at_most("impacts", self.impacts, MOST)?;
        at_most("next_serial", self.next_serial, MOST)?;
        self.counters.check()?;
        let mut walls: Vec<u32> = self.walls.iter().map(|wall| wall.slot).collect();
        walls.sort_unstable();
        let bounds = Bounds {
            clock,
            now,
            impacts: self.impacts,
            next_serial: self.next_serial,
            facets: facets as u32,
            periods: self.settings.periods().map_err(SnapshotError::within("settings"))?,
            growth: self.growth,
            discs: self.discs.iter().map(|disc| disc.slot).collect(),
            walls,
        };
        self.check_growth(&bounds)?;
        self.disc_slots.check("discs", "disc_slots", bounds.discs.iter().copied(), most_discs)?;
        let wall_slots = self.walls.iter().map(|wall| wall.slot);
        self.wall_slots.check("walls", "wall_slots", wall_slots, limits::MAX_DISCS)?;
        each("walls", &self.walls, |wall| wall.check(&bounds, &self.timers))?;
        discs::check(&self.discs, &self.physics, &bounds, &self.timers)?;
        contacts::check_chains(&self.chains, &bounds)?;
        contacts::check(&self.contacts, &self.holds, &bounds)?;
        bounds.are_live("unsettled", &self.unsettled)?;
        are_finite("hold_notes", &self.hold_notes)?;
        self.regions.check(self.next_region, &bounds, |id| {
            bounds.is_live(id.slot()) && self.disc_slots.generation(id.slot()) == id.generation()
        })?;
        self.check_timers(now)?;
        are_finite("ledger", &self.ledger)?;
        Ok(bounds)
    }

    fn check_growth(&self, bounds: &Bounds) -> Result<(), SnapshotError> {
        let Growth { rate, since, .. } = self.growth;
        check::rate(rate).map_err(SnapshotError::within("growth"))?;
        if rate > 0.0 && (!P::GROWS || self.drag.is_some()) {
            let allowed = if P::GROWS { "0 beside drag" } else { "0 for this physics" };
            return Err(SnapshotError::refused("growth.rate", rate, allowed));
        }
        bounds.past("growth.since", since).map(|_| ())
    }

    /// `now` is the present on the clock of the schedule; timers are on the true one.
    fn check_timers(&self, now: Time) -> Result<(), SnapshotError> {
        let clock = self.settings.clock().map_err(SnapshotError::within("settings"))?;
        let now = self.drag.as_ref().map_or(now, |drag| drag.now);
        let Timers { next, list } = &self.timers;
        at_most("timers.next", *next, MOST)?;
        each("timers.list", list.keys(), |&(time, number)| {
            let known = clock.from_parts(time.epoch_start(), time.offset());
            if known.is_none_or(|time| time < now) {
                let allowed = format!("a time of this clock, at least now, {}", shown(now));
                return Err(SnapshotError::refused("time", shown(time), allowed));
            }
            if number >= *next {
                let allowed = format!("a number below next, {next}");
                return Err(SnapshotError::refused("number", number, allowed));
            }
            Ok(())
        })
    }

    fn restore(self) -> Result<World<P>, SnapshotError> {
        let shapes = walls::shapes_of(&self.walls)?;
        let facets = shapes.iter().map(Vec::len).sum();
        let bounds = self.check(facets, most_discs(self.settings.scheduler))?;
        let mut world: World<P> =
            World::with_physics(self.physics, self.settings).map_err(SnapshotError::within("settings"))?;
        world.store.now = bounds.now;
        world.store.impacts = self.impacts;
        world.store.counters = self.counters.counters();
        world.store.book = self.ledger;
        drag::restore(self.drag, &mut world.store.drag);
        each("walls", self.walls.iter().zip(&shapes), |(wall, shapes)| wall.check_shapes(shapes, &bounds))?;
        let edited: Vec<_> = self.discs.iter().filter_map(DiscRecord::edited_rules).collect();
        let edited_walls: Vec<u32> =
            self.walls.iter().filter(|wall| wall.in_force.is_some()).map(|wall| wall.slot).collect();
        world.store.walls = walls::restored(self.walls, shapes, self.wall_slots);
        world.store.bodies = discs::restored(&world.store.physics, self.discs, self.disc_slots, &bounds);
        self.regions.restore(self.next_region, &mut world)?;
        self.chains.into_iter().for_each(|chain| world.store.chains.restore(chain));
        world.store.bodies.contacts = self.contacts;
        self.holds.into_iter().for_each(|(slot, held)| world.store.bodies.contacts.holds.add(slot, held));
        world.store.timers = self.timers;
        world.store.unsettled = self.unsettled;
        world.store.hold_notes = self.hold_notes;
        each("discs", bounds.discs, |slot| {
            let stored = world.store.bodies.radius(slot);
            let radius = world.store.bodies.radius_at(slot, bounds.now);
            world.store.check_periods(radius, Some(slot)).map_err(SnapshotError::within(""))?;
            world.store.bodies.note_size(world.store.physics.size(stored));
            Ok(())
        })?;
        world.begin_schedule();
        world.reschedule();
        // Only what is overdue: to look further may take long.
        if let Some(next) = world.due(bounds.now).filter(|next| next.time < bounds.now) {
            let allowed = format!("now, {}, or later", shown(bounds.now));
            return Err(SnapshotError::refused("the time of the next event", shown(next.time), allowed));
        }
        for (slot, rules) in edited {
            world.store.bodies.rules.edit(slot, rules);
            world.store.mark(slot);
        }
        for &slot in &edited_walls {
            world.store.walls.edit_rules(slot, world.store.walls.get(slot).rules);
        }
        if !edited_walls.is_empty() {
            world.store.for_each_live(Store::mark);
        }
        Ok(world)
    }
}

fn most_discs(wanted: SchedulerKind) -> usize {
    limits::MAX_DISCS.min(Scheduler::capacity(wanted))
}
