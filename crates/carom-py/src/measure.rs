//! Numbers of the whole world.

use crate::errors::plain;
use crate::room::{Room, in_room};
use crate::vector::{Pair, Vector, pair};
use crate::world::World;
use pyo3::prelude::*;

/// What has been counted since the start.
#[pyclass(frozen, get_all, module = "carom")]
pub(crate) struct Counters {
    events: u64,
    disc_impacts: u64,
    wall_impacts: u64,
    groups: u64,
    changes: u64,
    slides: u64,
    made_plastic: u64,
    ledger: f64,
}

#[pymethods]
impl World {
    #[getter]
    pub fn kinetic_energy(&self) -> f64 {
        in_room!(self.room(), held => held.world.kinetic_energy())
    }

    /// Kinetic and potential.
    #[getter]
    pub fn energy(&self) -> f64 {
        match self.room() {
            Room::Smooth(held) => held.world.kinetic_energy(),
            Room::Forces(held) => held.world.energy(),
            Room::Rough(held) => held.world.energy(),
        }
    }

    #[getter]
    pub fn momentum(&self) -> Pair {
        pair(in_room!(self.room(), held => held.world.momentum()))
    }

    /// Of rough discs.
    #[getter]
    pub fn rotational_energy(&self) -> f64 {
        match self.room() {
            Room::Rough(held) => held.world.rotational_energy(),
            _ => 0.0,
        }
    }

    /// Of rough discs, about a point.
    pub fn angular_momentum(&self, about: Vector) -> PyResult<f64> {
        match self.room() {
            Room::Rough(held) => Ok(held.world.angular_momentum(about)),
            _ => Err(plain("the world was made without rough discs; make it with `rough`")),
        }
    }

    #[getter]
    pub fn counters(&self) -> Counters {
        let counters = in_room!(self.room(), held => held.world.counters());
        Counters {
            events: counters.events,
            disc_impacts: counters.disc_impacts,
            wall_impacts: counters.wall_impacts,
            groups: counters.groups,
            changes: counters.changes,
            slides: counters.slides,
            made_plastic: counters.made_plastic,
            ledger: counters.ledger.total,
        }
    }

    /// A hash of all that the future depends on, the same on every machine.
    pub fn checksum(&self) -> u64 {
        in_room!(self.room(), held => held.world.checksum())
    }

    /// The first bit in which two worlds differ, in words; `None` if they do not.
    pub fn diff(&self, other: PyRef<'_, World>) -> Option<String> {
        match (self.room(), other.room()) {
            (Room::Smooth(a), Room::Smooth(b)) => {
                a.world.diff(&b.world).map(|difference| difference.to_string())
            }
            (Room::Forces(a), Room::Forces(b)) => {
                a.world.diff(&b.world).map(|difference| difference.to_string())
            }
            (Room::Rough(a), Room::Rough(b)) => {
                a.world.diff(&b.world).map(|difference| difference.to_string())
            }
            _ => Some("the physics".to_owned()),
        }
    }
}
