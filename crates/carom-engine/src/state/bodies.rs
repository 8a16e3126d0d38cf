mod bytes;
mod collides;
mod insert;
mod plain;

use super::bend::{Bend, BendLanes};
use super::column::Column;
use super::contacts::ContactRecords;
use super::growth::Growth;
use super::movers::{Journey, Mover};
use super::off_plane::Off;
use super::record::Record;
use super::rules::{DiscRules, SensorRules};
use super::sparse::Sparse;
use super::stamp::Stamp;
use super::sweep_lanes::SweepLanes;
use super::wall_memory::WallMemory;
use crate::simd::{LANES, place};
use crate::walk::fields;
use crate::{DiscId, Error, Overlap, State};
use carom_broadphase::{Slot, prefetch, reserve_huge_pages};
use carom_math::toi::Motion;
use carom_math::{DVec2, Periods, Time};
use carom_solver::MassClass;

/// The discs: what every prediction reads, what an impact needs besides, and columns of what few discs have.
#[derive(Debug)]
pub(crate) struct Bodies {
    records: Vec<Record>,
    /// Whether paths bend: the physics accelerates discs.
    is_bent: bool,
    /// How they do; empty unless they do.
    bends: Vec<Bend>,
    /// Copies of the records for the sweeps; empty unless `sweeping`.
    blocks: Vec<SweepLanes>,
    /// As `blocks`, of `bends`.
    bend_blocks: Vec<BendLanes>,
    sweeping: bool,
    pub(crate) periods: Periods,
    pub(crate) growth: Growth,
    pub(crate) contacts: ContactRecords,
    /// Size of the largest disc that there ever was, stored as the radii are.
    pub(crate) largest: f64,
    /// Whether that is so large, compared with a period, that the image that is met first need not be the
    /// nearest one among those in the reach of a grid; or may become so, as it grows.
    pub(crate) wide: bool,
    /// By how many periods each stored position has been wrapped since its disc was put somewhere.
    pub(crate) windings: Column<[i32; 2]>,
    /// Those of free slots mean nothing.
    details: Vec<Detail>,
    /// The last is taken next.
    pub(crate) free: Vec<Slot>,
    /// What discs remember of the walls they are at.
    pub(crate) walls: Column<WallMemory>,
    pub(crate) user_data: Column<u64>,
    pub(crate) overlap: Column<Overlap>,
    pub(crate) rules: DiscRules,
    pub(crate) sensors: Column<SensorRules>,
    pub(crate) off: Sparse<Off>,
    pub(crate) movers: Sparse<Mover>,
    /// How often each slot was freed.
    generations: Column<u32>,
    pub(crate) next_serial: u64,
    /// The only disc that moves, if the others are to stand still.
    pub(crate) only: Option<Slot>,
}

carom_broadphase::clone_fields!(
    Bodies: records, is_bent, bends, blocks, bend_blocks, sweeping, periods, growth, contacts, largest,
    wide, windings, details, free, walls, user_data, overlap, rules, sensors, off, movers, generations,
    next_serial, only
);

/// What an impact of a disc needs beside its record.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Detail {
    pub(crate) serial: u64,
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub(crate) mass: f64,
    pub(crate) restitution: f64,
    /// Slot of the disc that it met in the impact which wrote its state; its own if none. Means something
    /// only while that one's state is from the same impact.
    pub(crate) partner: Slot,
    /// Impacts in a row that came too soon after the event before: see [`crate::Collapse`].
    pub(crate) rapid_impacts: u32,
}

fields!(Detail: serial as Serial, mass as Any, restitution, partner as Disc, rapid_impacts);

/// What is going to be stored of a disc.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NewState {
    pub(crate) record: Record,
    /// By how many periods its position has been wrapped.
    turns: [i64; 2],
}

impl NewState {
    /// Position and velocity.
    #[inline(always)]
    pub(crate) fn state(&self) -> State<()> {
        State { position: self.record.position(), velocity: self.record.velocity(), extra: () }
    }

    /// Gives it another velocity; returns whether that differs from the one before.
    // In bits: that a number equals itself is known to the compiler only of these, and a physics that adds
    // nothing is compiled to nothing.
    #[inline(always)]
    pub(crate) fn set_velocity(&mut self, velocity: DVec2) -> bool {
        let bits = |v: DVec2| (v.x.to_bits(), v.y.to_bits());
        let differs = bits(self.record.velocity()) != bits(velocity);
        self.record.set_velocity(velocity);
        differs
    }
}

