use super::error::SnapshotError;
use super::rare::Rare;
use super::slots::Slots;
use super::{Bounds, MAX_STORED_LENGTH, MAX_STORED_SPEED, each};
use crate::error::check;
use crate::state::bodies::{Bodies, Detail};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::timers::Timers;
use crate::state::wall_memory::WallMemory;
use crate::walk::{Walk, fields};
use crate::{Error, Overlap, Physics, Rules, State};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use carom_math::{DVec2, Time};

/// A disc with its stored state.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct DiscRecord<B, X> {
    pub(super) slot: Slot,
    position: DVec2,
    velocity: DVec2,
    /// When the state holds.
    time: Time,
    radius: f64,
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
    pub(super) detail: Detail<B, X>,
    // A snapshot must have this field; it is `null` where the value is `None`.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "serde::Deserialize::deserialize"))]
    rare: Option<Box<Rare>>,
}

fields!(
    DiscRecord<B, X>: slot, position, velocity, time, radius, windings, impact, kind, facets, met, user_data,
    overlap; within detail, rare
);

pub(super) fn slots_of<P: Physics>(bodies: &Bodies<P>) -> Slots {
    let generations = (0..bodies.slots() as Slot).map(|slot| bodies.generations.get(slot)).collect();
    Slots::new(generations, bodies.free.iter().rev().copied())
}

/// Of the discs that are to be settled those that there are, once: what is gone is settled with what it
/// touched.
pub(super) fn unsettled_of<P: Physics>(bodies: &Bodies<P>, unsettled: &[Slot]) -> Vec<Slot> {
    let mut slots: Vec<Slot> = unsettled.iter().copied().filter(|&slot| bodies.is_live(slot)).collect();
    slots.sort_unstable();
    slots.dedup();
    slots
}

impl<B, X> DiscRecord<B, X> {
    /// `numbers` are those that the facets have in the snapshot.
    pub(super) fn of<P>(bodies: &Bodies<P>, slot: Slot, numbers: &[Option<u32>]) -> Self
    where
        P: Physics<Body = B, Extra = X>,
    {
        let State { position, velocity, extra: _ } = bodies.state(slot);
        let stamp = bodies.stamp(slot);
        let walls = bodies.walls.get(slot).renumbered(|facet| numbers[facet as usize]);
        DiscRecord {
            slot,
            position,
            velocity,
            time: bodies.time(slot),
            radius: bodies.radius(slot),
            windings: bodies.windings.get(slot),
            impact: stamp.number(),
            kind: stamp.kind(),
            facets: walls.known().collect(),
            met: walls.met,
            user_data: bodies.user_data.get(slot),
            overlap: bodies.overlap.get(slot),
            detail: detail_of(bodies, slot),
            rare: Rare::of(bodies, slot),
        }
    }

    /// The rules that are not in force yet.
    pub(super) fn edited_rules(&self) -> Option<(Slot, Rules)> {
        Some((self.slot, self.rare.as_ref()?.edited_rules()?))
    }

    /// Where it is and how it moves.
    pub(super) fn walk_motion(&self, walk: &mut Walk<'_>) {
        walk.field("slot", &self.slot);
        walk.field("position", &self.position);
        walk.field("velocity", &self.velocity);
        walk.field("time", &self.time);
        walk.field("radius", &self.radius);
    }

    fn stamp(&self) -> Stamp {
        if self.impact == 0 { Stamp::NONE } else { Stamp::impact(self.impact, self.kind) }
    }

    fn check(&self, bounds: &Bounds, timers: &Timers<B, X>) -> Result<(), SnapshotError> {
        self.check_motion(bounds)?;
        let time = bounds.past("time", self.time)?;
        if bounds.growth.is_on() && time < bounds.growth.since {
            let allowed = format!("at least growth.since, {}", super::shown(bounds.growth.since));
            return Err(SnapshotError::refused("time", super::shown(time), allowed));
        }
        self.check_impact(bounds)?;
        self.check_detail(bounds).map_err(|error| error.inside("detail"))?;
        self.check_radius(bounds).map_err(SnapshotError::within(""))?;
        self.rare.as_ref().map_or(Ok(()), |rare| rare.check((self.slot, self.detail.mass), timers))
    }

    fn check_detail(&self, bounds: &Bounds) -> Result<(), SnapshotError> {
        let &Detail { serial, mass, restitution, partner, .. } = &self.detail;
        if serial >= bounds.next_serial {
            let allowed = format!("a serial number below next_serial, {}", bounds.next_serial);
            return Err(SnapshotError::refused("serial", serial, allowed));
        }
        bounds.are_live("partner", &[partner])?;
        check::mass(mass).and(check::restitution(restitution)).map_err(SnapshotError::within(""))
    }

