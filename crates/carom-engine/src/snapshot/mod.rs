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

mod chains;
mod contacts;
mod discs;
mod drag;
mod error;
mod moved;
mod movers;
mod off_plane;
mod pieces;
mod regions;
mod rules;
mod slots;
mod tally;
mod timers;
mod turns;
mod walls;

use crate::error::check;
use crate::ledger::Book;
use crate::predict::size;
use crate::state::contacts::HoldNote;
use crate::state::growth::Growth;
use crate::{Physics, Settings, World, limits};
use carom_broadphase::{Scheduler, SchedulerKind, Slot};
use carom_math::{Clock, Periods, Time};
use chains::ChainRecord;
use contacts::{ContactsRecord, are_finite, are_live};
use discs::DiscRecord;
use drag::DragRecord;
use error::SnapshotError;
use movers::MoverRecord;
use off_plane::OffRecord;
use pieces::PieceRecord;
use regions::RegionsRecord;
use rules::{DiscRulesRecord, EditedWallRecord, SensorRecord};
use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};
use slots::Slots;
use tally::Tally;
use timers::TimersRecord;
use walls::WallRecord;

/// Version of the format, which is the first thing in a snapshot. It changes with what a world holds; others
/// are refused.
pub const VERSION: u32 = 13;

/// Counts beyond this are refused: no world can have counted so far, and none can overflow from here.
const MOST: u64 = 1 << 60;

/// All that a world's future depends on.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "World", deny_unknown_fields)]
struct Snapshot<P, B, X, W> {
    version: Version,
    physics: P,
    settings: Settings,
    /// On the slow clock, as all times but that in `drag`, if there is drag.
    now: Time,
    // As with any other field, to leave it out is not to say that there is none.
    #[serde(deserialize_with = "Deserialize::deserialize")]
    drag: Option<DragRecord>,
    growth: GrowthRecord,
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
    /// Of the discs with other rules than the default, by slot.
    rules: Vec<DiscRulesRecord>,
    /// By slot.
    sensors: Vec<SensorRecord>,
    chains: Vec<ChainRecord>,
    contacts: ContactsRecord,
    /// How the paths of held discs bend, by slot.
    pieces: Vec<PieceRecord>,
    /// Slots of discs that are to be settled before anything is scheduled.
    unsettled: Vec<Slot>,
    /// Contacts that may have begun to be held, or ceased to be, and have not been reported.
    hold_notes: Vec<HoldNote>,
    wall_slots: Slots,
    /// In the order in which they were put up, which numbers their facets.
    walls: Vec<WallRecord<W>>,
    /// By slot.
    edited_walls: Vec<EditedWallRecord>,
    regions: RegionsRecord,
    /// Discs off the plane, by slot.
    off_plane: Vec<OffRecord>,
    /// Kinematic discs, by slot.
    movers: Vec<MoverRecord>,
    timers: TimersRecord<B, X>,
}

/// How the radii grow; those of the discs are as at `since`.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct GrowthRecord {
    rate: f64,
    since: Time,
}

type SnapshotOf<P> = Snapshot<P, <P as Physics>::Body, <P as Physics>::Extra, <P as Physics>::Surface>;

/// Always [`VERSION`]: another one is refused when it is read, before what follows is taken for something
/// else.
struct Version;

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(VERSION)
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            VERSION => Ok(Version),
            found => Err(D::Error::custom(SnapshotError::Version { found })),
        }
    }
}

/// What the records are checked against.
struct Bounds {
    clock: Clock,
    now: Time,
    impacts: u64,
    next_serial: u64,
    facets: u32,
    periods: Periods,
    growth: Growth,
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
}

/// A time to the last digit.
fn shown(time: Time) -> String {
    format!("{} + {} s", time.epoch_start(), time.offset())
}

fn at_most(field: &str, count: u64, most: u64) -> Result<(), SnapshotError> {
    if count <= most { Ok(()) } else { Err(SnapshotError::refused(field, count, format!("at most {most}"))) }
}