impl Bodies {
    pub(crate) fn new(periods: Periods, is_bent: bool) -> Self {
        Bodies::of(Vec::new(), Vec::new(), Vec::new(), 0, periods, is_bent)
    }

    /// With these details, free slots and generations, and records that are free until they are stored.
    pub(crate) fn of(
        details: Vec<Detail>,
        free: Vec<Slot>,
        generations: Vec<u32>,
        next_serial: u64,
        periods: Periods,
        is_bent: bool,
    ) -> Self {
        Bodies {
            records: vec![Record::FREE; details.len()],
            is_bent,
            bends: vec![Bend::NONE; if is_bent { details.len() } else { 0 }],
            blocks: Vec::new(),
            bend_blocks: Vec::new(),
            sweeping: false,
            periods,
            growth: Growth::NONE,
            contacts: ContactRecords::default(),
            largest: 0.0,
            wide: false,
            windings: Column::new(),
            details,
            free,
            walls: Column::new(),
            user_data: Column::new(),
            overlap: Column::new(),
            rules: DiscRules::default(),
            sensors: Column::new(),
            off: Sparse::default(),
            movers: Sparse::default(),
            generations: generations.into_iter().collect(),
            next_serial,
            only: None,
        }
    }

    /// Allocates memory for this number of discs in all, and no more.
    pub(crate) fn reserve(&mut self, discs: usize) {
        reserve_huge_pages(&mut self.records, discs);
        reserve_huge_pages(&mut self.details, discs);
        if self.is_bent {
            reserve_huge_pages(&mut self.bends, discs);
        }
    }

    /// Whether paths bend.
    pub(crate) fn is_bent(&self) -> bool {
        self.is_bent
    }

    /// Whether there are blocks for sweeps.
    #[inline(always)]
    pub(crate) fn is_sweeping(&self) -> bool {
        self.sweeping
    }

    /// Whether there are to be blocks for sweeps. These know of no images, so there are none in a periodic
    /// world, nor of growth.
    pub(crate) fn set_sweeping(&mut self, sweeping: bool) {
        let sweeping = sweeping && self.periods.is_open() && !self.growth.is_on();
        self.sweeping = sweeping;
        (self.blocks, self.bend_blocks) = (Vec::new(), Vec::new());
        if sweeping {
            let blocks = self.records.len().div_ceil(LANES);
            self.blocks.resize(blocks, SweepLanes::FREE);
            if self.is_bent {
                self.bend_blocks.resize(blocks, BendLanes::NONE);
            }
            for slot in 0..self.records.len() as Slot {
                self.copy_to_block(slot);
            }
        }
    }

    /// Brings the copy for sweeps up to date.
    #[inline(always)]
    pub(crate) fn copy_to_block(&mut self, slot: Slot) {
        if self.sweeping {
            let (block, lane) = place(slot);
            self.blocks[block].set(lane, &self.records[slot as usize]);
            if self.is_bent {
                self.bend_blocks[block].set(lane, &self.bends[slot as usize]);
            }
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.details.len() - self.free.len()
    }

    /// Slots in use or free.
    pub(crate) fn slots(&self) -> usize {
        self.records.len()
    }

    /// The slot of a handle.
    #[inline]
    pub(crate) fn slot(&self, id: DiscId) -> Result<Slot, Error> {
        let slot = id.slot();
        let live = self.is_live(slot) && self.generations.get(slot) == id.generation();
        if live { Ok(slot) } else { Err(Error::NoSuchDisc(id)) }
    }

    /// The handle of a live slot.
    #[inline]
    pub(crate) fn id(&self, slot: Slot) -> DiscId {
        DiscId::new(slot, self.generations.get(slot))
    }

    pub(crate) fn live(&self) -> impl Iterator<Item = Slot> + '_ {
        (0..).zip(&self.records).filter(|(_, record)| !record.is_free()).map(|(slot, _)| slot)
    }

    pub(crate) fn is_live(&self, slot: Slot) -> bool {
        self.records.get(slot as usize).is_some_and(|record| !record.is_free())
    }

    #[inline(always)]
    pub(crate) fn detail(&self, slot: Slot) -> &Detail {
        &self.details[slot as usize]
    }

    /// Two discs, the one that was inserted first before the other.
    #[inline(always)]
    pub(crate) fn in_order(&self, [a, b]: [Slot; 2]) -> [Slot; 2] {
        if self.detail(a).serial < self.detail(b).serial { [a, b] } else { [b, a] }
    }

