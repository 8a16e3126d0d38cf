use super::error::SnapshotError;
use super::{MAX_STORED_SPEED, are_finite};
use crate::error::check;
use crate::state::bend::Bend;
use crate::state::bodies::Bodies;
use crate::state::movers::Mover;
use crate::state::off_plane::Off;
use crate::state::rules::SensorRules;
use crate::state::timers::{Timer, Timers};
use crate::walk::{Fields, Walk, fields};
use crate::{Physics, Rules, Sensor};
use carom_broadphase::Slot;

/// What few discs have.
#[derive(Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Rare {
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
    /// How its path bends, if it has come to rest against something, or is about to: it follows
    /// from the states that its cluster had when the piece began, which may all have been rewritten since.
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
    pub(super) fn of<P: Physics>(bodies: &Bodies<P>, slot: Slot) -> Option<Box<Self>> {
        let (rules, in_force) = (bodies.rules.latest(slot), bodies.rules.get(slot));
        let bend = *bodies.bend(slot);
        let is_own = bend.low_impacts == 0 && bodies.contacts.holds.of(slot).is_empty();
        let rare = Rare {
            rules,
            in_force: (in_force != rules).then_some(in_force),
            sensor: bodies.sensors.get(slot),
            mover: bodies.movers.get(slot).copied(),
            off_plane: bodies.off.get(slot).copied(),
            bend: (!is_own).then_some(bend),
        };
        (rare != Rare::default()).then(|| Box::new(rare))
    }

    /// The rules that are not in force yet.
    pub(super) fn edited_rules(&self) -> Option<Rules> {
        self.in_force.map(|_| self.rules)
    }

    /// Checks it, of the disc in a slot.
    pub(super) fn check<B, X>(
        &self,
        (slot, mass): (Slot, f64),
        timers: &Timers<B, X>,
    ) -> Result<(), SnapshotError> {
        if let Some(off) = self.off_plane
            && !(off.velocity.is_finite() && off.velocity.abs().max_element() <= MAX_STORED_SPEED)
        {
            let allowed = format!("components up to {MAX_STORED_SPEED:e}");
            return Err(SnapshotError::refused("off_plane.velocity", off.velocity, allowed));
        }
        if let Some(bend) = self.bend {
            are_finite("bend.acceleration", &bend.acceleration)?;
            if !(bend.lasts >= 0.0) {
                return Err(SnapshotError::refused("bend.lasts", bend.lasts, "a number, at least 0"));
            }
        }
        let Some(mover) = self.mover else { return Ok(()) };
        if mass != f64::INFINITY {
            return Err(SnapshotError::refused(
                "mover",
                "there",
                "null for a disc whose mass is not infinite",
            ));
        }
        let within = |error| SnapshotError::within("mover")(error);
        check::max_speed(mover.max_speed).map_err(within)?;
        let Some(journey) = mover.journey else { return Ok(()) };
        check::point(["target.x", "target.y"], journey.target).map_err(within)?;
        check::velocity(journey.velocity).map_err(within)?;
        match timers.list.get(&journey.timer) {
            Some(Timer::Arrival(disc)) if disc.slot() == slot => Ok(()),
            _ => {
                let allowed = "time and number of the timer of its arrival";
                Err(SnapshotError::refused("mover.journey.timer", journey.timer.1, allowed))
            }
        }
    }

    /// Writes it into the columns of a disc whose state is stored already.
    pub(super) fn restore<P: Physics>(&self, slot: Slot, bodies: &mut Bodies<P>) {
        let SensorRules { sensor, rules } = self.sensor;
        let in_force = if sensor == Sensor::No { self.in_force.unwrap_or(self.rules) } else { Rules::NONE };
        bodies.rules.set(slot, in_force);
        bodies.sensors.set(slot, SensorRules::of(sensor, rules));
        if let Some(mover) = self.mover {
            bodies.movers.set(slot, mover);
            bodies.unbend(slot);
        }
        if let Some(bend) = self.bend.filter(|_| P::ACCELERATED) {
            bodies.set_bend(slot, bend);
        }
        // It stands still.
        if let Some(off) = self.off_plane {
            bodies.off.set(slot, off);
            bodies.unbend(slot);
        }
    }
}