    fn check_motion(&self, bounds: &Bounds) -> Result<(), SnapshotError> {
        let most = |field: &str, value: f64, most: f64| {
            if value.abs() <= most {
                return Ok(());
            }
            Err(SnapshotError::refused(field, value, format!("a finite number from {:e} to {most:e}", -most)))
        };
        most("position.x", self.position.x, MAX_STORED_LENGTH)?;
        most("position.y", self.position.y, MAX_STORED_LENGTH)?;
        let periods = &bounds.periods;
        for (field, x, period) in
            [("position.x", self.position.x, periods.x()), ("position.y", self.position.y, periods.y())]
        {
            if let Some(period) = period
                && !(0.0..period).contains(&x)
            {
                let allowed = format!("at least 0 and below the period, {period}");
                return Err(SnapshotError::refused(field, x, allowed));
            }
        }
        for (field, winding, period) in
            [("windings[0]", self.windings[0], periods.x()), ("windings[1]", self.windings[1], periods.y())]
        {
            if winding != 0 && period.is_none() {
                return Err(SnapshotError::refused(field, winding, "0 where there is no period"));
            }
        }
        most("velocity.x", self.velocity.x, MAX_STORED_SPEED)?;
        most("velocity.y", self.velocity.y, MAX_STORED_SPEED)
    }

    fn check_impact(&self, bounds: &Bounds) -> Result<(), SnapshotError> {
        super::at_most("impact", self.impact, bounds.impacts)?;
        if self.kind != ImpactKind::Two && self.impact == 0 {
            let kind = format!("{:?}", self.kind).to_lowercase();
            return Err(SnapshotError::refused("kind", kind, "two where impact is 0"));
        }
        if self.facets.len() > 2 {
            return Err(SnapshotError::refused("length of facets", self.facets.len(), "at most 2"));
        }
        for (k, &(facet, _)) in self.facets.iter().enumerate() {
            bounds.is_facet(&format!("facets[{k}]"), facet)?;
        }
        let mut facets: Vec<u32> = self.facets.iter().map(|&(facet, _)| facet).collect();
        facets.sort_unstable();
        super::are_named_once("facets", &facets, "facets")
    }

    /// What comes in while discs grow is stored smaller than it is.
    fn check_radius(&self, bounds: &Bounds) -> Result<(), Error> {
        check::radius(self.radius).or_else(|error| {
            let grows = bounds.growth.is_on() && self.radius > 0.0;
            if grows { check::radius(bounds.growth.grown(self.radius, bounds.now)) } else { Err(error) }
        })
    }
}

/// The details of a disc. Which disc it met means nothing after that one's state is from another impact.
fn detail_of<P: Physics>(bodies: &Bodies<P>, slot: Slot) -> Detail<P::Body, P::Extra> {
    let detail = *bodies.detail(slot);
    let is_met =
        bodies.is_live(detail.partner) && bodies.stamp(slot).same_impact(bodies.stamp(detail.partner));
    Detail { partner: if is_met { detail.partner } else { slot }, ..detail }
}

/// Checks each, and that no two have one serial number.
pub(super) fn check<P: Physics>(
    records: &[DiscRecord<P::Body, P::Extra>],
    physics: &P,
    bounds: &Bounds,
    timers: &Timers<P::Body, P::Extra>,
) -> Result<(), SnapshotError> {
    let mut least = 0;
    each("discs", records, |record| {
        record.check(bounds, timers)?;
        physics.check(&record.detail.own).map_err(SnapshotError::within("detail.own"))?;
        physics.check_extra(&record.detail.extra).map_err(SnapshotError::within("detail.extra"))?;
        if record.slot < least {
            let allowed = format!("a slot above that of the disc before, {least}");
            return Err(SnapshotError::refused("slot", record.slot, allowed));
        }
        least = record.slot;
        Ok(())
    })?;
    let place = |k: usize| format!("discs[{k}]");
    let mut serials: Vec<(u64, usize)> =
        (0..).zip(records).map(|(k, record)| (record.detail.serial, k)).collect();
    serials.sort_unstable();
    match serials.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(&[(serial, first), (_, k)]) => {
            let allowed = format!("a serial number of its own, not that of {}", place(first));
            Err(SnapshotError::refused("detail.serial", serial, allowed).inside(&place(k)))
        }
        _ => Ok(()),
    }
}

/// The store with these discs, which have been checked.
pub(super) fn restored<P: Physics>(
    physics: &P,
    records: Vec<DiscRecord<P::Body, P::Extra>>,
    slots: Slots,
    bounds: &Bounds,
) -> Bodies<P> {
    let details = records.iter().map(|record| (record.slot, record.detail));
    let (all, free, generations) = slots.filled(details, Detail::default);
    let mut bodies = Bodies::of(all, free, generations, bounds.next_serial, bounds.periods, false);
    bodies.growth = bounds.growth;
    for record in &records {
        let &DiscRecord { slot, position, velocity, time, detail: Detail { extra, mass, .. }, .. } = record;
        bodies.set_radius(slot, record.radius);
        bodies.set_mass(slot, mass);
        bodies.store(physics, slot, time, &State { position, velocity, extra }, record.stamp());
        bodies.windings.set(slot, record.windings);
        bodies.user_data.set(slot, record.user_data);
        bodies.overlap.set(slot, record.overlap);
        let mut walls = WallMemory::EMPTY;
        walls.met = record.met;
        record.facets.iter().for_each(|&(facet, side)| walls.add(facet, side));
        bodies.walls.set(slot, walls);
        if let Some(rare) = &record.rare {
            rare.restore(slot, &mut bodies);
        }
    }
    bodies
}
