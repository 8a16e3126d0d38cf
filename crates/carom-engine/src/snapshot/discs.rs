use super::Bounds;
use super::error::SnapshotError;
use super::slots::Slots;
use crate::error::check;
use crate::state::bodies::{Bodies, Detail};
use crate::state::stamp::{ImpactKind, Stamp};
use crate::state::wall_memory::WallMemory;
use crate::{Error, Overlap, Physics, State};
use carom_broadphase::Slot;
use carom_math::toi::Side;
use carom_math::{DVec2, Time};
use std::collections::BTreeMap;

/// Stored states up to here can be reckoned with: squares, of distances as of speeds, are far from overflow.
/// No world whose numbers were let in gets there: the lightest disc with all the energy of all the heaviest
/// makes 10⁶⁹ length units a second, and flies for at most 10³⁴ s.
const MAX_STORED_LENGTH: f64 = 1e120;
pub(super) const MAX_STORED_SPEED: f64 = 1e80;

/// A disc with its stored state.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscRecord<B, X> {
    pub(super) slot: u32,
    serial: u64,
    position: DVec2,
    /// By how many periods the position has been wrapped.
    windings: [i32; 2],
    velocity: DVec2,
    extra: X,
    /// When the state holds.
    time: Time,
    /// Number of the impact that wrote it, 0 if none did; and its kind.
    impact: u64,
    #[serde(rename = "meeting")]
    kind: ImpactKind,
    /// Serial of the disc that it met then; its own if none.
    partner: u64,
    /// Facets that it was hit by, at most two.
    facets: Vec<FacetRecord>,
    /// Whether the state comes from that.
    met: bool,
    #[serde(rename = "streak")]
    rapid_impacts: u32,
    radius: f64,
    #[serde(with = "carom_math::number")]
    pub(super) mass: f64,
    restitution: f64,
    body: B,
    user_data: u64,
    overlap: Overlap,
}

/// A facet that a disc was hit by.
#[derive(Clone, Copy, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FacetRecord {
    facet: u32,
    /// On which side.
    front: bool,
}

pub(super) fn slots_of<P: Physics>(bodies: &Bodies<P>) -> Slots {
    let generations = (0..bodies.slots() as Slot).map(|slot| bodies.generations.get(slot)).collect();
    Slots::new(generations, bodies.free.iter().rev().copied())
}

/// What stands in free slots.
fn filler<B: Default, X: Default>() -> Detail<B, X> {
    Detail {
        serial: 0,
        mass: 1.0,
        restitution: 1.0,
        extra: X::default(),
        own: B::default(),
        partner: 0,
        rapid_impacts: 0,
    }
}

impl<B: Copy, X: Copy> DiscRecord<B, X> {
    /// `numbers` are those that the facets have in the snapshot.
    pub(super) fn of<P>(bodies: &Bodies<P>, slot: Slot, numbers: &[Option<u32>]) -> Self
    where
        P: Physics<Body = B, Extra = X>,
    {
        let State { position, velocity, extra } = bodies.state(slot);
        let stamp = bodies.stamp(slot);
        // Named one by one, so that a new part of a disc does not compile until it is decided where it
        // belongs.
        let Detail { serial, mass, restitution, extra: _, own, partner: _, rapid_impacts } =
            *bodies.detail(slot);
        let walls = bodies.walls.get(slot).renumbered(|facet| numbers[facet as usize]);
        DiscRecord {
            slot,
            serial,
            position,
            windings: bodies.windings.get(slot),
            velocity,
            extra,
            time: bodies.time(slot),
            impact: stamp.number(),
            kind: stamp.kind(),
            partner: bodies.serial_of_partner(slot),
            facets: walls
                .known()
                .map(|(facet, side)| FacetRecord { facet, front: side == Side::Front })
                .collect(),
            met: walls.met,
            rapid_impacts,
            radius: bodies.radius(slot),
            mass,
            restitution,
            body: own,
            user_data: bodies.user_data.get(slot),
            overlap: bodies.overlap.get(slot),
        }
    }

    fn stamp(&self) -> Stamp {
        if self.impact == 0 { Stamp::NONE } else { Stamp::impact(self.impact, self.kind) }
    }