    /// Notes the disc that one met in the impact that is about to be stored, or the disc itself, and the
    /// number of rapid impacts up to then.
    #[inline(always)]
    pub(crate) fn set_impact(&mut self, slot: Slot, partner: Slot, rapid_impacts: u32) {
        let detail = &mut self.details[slot as usize];
        (detail.partner, detail.rapid_impacts) = (partner, rapid_impacts);
    }

    #[inline(always)]
    pub(crate) fn detail_mut(&mut self, slot: Slot) -> &mut Detail {
        &mut self.details[slot as usize]
    }

    #[inline(always)]
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    #[inline(always)]
    pub(crate) fn blocks(&self) -> &[SweepLanes] {
        &self.blocks
    }

    /// As [`Bodies::blocks`], with those of how the paths bend, if they do.
    #[inline(always)]
    pub(crate) fn sweep_blocks(&self) -> (&[SweepLanes], &[BendLanes]) {
        (&self.blocks, &self.bend_blocks)
    }

    /// How the path of a disc bends.
    #[inline(always)]
    pub(crate) fn bend(&self, slot: Slot) -> &Bend {
        self.bends.get(slot as usize).unwrap_or(&Bend::NONE)
    }

    /// Whether no force moves a disc, and its motion does not change its law, whatever the physics says: so
    /// it is with kinematic discs, with what is off the plane, and with all but one in the copies in which
    /// forecasts among frozen discs are made.
    #[inline(always)]
    pub(crate) fn is_unforced(&self, slot: Slot) -> bool {
        self.only.is_some_and(|only| only != slot) || self.off.contains(slot) || self.movers.contains(slot)
    }

    /// Sets how the path of a disc bends: to be called when its state is stored.
    pub(crate) fn set_bend(&mut self, slot: Slot, bend: Bend) {
        self.bends[slot as usize] = bend.cut(self.record(slot).velocity(), &self.periods);
        self.copy_to_block(slot);
    }

    /// Lets no force bend the path of a disc.
    pub(crate) fn unbend(&mut self, slot: Slot) {
        if self.is_bent {
            let low_impacts = self.bend(slot).low_impacts;
            self.set_bend(slot, Bend { low_impacts, ..Bend::NONE });
        }
    }

    /// Slots for which there is memory.
    pub(crate) fn capacity(&self) -> usize {
        self.records.capacity()
    }

    /// Asks for the cache lines of a disc's record and, if `all`, of what else an impact needs.
    #[inline(always)]
    pub(crate) fn prefetch(&self, slot: Slot, all: bool) {
        prefetch(&self.records, slot as usize);
        if all {
            prefetch(&self.details, slot as usize);
        }
    }

    #[inline(always)]
    pub(crate) fn record(&self, slot: Slot) -> &Record {
        &self.records[slot as usize]
    }

    /// The stored radius: of what grows that at [`Growth::since`].
    #[inline(always)]
    pub(crate) fn radius(&self, slot: Slot) -> f64 {
        self.record(slot).radius
    }

    #[inline(always)]
    pub(crate) fn radius_at(&self, slot: Slot, time: Time) -> f64 {
        self.growth.grown(self.radius(slot), time)
    }

    #[inline(always)]
    pub(crate) fn stamp(&self, slot: Slot) -> Stamp {
        self.record(slot).tag.stamp()
    }

    #[inline(always)]
    pub(crate) fn class(&self, slot: Slot) -> MassClass {
        self.record(slot).tag.class()
    }

    /// The stored state, without what the physics adds.
    pub(crate) fn state(&self, slot: Slot) -> State<()> {
        let record = self.record(slot);
        State { position: record.position(), velocity: record.velocity(), extra: () }
    }

    /// When its state holds.
    #[inline(always)]
    pub(crate) fn time(&self, slot: Slot) -> Time {
        self.record(slot).time()
    }

    /// Centre, velocity, radius and growth at `time`; the position as in [`SweepLanes::note_positions`].
    #[inline(always)]
    pub(crate) fn motion_at(&self, slot: Slot, time: Time) -> Motion {
        if self.is_bent { self.bent_motion_at(slot, time) } else { self.straight_motion_at(slot, time) }
    }

    /// As `motion_at`, where paths bend.
    #[inline(always)]
    pub(crate) fn bent_motion_at(&self, slot: Slot, time: Time) -> Motion {
        let record = self.record(slot);
        let (position, velocity) = self.bends[slot as usize].after(record, time.since(record.time()));
        Motion::new(position, velocity, record.radius)
    }

