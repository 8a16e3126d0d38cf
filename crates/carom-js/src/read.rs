//! What is read of a world: discs, and numbers of the whole.

use crate::body::flags;
use crate::engine::{Engine, time};
use crate::handle::Numbered;
use crate::laws::Laws;
use crate::refused::Refused;
use crate::room::in_room;
use carom_engine::{DVec2, DiscId, DiscRef, Error, Sensor, World};
use carom_scene::RunHash;
use wasm_bindgen::prelude::*;

/// Numbers of a state in `read_states`: position, velocity, radius, mass, user data, handle.
pub(crate) const STATE: usize = 8;

/// All of a disc: what it was made of, then its acceleration, and where it is without wrapping.
fn numbers<P: Laws>(disc: DiscRef<'_, P>) -> [f64; 22] {
    let (p, v, a, free) = (disc.position(), disc.velocity(), disc.acceleration(), disc.unwrapped_position());
    let (rules, forces) = (disc.rules(), P::forces(disc.body()));
    let bit = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let flags = bit(disc.overlap() == carom_engine::Overlap::Allow, flags::OVERLAP)
        | bit(disc.sensor() != Sensor::No, flags::SENSOR)
        | bit(disc.is_kinematic(), flags::KINEMATIC)
        | bit(disc.is_enabled(), flags::ENABLED);
    [
        p.x,
        p.y,
        disc.radius(),
        v.x,
        v.y,
        disc.mass(),
        disc.restitution(),
        disc.user_data() as f64,
        f64::from(rules.membership),
        f64::from(rules.mask),
        f64::from(rules.team),
        f64::from(flags),
        disc.max_speed(),
        forces.acceleration.x,
        forces.acceleration.y,
        forces.gravity_scale,
        forces.friction,
        forces.speed_limit,
        a.x,
        a.y,
        free.x,
        free.y,
    ]
}

fn get<P: Laws>(world: &World<P>, id: DiscId) -> Result<[f64; 22], Error> {
    world.get(id).map(numbers).ok_or(Error::NoSuchDisc(id))
}

fn states<P: Laws>(world: &World<P>, states: &mut Vec<f64>) {
    states.clear();
    states.reserve(world.len() * STATE);
    for (id, disc) in world.discs() {
        let (p, v) = (disc.position, disc.velocity);
        let user_data = disc.user_data as f64;
        states.extend([p.x, p.y, v.x, v.y, disc.radius, disc.mass, user_data, id.nearest_number()]);
    }
}

#[wasm_bindgen]
impl Engine {
    /// All of a disc, in 21 numbers.
    ///
    /// # Errors
    /// It is gone.
    pub fn get(&mut self, disc: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let numbers = in_room!(&self.room, held => get(&held.world, id))?;
        self.give(numbers);
        Ok(())
    }

    /// Brings the buffer of positions up to date: x and y of each disc, in the order of slots.
    ///
    /// # Errors
    /// None.
    pub fn read_positions(&mut self) -> Result<(), Refused> {
        let positions = &mut self.positions;
        in_room!(&self.room, held => {
            positions.resize(held.world.len(), DVec2::ZERO);
            Ok(held.world.read_positions(positions)?)
        })
    }

    /// Brings the buffer of states up to date, in the same order.
    pub fn read_states(&mut self) {
        let buffer = &mut self.states;
        in_room!(&self.room, held => states(&held.world, buffer));
    }

    /// Brings the buffer of handles up to date, in the same order.
    pub fn read_handles(&mut self) {
        let handles = &mut self.handles;
        handles.clear();
        in_room!(&self.room, held => handles.extend(held.world.ids().map(Numbered::nearest_number)));
    }

    /// The number of discs.
    #[must_use]
    pub fn count(&self) -> usize {
        in_room!(&self.room, held => held.world.len())
    }

    /// The present, in its two parts.
    pub fn now(&mut self) {
        let now = in_room!(&self.room, held => held.world.now());
        self.give(time(now));
    }

    /// Energies, momentum and counters: kinetic, all, momentum, events, impacts of discs, of walls, groups,
    /// changes of motion, impacts that were made plastic, what impacts took.
    pub fn totals(&mut self) {
        let numbers = in_room!(&self.room, held => {
            let (world, counters) = (&held.world, held.world.counters());
            let momentum = world.momentum();
            [
                world.kinetic_energy(), world.energy(), momentum.x, momentum.y, counters.events as f64,
                counters.disc_impacts as f64, counters.wall_impacts as f64, counters.groups as f64,
                counters.changes as f64, counters.made_plastic as f64, world.ledger().total,
            ]
        });
        self.give(numbers);
    }

    /// A hash of all positions and velocities at the present, in hexadecimal.
    #[must_use]
    pub fn hash(&self) -> String {
        let mut hash = RunHash::new();
        in_room!(&self.room, held => hash.states(&held.world));
        format!("{:016x}", hash.value())
    }
}
