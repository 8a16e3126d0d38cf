use super::error::{SnapshotError, allow, differ, each, shown};
use super::{Bounds, check_timer, slots};
use crate::error::check;
use crate::state::added::Added;
use crate::state::bend::Bend;
use crate::state::bodies::{Bodies, Detail};
use crate::state::movers::Mover;
use crate::state::off_plane::Off;
use crate::state::rules::SensorRules;
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::timers::{Timer, Timers};
use crate::state::wall_memory::WallMemory;
use crate::store::Store;
use crate::walk::{Fields, Place, Walk, fields};
use crate::{DiscId, Error, Overlap, Physics, Rules, Sensor, State};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use carom_math::{DVec2, Shown, Time};

/// The discs by slot.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub(super) struct Discs<B, X>(pub(super) Vec<DiscRecord<B, X>>);

/// Where they are and how they move comes before the rest of all, which may follow from that.
impl<B: Fields, X: Fields> Fields for Discs<B, X> {
    fn walk(&self, walk: &mut Walk<'_>) {
        walk.field("length", &self.0.len());
        for (k, disc) in self.0.iter().enumerate() {
            walk.item(k, |walk| {
                walk.at(Place::Disc { id: disc.id, serial: disc.detail.serial });
                walk.part("state", &disc.state);
            });
        }
        self.0.iter().enumerate().for_each(|(k, disc)| walk.item(k, |walk| disc.walk(walk)));
    }
}

/// A disc.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct DiscRecord<B, X> {
    pub(super) id: DiscId,
    state: StoredState,
    /// By how many periods the position has been wrapped.
    windings: [i32; 2],
    /// Number of the impact that wrote it, 0 if none did; and its kind.
    impact: u64,
    kind: ImpactKind,
    /// Facets that it was hit by, at most two, and on which side.
    facets: Vec<(u32, Side)>,
    /// Whether the state comes from that.
    met: bool,
    user_data: u64,
    overlap: Overlap,
    /// The partner is itself if none counts.
    detail: Detail,
    added: Added<B, X>,
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    rare: Option<Box<Rare>>,
}

/// Where a disc is and how it moves.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct StoredState {
    position: DVec2,
    velocity: DVec2,
    /// When the state holds.
    time: Time,
    radius: f64,
}

fields!(StoredState: position as Length, velocity as Speed, time as Past, radius);
fields!(
    DiscRecord<B, X>: id, windings, impact as Impact, kind, facets as Facet, met, user_data, overlap;
    within detail, added, rare; without state; at Place::Disc { id: *id, serial: detail.serial }
);