    fn check(&self, bounds: &Bounds) -> Result<(), SnapshotError> {
        self.check_motion(bounds)?;
        let time = bounds.past("time", self.time)?;
        if bounds.growth.is_on() && time < bounds.growth.since {
            let allowed = format!("at least growth.since, {}", super::shown(bounds.growth.since));
            return Err(SnapshotError::refused("time", super::shown(time), allowed));
        }
        for (field, serial) in [("serial", self.serial), ("partner", self.partner)] {
            if serial >= bounds.next_serial {
                let allowed = format!("a serial number below next_serial, {}", bounds.next_serial);
                return Err(SnapshotError::refused(field, serial, allowed));
            }
        }
        self.check_impact(bounds)?;
        let door = self
            .check_radius(bounds)
            .and_then(|()| check::mass(self.mass))
            .and_then(|()| check::restitution(self.restitution));
        door.map_err(SnapshotError::within(""))
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
            let meeting = format!("{:?}", self.kind).to_lowercase();
            return Err(SnapshotError::refused("meeting", meeting, "two where impact is 0"));
        }
        if self.facets.len() > 2 {
            return Err(SnapshotError::refused("length of facets", self.facets.len(), "at most 2"));
        }
        for (k, &FacetRecord { facet, .. }) in self.facets.iter().enumerate() {
            let field = format!("facets[{k}].facet");
            if facet >= bounds.facets {
                let allowed = format!("a facet below {}", bounds.facets);
                return Err(SnapshotError::refused(&field, facet, allowed));
            }
            if self.facets[..k].iter().any(|other| other.facet == facet) {
                return Err(SnapshotError::refused(&field, facet, "a facet that is named once"));
            }
        }
        Ok(())
    }

    /// What comes in while discs grow is stored smaller than it is.
    fn check_radius(&self, bounds: &Bounds) -> Result<(), Error> {
        check::radius(self.radius).or_else(|error| {
            let grows = bounds.growth.is_on() && self.radius > 0.0;
            if grows { check::radius(bounds.growth.grown(self.radius, bounds.now)) } else { Err(error) }
        })
    }
}

/// Checks each, and that no two have one serial number.
pub(super) fn check<P: Physics>(
    records: &[DiscRecord<P::Body, P::Extra>],
    physics: &P,
    bounds: &Bounds,
) -> Result<(), SnapshotError> {
    let place = |k: usize| format!("discs[{k}]");
    for (k, record) in records.iter().enumerate() {
        record.check(bounds).map_err(|error| error.inside(&place(k)))?;
        let refused = |field| move |error| SnapshotError::within(field)(error).inside(&place(k));
        physics.check(&record.body).map_err(refused("body"))?;
        physics.check_extra(&record.extra).map_err(refused("extra"))?;
        if k > 0 && record.slot < records[k - 1].slot {
            let allowed = format!("a slot above that of the disc before, {}", records[k - 1].slot);
            return Err(SnapshotError::refused("slot", record.slot, allowed).inside(&place(k)));
        }
    }
    let mut serials: Vec<(u64, usize)> = (0..).zip(records).map(|(k, record)| (record.serial, k)).collect();
    serials.sort_unstable();
    match serials.windows(2).find(|pair| pair[0].0 == pair[1].0) {
        Some(&[(serial, first), (_, k)]) => {
            let allowed = format!("a serial number of its own, not that of {}", place(first));
            Err(SnapshotError::refused("serial", serial, allowed).inside(&place(k)))
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
    let of_serial: BTreeMap<u64, Slot> = records.iter().map(|record| (record.serial, record.slot)).collect();
    let details = records.iter().map(|record| {
        // A partner that was removed is replaced by the disc itself.
        let partner = of_serial.get(&record.partner).map_or(record.slot, |slot| *slot);
        let detail = Detail {
            serial: record.serial,
            mass: record.mass,
            restitution: record.restitution,
            extra: record.extra,
            own: record.body,
            partner,
            rapid_impacts: record.rapid_impacts,
        };
        (record.slot, detail)
    });
    let (all, free, generations) = slots.filled(details, filler);
    let mut bodies = Bodies::of(all, free, generations, bounds.next_serial, bounds.periods, false);
    bodies.growth = bounds.growth;
    for record in &records {
        let &DiscRecord { slot, position, velocity, extra, time, .. } = record;
        // The same time, with the sign of a zero put right.
        let time = bounds.clock.from_parts(time.epoch_start(), time.offset()).unwrap_or(time);
        bodies.set_radius(slot, record.radius);
        bodies.set_mass(slot, record.mass);
        bodies.store(physics, slot, time, &State { position, velocity, extra }, record.stamp());
        bodies.windings.set(slot, record.windings);
        bodies.user_data.set(slot, record.user_data);
        bodies.overlap.set(slot, record.overlap);
        let mut walls = WallMemory::EMPTY;
        walls.met = record.met;
        for &FacetRecord { facet, front } in &record.facets {
            walls.add(facet, if front { Side::Front } else { Side::Back });
        }
        bodies.walls.set(slot, walls);
    }
    bodies
}
