//! What is read of a world: discs, and numbers of the whole.

use crate::body::{flags, roughness_numbers};
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

/// All of a disc, in this many numbers.
const SEEN: usize = 28;

/// All of a disc: what it was made of without how it turns and rubs, then its acceleration, where it is
/// without wrapping, angle, angular velocity, inertia and roughness.
fn numbers<P: Laws>(disc: DiscRef<'_, P>) -> [f64; SEEN] {
    let (p, v, a, free) = (disc.position(), disc.velocity(), disc.acceleration(), disc.unwrapped_position());
    let (rules, (body, spin)) = (disc.rules(), P::whole(disc.body(), disc.extra()));
    let (forces, [friction, back, rolling]) =
        (body.own, roughness_numbers(body.roughness.unwrap_or_default()));
    let bit = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
    let flags = bit(disc.overlap() == carom_engine::Overlap::Allow, flags::OVERLAP)
        | bit(disc.sensor() != Sensor::No, flags::SENSOR)
        | bit(disc.is_kinematic(), flags::KINEMATIC)
        | bit(disc.is_enabled(), flags::ENABLED)
        | bit(body.roughness.is_some(), flags::ROUGH);
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
        spin.angle,
        spin.angular_velocity,
        body.inertia,
        friction,
        back,
        rolling,
    ]
}

fn get<P: Laws>(world: &World<P>, id: DiscId) -> Result<[f64; SEEN], Error> {
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

/// Angles, or angular velocities, of all discs.
fn turning<P: Laws>(world: &World<P>, is_velocity: bool, to: &mut Vec<f64>) {
    to.clear();
    to.extend(world.discs().map(|(_, disc)| {
        let (_, spin) = P::whole(disc.body, disc.extra);
        if is_velocity { spin.angular_velocity } else { spin.angle }
    }));
}

#[wasm_bindgen]
impl Engine {
    /// All of a disc, in numbers.
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

    /// Brings the buffer of angles up to date, in the same order.
    pub fn read_angles(&mut self) {
        let angles = &mut self.angles;
        in_room!(&self.room, held => turning(&held.world, false, angles));
    }

    /// Brings the buffer of angular velocities up to date, in the same order.
    pub fn read_spins(&mut self) {
        let spins = &mut self.spins;
        in_room!(&self.room, held => turning(&held.world, true, spins));
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
    /// changes of motion, impacts that were made plastic, what impacts took, energy of rotation.
    pub fn totals(&mut self) {
        let numbers = in_room!(&self.room, held => {
            let (world, counters) = (&held.world, held.world.counters());
            let momentum = world.momentum();
            [
                world.kinetic_energy(), world.energy(), momentum.x, momentum.y, counters.events as f64,
                counters.disc_impacts as f64, counters.wall_impacts as f64, counters.groups as f64,
                counters.changes as f64, counters.made_plastic as f64, world.ledger().total,
                // A sum of nothing is −0.
                world.rotational_energy() + 0.0,
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