    /// As `motion_at`, where no path bends.
    #[inline(always)]
    pub(crate) fn straight_motion_at(&self, slot: Slot, time: Time) -> Motion {
        let motion = self.record(slot).motion_at(time);
        if !self.growth.is_on() {
            return motion;
        }
        let (radius, growth) = (self.growth.grown(motion.radius, time), self.growth.rate_at(time));
        Motion { radius, growth, ..motion }
    }

    /// As `motion_at`, with the image in the rectangle that repeats itself.
    #[inline]
    pub(crate) fn wrapped_motion_at(&self, slot: Slot, time: Time) -> Motion {
        let motion = self.motion_at(slot, time);
        if self.periods.is_open() {
            return motion;
        }
        Motion { position: self.periods.wrap(motion.position).0, ..motion }
    }

    /// Where the disc would be at `time`, had it never been wrapped.
    pub(crate) fn unwrapped_at(&self, slot: Slot, time: Time) -> DVec2 {
        let [across, up] = self.windings.get(slot);
        let wound = DVec2::new(f64::from(across), f64::from(up)) * self.periods.lengths();
        self.motion_at(slot, time).position + wound
    }

    /// Where a disc is at the present, in the rectangle that repeats itself.
    #[inline(always)]
    pub(crate) fn place_at(&self, slot: Slot, now: Time) -> DVec2 {
        self.arrived_at(slot).unwrap_or_else(|| self.wrapped_motion_at(slot, now).position)
    }

    /// A disc as it will be with this state, of no impact: [`Bodies::put`] stores it.
    #[inline(always)]
    pub(crate) fn new_state(&self, slot: Slot, time: Time, position: DVec2, velocity: DVec2) -> NewState {
        let (position, turns) = self.periods.wrap(position);
        NewState { record: self.record(slot).changed(time, position, velocity), turns }
    }

    /// Stores a state, to which [`Store::put`](crate::store::Store::put) adds what the physics stores. Ends a
    /// slide.
    #[inline(always)]
    pub(crate) fn put(&mut self, slot: Slot, new_state: &NewState, stamp: Stamp) {
        if new_state.turns != [0; 2] {
            self.note_turns(slot, new_state.turns);
        }
        if !self.movers.is_empty() {
            self.movers.note_velocity(slot, new_state.record.velocity());
        }
        self.contacts.held.remove(slot);
        let record = &mut self.records[slot as usize];
        *record = new_state.record;
        record.set_stamp(stamp);
    }

    /// Where a kinematic disc stands that has arrived there, and stops as time goes on.
    #[inline]
    pub(crate) fn arrived_at(&self, slot: Slot) -> Option<DVec2> {
        if self.movers.is_empty() {
            return None;
        }
        let target = self.movers.get(slot)?.journey.filter(Journey::is_over)?.target;
        Some(if self.periods.is_open() { target } else { self.periods.wrap(target).0 })
    }

    /// A place that a disc has come to, in the rectangle that repeats itself: it may have come to another
    /// image, which is noted.
    pub(crate) fn image_reached(&mut self, slot: Slot, place: DVec2, time: Time) -> DVec2 {
        if self.periods.is_open() {
            return place;
        }
        let (wrapped, _) = self.periods.wrap(place);
        let turns = self.periods.whole_periods(self.motion_at(slot, time).position - wrapped);
        self.note_turns(slot, [turns.x as i64, turns.y as i64]);
        wrapped
    }

    /// Notes that a stored position has been wrapped.
    #[cold]
    pub(crate) fn note_turns(&mut self, slot: Slot, [across, up]: [i64; 2]) {
        let add = |wound: i32, more: i64| {
            i64::from(wound).saturating_add(more).clamp(i32::MIN.into(), i32::MAX.into()) as i32
        };
        let [wound_across, wound_up] = self.windings.get(slot);
        self.windings.set(slot, [add(wound_across, across), add(wound_up, up)]);
    }

    /// Sets the stored radius.
    pub(crate) fn set_radius(&mut self, slot: Slot, radius: f64) {
        self.growth.limit = None;
        self.records[slot as usize].radius = radius;
        self.copy_to_block(slot);
    }

    /// Whether discs are that large at a time.
    #[inline(always)]
    pub(crate) fn is_wide_at(&self, time: Time) -> bool {
        self.wide && 16.0 * self.growth.grown(self.largest, time) > self.periods.shortest()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Research worlds have a million of them: what a disc without extras takes is part of the design.
    #[test]
    fn a_plain_detail_is_half_a_cache_line() {
        assert_eq!(size_of::<Detail>(), 32);
    }
}
