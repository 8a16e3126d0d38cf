//! Discs: inserted, changed, removed.

use crate::body::{self, DISC_NUMBERS};
use crate::engine::{Engine, exactly, time};
use crate::handle::{Numbered, partner};
use crate::laws::Laws;
use crate::refused::Refused;
use crate::room::{Room, in_room};
use crate::rulebook::{self, Ruled};
use carom_engine::math::Shown;
use carom_engine::{DVec2, DiscForces, DiscId, Overlap, World};
use wasm_bindgen::prelude::*;

fn insert<P: Laws>(world: &mut World<P>, numbers: &[f64; DISC_NUMBERS]) -> Result<f64, Refused> {
    let id = world.insert(body::disc(numbers, P::body)?)?;
    match id.number() {
        Some(number) => Ok(number),
        None => {
            world.remove(id)?;
            Err(Refused::value("disc", id, "at most 2^29 uses of a slot, and 2^24 slots"))
        }
    }
}

fn set_forces<P: Laws>(world: &mut World<P>, id: DiscId, forces: DiscForces) -> Result<(), Refused> {
    Ok(world.set_body(id, P::body(forces)?)?)
}

/// Handles with velocities or positions, three numbers each.
fn triples(numbers: &[f64]) -> Result<Vec<(DiscId, DVec2)>, Refused> {
    if !numbers.len().is_multiple_of(3) {
        return Err(Refused::value("numbers", numbers.len(), "three for each disc"));
    }
    numbers.chunks_exact(3).map(|row| Ok((DiscId::of_number(row[0])?, DVec2::new(row[1], row[2])))).collect()
}

#[wasm_bindgen]
impl Engine {
    /// Inserts a disc of 17 numbers.
    ///
    /// # Errors
    /// A number is not allowed, or the disc would overlap something.
    pub fn insert(&mut self, numbers: &[f64]) -> Result<f64, Refused> {
        let numbers = exactly(numbers)?;
        in_room!(&mut self.room, held => insert(&mut held.world, &numbers))
    }

    /// Removes a disc.
    ///
    /// # Errors
    /// It is gone already.
    pub fn remove(&mut self, disc: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        in_room!(&mut self.room, held => held.world.remove(id).map(|_| ()))?;
        Ok(())
    }

    /// Whether there is this disc.
    #[must_use]
    pub fn contains(&self, disc: f64) -> bool {
        DiscId::of_number(disc).is_ok_and(|id| in_room!(&self.room, held => held.world.contains(id)))
    }