impl<P: Physics> SnapshotOf<P> {
    // Parts are named one by one: a new one does not compile until it is decided where it belongs.
    fn of(world: &World<P>) -> Self {
        let World {
            physics,
            settings,
            clock: _,
            now,
            bodies,
            walls,
            scheduler: _,
            dirty: _,
            solo_marks: _,
            unsettled,
            hold_notes,
            impacts,
            counters,
            book,
            chains,
            events: _,
            positions_now: _,
            group: _,
            before: _,
            after: _,
            judging: _,
            timers,
            simd: _,
            drag,
            sensing,
            edition: _,
        } = world;
        let numbers = walls.numbers();
        Snapshot {
            version: Version,
            physics: physics.clone(),
            settings: settings.clone(),
            now: *now,
            drag: drag.as_ref().map(DragRecord::of),
            growth: GrowthRecord { rate: bodies.growth.rate, since: bodies.growth.since },
            impacts: *impacts,
            counters: Tally::of(counters),
            ledger: *book,
            next_serial: bodies.next_serial,
            next_region: sensing.as_ref().map_or(0, |sensing| sensing.next_number),
            disc_slots: discs::slots_of(bodies),
            discs: bodies.live().map(|slot| DiscRecord::of(bodies, slot, &numbers)).collect(),
            rules: rules::discs_of(bodies),
            sensors: rules::sensors_of(bodies),
            chains: chains::chains_of(chains, &numbers),
            contacts: ContactsRecord::of(&bodies.contacts, &numbers),
            pieces: pieces::pieces_of(bodies),
            unsettled: pieces::unsettled_of(bodies, unsettled),
            hold_notes: hold_notes.clone(),
            wall_slots: walls::slots_of(walls),
            walls: walls::records_of(walls),
            edited_walls: rules::walls_of(walls),
            regions: RegionsRecord::of(sensing.as_deref()),
            off_plane: off_plane::records_of(bodies),
            movers: movers::records_of(bodies),
            timers: TimersRecord::of(timers),
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
        let facets = facets as u32;
        let periods = self.settings.periods().map_err(SnapshotError::within("settings"))?;
        let growth = self.check_growth(&clock, now)?;
        let bounds = Bounds {
            clock,
            now,
            impacts: self.impacts,
            next_serial: self.next_serial,
            facets,
            periods,
            growth,
        };
        self.disc_slots.check("discs", "disc_slots", self.discs.iter().map(|disc| disc.slot), most_discs)?;
        let wall_slots = self.walls.iter().map(|wall| wall.slot);
        self.wall_slots.check("walls", "wall_slots", wall_slots, limits::MAX_DISCS)?;
        for (k, wall) in self.walls.iter().enumerate() {
            wall.check(&bounds, &self.timers).map_err(|error| error.inside(&format!("walls[{k}]")))?;
        }
        discs::check(&self.discs, &self.physics, &bounds)?;
        let discs: Vec<Slot> = self.discs.iter().map(|disc| disc.slot).collect();
        self.check_contacts(&discs, &bounds)?;
        pieces::check(&self.pieces, &discs)?;
        are_live("unsettled", self.unsettled.iter().copied(), &|slot| discs.binary_search(&slot).is_ok())?;
        for note in &self.hold_notes {
            are_finite("hold_notes", &[note.hold.point, note.hold.normal])?;
        }
        rules::check_discs(&self.rules, &discs)?;
        rules::check_sensors(&self.sensors, &discs)?;
        let generation = |slot| self.disc_slots.generation(slot);
        self.regions.check(self.next_region, &discs, |id| {
            discs.binary_search(&id.slot()).is_ok() && generation(id.slot()) == Some(id.generation())
        })?;
        off_plane::check(&self.off_plane, &discs)?;
        movers::check(&self.movers, &self.discs, &self.timers)?;
        let true_clock = self.settings.clock().map_err(SnapshotError::within("settings"))?;
        self.timers.check(&true_clock, self.drag.as_ref().map_or(now, |drag| drag.now))?;
        rules::check_walls(&self.edited_walls, self.walls.iter().map(|wall| wall.slot).collect())?;
        if let Some((entry, energy)) = self.ledger.not_finite() {
            return Err(SnapshotError::refused(&format!("ledger.{entry}"), energy, "a finite number"));
        }
        Ok(bounds)
    }

    /// `slots` are those of the discs, in order.
    fn check_contacts(&self, slots: &[Slot], bounds: &Bounds) -> Result<(), SnapshotError> {
        let is_live = |slot: Slot| slots.binary_search(&slot).is_ok();
        let inside =
            |list: &'static str, k: usize| move |error: SnapshotError| error.inside(&format!("{list}[{k}]"));
        for (k, chain) in self.chains.iter().enumerate() {
            chain.check(&is_live, bounds).map_err(inside("chains", k))?;
        }
        let mut members: Vec<Slot> = self.chains.iter().flat_map(ChainRecord::members).collect();
        members.sort_unstable();
        if let Some(twice) = members.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(SnapshotError::refused("chains", twice[0], "members that are named once"));
        }
        let mut walls: Vec<u32> = self.walls.iter().map(|wall| wall.slot).collect();
        walls.sort_unstable();
        self.contacts.check(slots, &walls, bounds)
    }