/// Of the discs that are to be settled those that there are, once: what is gone is settled with what it
/// touched.
pub(super) fn unsettled_of(bodies: &Bodies, unsettled: &[Slot]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = unsettled.iter().copied().filter(|&slot| bodies.is_live(slot)).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

impl<B: PartialEq, X: PartialEq> DiscRecord<B, X> {
    /// `numbers` are those that the facets have in the snapshot.
    pub(super) fn of<P>(store: &Store<P>, slot: Slot, numbers: &[Option<u32>]) -> Self
    where
        P: Physics<Body = B, Extra = X>,
    {
        let bodies = &store.bodies;
        let State { position, velocity, extra: _ } = store.state(slot);
        let stamp = bodies.stamp(slot);
        let walls = bodies.walls.get(slot).renumbered(|facet| numbers[facet as usize]);
        DiscRecord {
            id: bodies.id(slot),
            state: StoredState { position, velocity, time: bodies.time(slot), radius: bodies.radius(slot) },
            windings: bodies.windings.get(slot),
            impact: stamp.number(),
            kind: stamp.kind(),
            facets: walls.known().collect(),
            met: walls.met,
            user_data: bodies.user_data.get(slot),
            overlap: bodies.overlap.get(slot),
            detail: detail_of(bodies, slot),
            added: store.added(slot),
            rare: Rare::of(store, slot),
        }
    }

    /// The rules that are not in force yet.
    pub(super) fn edited_rules(&self) -> Option<Rules> {
        self.rare.as_ref().filter(|rare| rare.in_force.is_some()).map(|rare| rare.rules)
    }

    fn stamp(&self) -> Stamp {
        if self.impact == 0 { Stamp::NONE } else { Stamp::impact(self.impact, self.kind) }
    }

    /// Checks what does not depend on single words.
    fn check(&self, bounds: &Bounds, timers: &Timers<B, X>) -> Result<(), SnapshotError> {
        let time = self.state.time;
        self.check_wrapped(0, bounds.periods.x())?;
        self.check_wrapped(1, bounds.periods.y())?;
        let since = bounds.growth.since;
        let is_old = bounds.growth.is_on() && time < since;
        allow(!is_old, "state.time", shown(time), format_args!("at least growth.since, {}", shown(since)))?;
        self.check_impact()?;
        let &Detail { mass, restitution, .. } = &self.detail;
        check::mass(mass).and(check::restitution(restitution)).map_err(SnapshotError::within("detail"))?;
        self.check_radius(bounds).map_err(SnapshotError::within("state"))?;
        self.rare.as_ref().map_or(Ok(()), |rare| rare.check((self.id, mass), timers))
    }

    /// Checks that a coordinate is in the period, if there is one, and that else it has never been wrapped.
    fn check_wrapped(&self, axis: usize, period: Option<f64>) -> Result<(), SnapshotError> {
        let (x, windings) = (self.state.position[axis], self.windings[axis]);
        let Some(period) = period else {
            return allow(
                windings == 0,
                format_args!("windings[{axis}]"),
                windings,
                "0 where there is no period",
            );
        };
        let field = format_args!("state.position.{}", ["x", "y"][axis]);
        let shown = Shown(period);
        let allowed = format_args!("at least 0 and below the period, {shown}");
        allow((0.0..period).contains(&x), field, Shown(x), allowed)
    }

    fn check_impact(&self) -> Result<(), SnapshotError> {
        let is_fine = self.kind == ImpactKind::Two || self.impact != 0;
        allow(is_fine, "kind", format_args!("{:?}", self.kind), "two where impact is 0")?;
        let count = self.facets.len();
        allow(count <= 2, "length of facets", count, "at most 2")?;
        let is_twice = count == 2 && self.facets[0].0 == self.facets[1].0;
        allow(!is_twice, "facets", format_args!("{:?}", self.facets), "facets that are named once")
    }

    /// What comes in while discs grow is stored smaller than it is.
    fn check_radius(&self, bounds: &Bounds) -> Result<(), Error> {
        let radius = self.state.radius;
        check::radius(radius).or_else(|error| {
            let grows = bounds.growth.is_on() && radius > 0.0;
            if grows { check::radius(bounds.growth.grown(radius, bounds.now)) } else { Err(error) }
        })
    }
}

/// The details of a disc. Which disc it met means nothing after that one's state is from another impact.
fn detail_of(bodies: &Bodies, slot: Slot) -> Detail {
    let detail = *bodies.detail(slot);
    let is_met =
        bodies.is_live(detail.partner) && bodies.stamp(slot).same_impact(bodies.stamp(detail.partner));
    Detail { partner: if is_met { detail.partner } else { slot }, ..detail }
}

/// Checks each, and that no two have one serial number.
pub(super) fn check<P: Physics>(
    Discs(records): &Discs<P::Body, P::Extra>,
    physics: &P,
    bounds: &Bounds,
    timers: &Timers<P::Body, P::Extra>,
) -> Result<(), SnapshotError> {
    let mut least = 0;
    each("discs", records, |record| {
        record.check(bounds, timers)?;
        physics.check(&record.added.own).map_err(SnapshotError::within("added.own"))?;
        physics.check_extra(&record.added.extra).map_err(SnapshotError::within("added.extra"))?;
        let slot = record.id.slot();
        allow(slot >= least, "id.slot", slot, format_args!("a slot above that of the disc before, {least}"))?;
        least = slot;
        Ok(())
    })?;
    differ("discs", "detail.serial", records.iter().map(|record| record.detail.serial))
}

/// Puts these discs, which have been checked, into a store that has none.
pub(super) fn restore<P: Physics>(
    Discs(records): &Discs<P::Body, P::Extra>,
    free: &[DiscId],
    bounds: &Bounds,
    store: &mut Store<P>,
) {
    let slots = records.len() + free.len();
    let ids = records.iter().map(|record| record.id).chain(free.iter().copied());
    let generations = slots::filled(slots, 0, ids.map(|id| (id.slot(), id.generation())));
    let details = records.iter().map(|record| (record.id.slot(), record.detail));
    let details = slots::filled(slots, Detail::default(), details);
    if Store::<P>::ADDS {
        let added = records.iter().map(|record| (record.id.slot(), record.added));
        store.added = slots::filled(slots, Added::default(), added);
    }
    let free = free.iter().map(|id| id.slot()).collect();
    store.bodies = Bodies::of(details, free, generations, bounds.next_serial, bounds.periods, P::ACCELERATED);
    store.bodies.growth = bounds.growth;
    for record in records {
        // All fields, so that none is left out.
        let DiscRecord {
            id,
            state,
            windings,
            impact: _,
            kind: _,
            facets,
            met,
            user_data,
            overlap,
            detail,
            added,
            rare,
        } = record;
        let (slot, &StoredState { position, velocity, time, radius }) = (id.slot(), state);
        store.bodies.set_radius(slot, radius);
        store.bodies.set_mass(slot, detail.mass);
        let new_state = store.bodies.new_state(slot, time, position, velocity);
        store.put_first(slot, &new_state, added.extra, record.stamp());
        store.set_extra(slot, added.extra);
        let bodies = &mut store.bodies;
        bodies.windings.set(slot, *windings);
        bodies.user_data.set(slot, *user_data);
        bodies.overlap.set(slot, *overlap);
        let mut walls = WallMemory::EMPTY;
        walls.met = *met;
        facets.iter().for_each(|&(facet, side)| walls.add(facet, side));
        bodies.walls.set(slot, walls);
        if let Some(rare) = rare {
            rare.restore(slot, bodies);
        }
    }
}

/// What few discs have.
#[derive(Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
struct Rare {
    /// As they were set last.
    rules: Rules,
    /// Those in force, where others were set since.
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    in_force: Option<Rules>,
    sensor: SensorRules,
    /// What it is as a kinematic disc.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    mover: Option<Mover>,
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    off_plane: Option<Off>,
    /// How its path bends, where that does not follow from its state: it is held, or was held until an edit
    /// and has not been settled since, or it is about to come to rest. The forces between held discs follow
    /// from the states that these had when the piece began, which may all have been rewritten since.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    bend: Option<Bend>,
}

fields!(Rare: rules, in_force, sensor, mover, off_plane, bend);

impl Fields for Option<Box<Rare>> {
    fn walk(&self, walk: &mut Walk<'_>) {
        self.as_deref().unwrap_or(&Rare::default()).walk(walk);
    }
}

impl Rare {
    fn of<P: Physics>(store: &Store<P>, slot: Slot) -> Option<Box<Self>> {
        let bodies = &store.bodies;
        let (rules, in_force) = (bodies.rules.latest(slot), bodies.rules.get(slot));
        let bend = *bodies.bend(slot);
        let rare = Rare {
            rules,
            in_force: (in_force != rules).then_some(in_force),
            sensor: bodies.sensors.get(slot),
            mover: bodies.movers.get(slot).copied(),
            off_plane: bodies.off.get(slot).copied(),
            bend: (P::ACCELERATED && bend.bits() != store.own_bend(slot).bits()).then_some(bend),
        };
        (rare != Rare::default()).then(|| Box::new(rare))
    }

    /// Checks it, of a disc of this mass.
    fn check<B: PartialEq, X: PartialEq>(
        &self,
        (id, mass): (DiscId, f64),
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        let Some(mover) = self.mover else { return Ok(()) };
        allow(mass == f64::INFINITY, "mover", "there", "null for a disc whose mass is not infinite")?;
        check::max_speed(mover.max_speed).map_err(SnapshotError::within("mover"))?;
        let Some(journey) = mover.journey else { return Ok(()) };
        check::point(["target.x", "target.y"], journey.target)
            .and(check::velocity(journey.velocity))
            .map_err(SnapshotError::within("mover"))?;
        check_timer(timers, "mover.journey.timer", journey.timer, [Timer::Arrival(id), Timer::Stop(id)])
    }

    /// Writes it into the columns of a disc whose state is stored already.
    fn restore(&self, slot: Slot, bodies: &mut Bodies) {
        let &Rare { rules, in_force, sensor, mover, off_plane, bend } = self;
        let in_force = if sensor.sensor == Sensor::No { in_force.unwrap_or(rules) } else { Rules::NONE };
        bodies.rules.set(slot, in_force);
        bodies.sensors.set(slot, SensorRules::of(sensor.sensor, sensor.rules));
        if let Some(mover) = mover {
            bodies.movers.set(slot, mover);
            bodies.unbend(slot);
        }
        if let Some(bend) = bend.filter(|_| bodies.is_bent()) {
            bodies.set_bend(slot, bend);
        }
        // It stands still.
        if let Some(off) = off_plane {
            bodies.off.set(slot, off);
            bodies.unbend(slot);
        }
    }
}
