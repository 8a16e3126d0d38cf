//! Discs: inserted, changed, removed.

use crate::body;
use crate::engine::{Engine, exactly, time};
use crate::handle::{Numbered, partner};
use crate::laws::{Laws, disc_of};
use crate::refused::Refused;
use crate::room::in_room;
use crate::rulebook;
use carom_engine::math::Shown;
use carom_engine::{DVec2, DiscForces, DiscId, Error, Forces, Overlap, Roughness, World};
use carom_scene::verdicts::{Order, Rulebook, Whole, recast};
use wasm_bindgen::prelude::*;

fn insert<P: Laws>(world: &mut World<P>, disc: Whole) -> Result<f64, Refused> {
    let id = world.insert(disc_of::<P>(disc)?)?;
    match id.number() {
        Some(number) => Ok(number),
        None => {
            world.remove(id)?;
            Err(Refused::value("disc", id, "at most 2^29 uses of a slot, and 2^24 slots"))
        }
    }
}

/// All that is known of a disc.
fn whole<P: Laws>(world: &World<P>, id: DiscId) -> Result<Whole, Error> {
    let disc = world.get(id).ok_or(Error::NoSuchDisc(id))?.to_disc();
    let (body, extra) = P::whole(disc.body, disc.extra);
    Ok(recast(disc, body, extra))
}

fn set_forces<P: Laws>(world: &mut World<P>, id: DiscId, forces: DiscForces) -> Result<(), Error> {
    let mut disc = whole(world, id)?;
    disc.body.own = forces;
    world.set_body(id, P::body(&disc)?.0)
}

/// How a disc is to turn and rub. What is left out stays.
struct Turning {
    angle: Option<f64>,
    angular_velocity: Option<f64>,
    inertia: Option<f64>,
    /// Its own, or none.
    roughness: Option<Option<Roughness>>,
}

/// Changes how a disc turns and rubs. Nothing is changed where a part is refused.
fn set_turning<P: Laws>(world: &mut World<P>, id: DiscId, given: &Turning) -> Result<(), Error> {
    let mut disc = whole(world, id)?;
    let spin = &mut disc.extra;
    spin.angle = given.angle.unwrap_or(spin.angle);
    spin.angular_velocity = given.angular_velocity.unwrap_or(spin.angular_velocity);
    disc.body.inertia = given.inertia.unwrap_or(disc.body.inertia);
    disc.body.roughness = given.roughness.unwrap_or(disc.body.roughness);
    let (body, extra) = P::body(&disc)?;
    world.physics().check_extra(&extra)?;
    if given.inertia.is_some() || given.roughness.is_some() {
        world.set_body(id, body)?;
    }
    if given.angle.is_some() || given.angular_velocity.is_some() {
        world.set_extra(id, extra)?;
    }
    Ok(())
}

/// Refuses rules that insert discs with what the physics does not know.
fn check_inserted<P: Laws>(_: &World<P>, judge: &Rulebook) -> Result<(), Error> {
    let mut orders = judge.rules.iter().flat_map(|rule| &rule.ruling.orders);
    orders.try_for_each(|order| match order {
        Order::Insert(_, disc) => P::body(disc).map(drop),
        _ => Ok(()),
    })
}

/// Gives a world other forces and rules; false if it has none.
fn set_ruled<P: Laws>(
    world: &mut World<P>,
    change: impl FnOnce(Forces, &Rulebook) -> Result<(Forces, Rulebook), Error>,
) -> Result<bool, Error> {
    let physics = world.physics();
    let Some((forces, judge)) = physics.ruled() else { return Ok(false) };
    let (forces, judge) = change(forces, judge)?;
    let changed = physics.with_ruled(forces, judge);
    changed.map_or(Ok(false), |physics| world.set_physics(physics).map(|()| true))
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
    /// Inserts a disc of the numbers of `body::disc`.
    ///
    /// # Errors
    /// A number is not allowed, or the disc would overlap something.
    pub fn insert(&mut self, numbers: &[f64]) -> Result<f64, Refused> {
        let disc = body::disc(&exactly(numbers)?)?;
        in_room!(&mut self.room, held => insert(&mut held.world, disc))
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
        Ok(in_room!(&mut self.room, held => set_forces(&mut held.world, id, forces))?)
    }

    /// Sets how a disc turns and rubs: which of it (1 angle, 2 angular velocity, 4 inertia, 8 a roughness of
    /// its own, 16 that of the world), then angle, angular velocity, inertia and roughness.
    ///
    /// # Errors
    /// It is gone, a number is not allowed, or discs of the world do not rub. Nothing is changed then.
    pub fn set_spin(&mut self, disc: f64, numbers: &[f64]) -> Result<(), Refused> {
        let id = DiscId::of_number(disc)?;
        let [bits, angle, angular_velocity, inertia, roughness @ ..] = exactly::<7>(numbers)?;
        let has = |bit: u32| bits as u32 & bit != 0;
        let own = body::own_roughness(has(8), roughness)?;
        let given = Turning {
            angle: has(1).then_some(angle),
            angular_velocity: has(2).then_some(angular_velocity),
            inertia: has(4).then_some(inertia),
            roughness: has(8 | 16).then_some(own),
        };
        Ok(in_room!(&mut self.room, held => set_turning(&mut held.world, id, &given))?)
    }

    /// Sets gravity, and the acceleration that presses discs onto the table, of a world with forces.
    ///
    /// # Errors
    /// A number is not allowed, or the world has no forces.
    pub fn set_gravity(&mut self, x: f64, y: f64, weight: f64) -> Result<(), Refused> {
        let change = |forces: Forces, judge: &Rulebook| {
            Ok((forces.with_gravity([x, y])?.with_weight(weight)?, judge.clone()))
        };
        if in_room!(&mut self.room, held => set_ruled(&mut held.world, change))? {
            return Ok(());
        }
        Err(Refused::value("gravity", format!("({}, {})", Shown(x), Shown(y)), "in a world with forces"))
    }

    /// Sets the rules by which verdicts are given, of a world with forces, and the commands that they name.
    ///
    /// # Errors
    /// They are not as `rulebook` has them, or the world has no forces.
    pub fn set_verdicts(&mut self, rules: &[f64], commands: &[f64]) -> Result<(), Refused> {
        let Some(judge) = rulebook::rulebook(rules, commands) else {
            return Err(Refused::value("verdicts", rules.len(), "whole rules of finite numbers"));
        };
        in_room!(&self.room, held => check_inserted(&held.world, &judge))?;
        let change = |forces, _: &Rulebook| Ok((forces, judge));
        if in_room!(&mut self.room, held => set_ruled(&mut held.world, change))? || rules.is_empty() {
            return Ok(());
        }
        Err(Refused::value("verdicts", "a list", "in a world with forces"))
    }

    /// Gravity and weight: zeros in a world without forces.
    pub fn gravity(&mut self) {
        let forces = in_room!(&self.room, held => held.world.physics().ruled().map(|(forces, _)| forces));
        let numbers = |forces: Forces| [forces.gravity().x, forces.gravity().y, forces.weight()];
        self.give(forces.map_or([0.0; 3], numbers));
    }

    /// The roughness of what has none of its own; false in a world whose discs do not rub.
    pub fn roughness(&mut self) -> bool {
        let roughness = in_room!(&self.room, held => held.world.physics().roughness());
        self.give(roughness.into_iter().flat_map(body::roughness_numbers));
        roughness.is_some()
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