    fn check_growth(&self, clock: &Clock, now: Time) -> Result<Growth, SnapshotError> {
        let GrowthRecord { rate, since } = self.growth;
        check::rate(rate).map_err(SnapshotError::within("growth"))?;
        if rate > 0.0 && (!P::GROWS || self.drag.is_some()) {
            let allowed = if P::GROWS { "0 beside drag" } else { "0 for this physics" };
            return Err(SnapshotError::refused("growth.rate", rate, allowed));
        }
        match clock.from_parts(since.epoch_start(), since.offset()).filter(|since| *since <= now) {
            Some(since) => Ok(Growth { rate, since, limit: None }),
            None => {
                let allowed = format!("a time of this clock, at most now, {}", shown(now));
                Err(SnapshotError::refused("growth.since", shown(since), allowed))
            }
        }
    }

    fn restore(self) -> Result<World<P>, SnapshotError> {
        let shapes = walls::shapes_of(&self.walls)?;
        let facets = shapes.iter().map(Vec::len).sum();
        let bounds = self.check(facets, most_discs(self.settings.scheduler))?;
        let mut world: World<P> =
            World::with_physics(self.physics, self.settings).map_err(SnapshotError::within("settings"))?;
        world.now = bounds.now;
        world.impacts = self.impacts;
        world.counters = self.counters.counters();
        world.book = self.ledger;
        drag::restore(self.drag, &mut world.drag);
        for (k, (wall, shapes)) in self.walls.iter().zip(&shapes).enumerate() {
            let refused = |error: SnapshotError| error.inside(&format!("walls[{k}]"));
            wall.check_periods(shapes, &bounds).map_err(refused)?;
            wall.check_growth(shapes, &bounds).map_err(refused)?;
        }
        world.walls = walls::restored(self.walls, shapes, self.wall_slots, &bounds);
        world.bodies = discs::restored(&world.physics, self.discs, self.disc_slots, &bounds);
        rules::restore_in_force(&self.rules, &self.edited_walls, &mut world);
        rules::restore_sensors(&self.sensors, &mut world.bodies);
        self.regions.restore(self.next_region, &mut world)?;
        self.chains.into_iter().for_each(|chain| world.chains.restore(chain.chain()));
        world.bodies.contacts = self.contacts.restored(&bounds);
        movers::restore(&self.movers, &mut world.bodies);
        pieces::restore(&self.pieces, &mut world.bodies);
        off_plane::restore(&self.off_plane, &mut world.bodies);
        world.timers = self.timers.restored();
        world.unsettled = self.unsettled;
        world.hold_notes = self.hold_notes;
        for (k, slot) in world.bodies.live().collect::<Vec<_>>().into_iter().enumerate() {
            let stored = world.bodies.radius(slot);
            let radius = world.bodies.radius_at(slot, bounds.now);
            let refused = |error| SnapshotError::within("")(error).inside(&format!("discs[{k}]"));
            world.check_periods(radius, Some(slot)).map_err(refused)?;
            world.bodies.note_size(size(&world.physics, stored));
        }
        world.begin_schedule();
        world.reschedule();
        // Only what is overdue: to look further may take long.
        match world.due(bounds.now) {
            Some(next) if next.time < bounds.now => {
                let allowed = format!("now, {}, or later", shown(bounds.now));
                Err(SnapshotError::refused("the time of the next event", shown(next.time), allowed))
            }
            _ => {
                rules::restore_edited(&self.rules, &self.edited_walls, &mut world);
                Ok(world)
            }
        }
    }
}

fn most_discs(wanted: SchedulerKind) -> usize {
    limits::MAX_DISCS.min(Scheduler::capacity(wanted))
}

/// Saves a world: see [`snapshot`](crate::snapshot).
impl<P> Serialize for World<P>
where
    P: Physics<Body: Serialize, Extra: Serialize, Surface: Serialize> + Serialize,
{
    fn serialize<F: Serializer>(&self, serializer: F) -> Result<F::Ok, F::Error> {
        let snapshot = SnapshotOf::<P>::of(self);
        snapshot
            .check(self.walls.present().count(), most_discs(self.settings.scheduler))
            .map_err(F::Error::custom)?;
        snapshot.serialize(serializer)
    }
}

/// Loads a world: see [`snapshot`](crate::snapshot).
impl<'de, P> Deserialize<'de> for World<P>
where
    P: Physics<Body: Deserialize<'de>, Extra: Deserialize<'de>, Surface: Deserialize<'de>> + Deserialize<'de>,
{
    fn deserialize<F: Deserializer<'de>>(deserializer: F) -> Result<Self, F::Error> {
        SnapshotOf::<P>::deserialize(deserializer)?.restore().map_err(F::Error::custom)
    }
}