    /// Puts a disc elsewhere.
    ///
    /// # Errors
    /// It is gone, a number is not allowed, or it would overlap something.
    pub fn set_position(&mut self, disc: f64, x: f64, y: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_position(id, [x, y]))?)
    }

    /// Gives a disc a velocity.
    ///
    /// # Errors
    /// It is gone, or a number is not allowed.
    pub fn set_velocity(&mut self, disc: f64, x: f64, y: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_velocity(id, [x, y]))?)
    }

    /// Gives velocities to many discs: handle, x, y of each.
    ///
    /// # Errors
    /// As for one; then none is changed.
    pub fn set_velocities(&mut self, numbers: &[f64]) -> Result<(), Refused> {
        let all = triples(numbers)?;
        Ok(in_room!(&mut self.room, held => held.world.set_velocities(&all))?)
    }

    /// Puts many discs elsewhere at once: handle, x, y of each.
    ///
    /// # Errors
    /// As for one; then none is moved.
    pub fn set_positions(&mut self, numbers: &[f64]) -> Result<(), Refused> {
        let all = triples(numbers)?;
        Ok(in_room!(&mut self.room, held => held.world.set_positions(&all))?)
    }

    /// Gives a disc an impulse.
    ///
    /// # Errors
    /// It is gone, or a number is not allowed.
    pub fn apply_impulse(&mut self, disc: f64, x: f64, y: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.apply_impulse(id, [x, y]))?)
    }

    /// Gives a disc another radius.
    ///
    /// # Errors
    /// It is gone, the number is not allowed, or it would overlap something.
    pub fn set_radius(&mut self, disc: f64, radius: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_radius(id, radius))?)
    }

    /// Gives a disc another mass.
    ///
    /// # Errors
    /// It is gone, or the number is not allowed.
    pub fn set_mass(&mut self, disc: f64, mass: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_mass(id, mass))?)
    }

    /// Gives a disc another restitution.
    ///
    /// # Errors
    /// It is gone, or the number is not allowed.
    pub fn set_restitution(&mut self, disc: f64, restitution: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_restitution(id, restitution))?)
    }

    /// Gives a disc another note.
    ///
    /// # Errors
    /// It is gone.
    pub fn set_user_data(&mut self, disc: f64, user_data: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_user_data(id, user_data as u64))?)
    }

    /// Sets which others a disc collides with.
    ///
    /// # Errors
    /// It is gone.
    pub fn set_rules(&mut self, disc: f64, membership: f64, mask: f64, team: f64) -> Result<(), Refused> {
        let (id, rules) = (DiscId::of_number(disc)?, body::rules(membership, mask, team));
        Ok(in_room!(&mut self.room, held => held.world.set_rules(id, rules))?)
    }

    /// Sets what accelerates a disc.
    ///
    /// # Errors
    /// It is gone, a number is not allowed, or the world has no forces.
    pub fn set_forces(
        &mut self,
        disc: f64,
        x: f64,
        y: f64,
        scale: f64,
        friction: f64,
        speed_limit: f64,
    ) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let forces =
            DiscForces { acceleration: DVec2::new(x, y), gravity_scale: scale, friction, speed_limit };
        in_room!(&mut self.room, held => set_forces(&mut held.world, id, forces))
    }

    /// Sets gravity, and the acceleration that presses discs onto the table, of a world with forces.
    ///
    /// # Errors
    /// A number is not allowed, or the world has no forces.
    pub fn set_gravity(&mut self, x: f64, y: f64, weight: f64) -> Result<(), Refused> {
        match &mut self.room {
            Room::Smooth(_) => Err(Refused::value(
                "gravity",
                format!("({}, {})", Shown(x), Shown(y)),
                "in a world with forces",
            )),
            Room::Forces(held) => {
                let Ruled { physics, judge } = held.world.physics();
                let physics = physics.with_gravity([x, y])?.with_weight(weight)?;
                let judge = judge.clone();
                Ok(held.world.set_physics(Ruled { physics, judge })?)
            }
        }
    }

    /// Sets the rules by which verdicts are given, of a world with forces, and the commands that they name.
    ///
    /// # Errors
    /// They are not as `rulebook` has them, or the world has no forces.
    pub fn set_verdicts(&mut self, rules: &[f64], commands: &[f64]) -> Result<(), Refused> {
        let Some(judge) = rulebook::rulebook(rules, commands) else {
            return Err(Refused::value("verdicts", rules.len(), "whole rules of finite numbers"));
        };
        match &mut self.room {
            Room::Smooth(_) if rules.is_empty() => Ok(()),
            Room::Smooth(_) => Err(Refused::value("verdicts", "a list", "in a world with forces")),
            Room::Forces(held) => {
                let physics = held.world.physics().physics;
                Ok(held.world.set_physics(Ruled { physics, judge })?)
            }
        }
    }

    /// Gravity and weight: zeros in a world without forces.
    pub fn gravity(&mut self) {
        let numbers = match &self.room {
            Room::Smooth(_) => [0.0; 3],
            Room::Forces(held) => {
                let physics = &held.world.physics().physics;
                [physics.gravity().x, physics.gravity().y, physics.weight()]
            }
        };
        self.give(numbers);
    }

    /// Takes a disc off the plane, or puts it back.
    ///
    /// # Errors
    /// It is gone, or there is no room for it.
    pub fn set_enabled(&mut self, disc: f64, is_enabled: bool) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        Ok(in_room!(&mut self.room, held => held.world.set_enabled(id, is_enabled))?)
    }

    /// Allows a disc to be put where it overlaps something, or not.
    ///
    /// # Errors
    /// It is gone.
    pub fn set_overlap(&mut self, disc: f64, is_allowed: bool) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let overlap = if is_allowed { Overlap::Allow } else { Overlap::Refuse };
        Ok(in_room!(&mut self.room, held => held.world.set_overlap(id, overlap))?)
    }

    /// Sends a kinematic disc to a place, where it arrives after `seconds`; gives the time of arrival.
    ///
    /// # Errors
    /// It is gone or not kinematic, or a number is not allowed.
    pub fn move_to(&mut self, disc: f64, x: f64, y: f64, seconds: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let arrival = in_room!(&mut self.room, held => held.world.move_to(id, [x, y], seconds))?;
        self.give(time(arrival));
        Ok(())
    }

    /// As `move_to`, with the time of arrival.
    ///
    /// # Errors
    /// It is gone or not kinematic, or a number is not allowed.
    pub fn move_to_until(&mut self, disc: f64, x: f64, y: f64, until: f64) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let arrival = in_room!(&mut self.room, held => held.world.move_to_until(id, [x, y], until))?;
        self.give(time(arrival));
        Ok(())
    }

    /// Lets two discs pass through each other from now on, or collide again; whether that is a change.
    ///
    /// # Errors
    /// One of them is gone.
    pub fn exclude(&mut self, a: f64, b: f64, is_excluded: bool) -> Result<bool, Refused> {
        let (a, b) = (DiscId::of_number(a)?, DiscId::of_number(b)?);
        in_room!(&mut self.room, held => {
            let done = if is_excluded { held.world.exclude(a, b) } else { held.world.include(a, b) };
            Ok(done?)
        })
    }

    /// Whether two discs pass through each other by `exclude`.
    #[must_use]
    pub fn is_excluded(&self, a: f64, b: f64) -> bool {
        let (Ok(a), Ok(b)) = (DiscId::of_number(a), DiscId::of_number(b)) else { return false };
        in_room!(&self.room, held => held.world.is_excluded(a, b))
    }

    /// Pushes apart what overlaps: handle, old place and new place of each disc that is moved.
    ///
    /// # Errors
    /// There is no room, or the plane repeats itself.
    pub fn push_apart(&mut self) -> Result<(), Refused> {
        let moved = in_room!(&mut self.room, held => held.world.push_apart())?;
        let numbers = moved.iter().flat_map(|moved| {
            [moved.disc.nearest_number(), moved.from.x, moved.from.y, moved.to.x, moved.to.y]
        });
        self.give(numbers);
        Ok(())
    }

    /// Gives what overlaps velocities at which it parts: the energy added, then disc, partner, depth, normal
    /// and impulse of each overlap.
    ///
    /// # Errors
    /// The speed is not allowed, nothing would part them, or the plane repeats itself.
    pub fn separate_overlaps(&mut self, speed: f64) -> Result<(), Refused> {
        let parted = in_room!(&mut self.room, held => held.world.separate_overlaps(speed))?;
        let overlaps = parted.overlaps.iter().flat_map(|of| {
            let [kind, body, part] = partner(of.b);
            [of.a.nearest_number(), kind, body, part, of.depth, of.normal.x, of.normal.y, of.impulse]
        });
        self.give([parted.energy_added].into_iter().chain(overlaps));
        Ok(())
    }

    /// Removes all discs.
    pub fn clear(&mut self) {
        in_room!(&mut self.room, held => held.world.clear());
        self.events.clear();
    }
}
