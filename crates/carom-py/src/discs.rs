//! Discs: inserted, looked at, changed, removed.

use crate::body::{Disc, RoughGiven, Seen, rolling_resistance, rough_pair, roughness};
use crate::errors::{Given, OrRaise, stale};
use crate::handle::{Body, Numbered, body};
use crate::laws::{Laws, disc_of};
use crate::room::in_room;
use crate::time::{Time, When};
use crate::vector::{Pair, Vector, pair};
use crate::words::rules;
use crate::world::World;
use carom_engine::{DiscId, DiscRef, Error, Overlap};
use carom_scene::verdicts::{Whole, recast};
use pyo3::prelude::*;

/// A disc as it is now.
fn seen<P: Laws>(disc: DiscRef<'_, P>) -> Disc {
    let plain = disc.to_disc();
    let (body, extra) = P::whole(plain.body, plain.extra);
    let seen = Seen {
        unwrapped: disc.unwrapped_position(),
        acceleration: disc.acceleration(),
        target: disc.target(),
        is_enabled: disc.is_enabled(),
    };
    Disc { whole: recast(plain, body, extra), seen: Some(seen) }
}

/// Changes what the physics knows of a disc.
fn change<P: Laws>(
    world: &mut carom_engine::World<P>,
    id: DiscId,
    edit: impl FnOnce(&mut Whole) -> Result<(), Error>,
) -> Result<(), Error> {
    let disc = world.get(id).ok_or(Error::NoSuchDisc(id))?.to_disc();
    let (body, extra) = P::whole(disc.body, disc.extra);
    let mut whole = recast(disc, body, extra);
    edit(&mut whole)?;
    let (new_body, new_extra) = P::body(&whole)?;
    world.physics().check_extra(&new_extra)?;
    if new_body != disc.body {
        world.set_body(id, new_body)?;
    }
    if new_extra != disc.extra {
        world.set_extra(id, new_extra)?;
    }
    Ok(())
}

pub(crate) fn insert<P: Laws>(world: &mut carom_engine::World<P>, whole: &Whole) -> Result<DiscId, Error> {
    world.insert(disc_of::<P>(whole)?)
}

#[pymethods]
impl World {
    /// Inserts a disc, and gives its handle.
    pub fn insert(&mut self, disc: PyRef<'_, Disc>) -> PyResult<u64> {
        in_room!(self.edit(), held => insert(&mut held.world, &disc.whole)).map(Numbered::number).or_raise()
    }

    /// Removes a disc.
    pub fn remove(&mut self, disc: u64) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.remove(id).map(drop)).or_raise()
    }

    /// Removes all discs.
    pub fn clear(&mut self) {
        in_room!(self.edit(), held => held.world.clear());
    }

    pub fn __contains__(&self, disc: u64) -> bool {
        DiscId::from_number(disc).is_some_and(|id| in_room!(self.room(), held => held.world.contains(id)))
    }

    pub fn __getitem__(&self, disc: u64) -> PyResult<Disc> {
        self.get(disc).ok_or_else(|| stale(DiscId::FIELD, disc))
    }

    pub fn __delitem__(&mut self, disc: u64) -> PyResult<()> {
        self.remove(disc)
    }

    /// A disc as it is now, or nothing if it has been removed.
    pub fn get(&self, disc: u64) -> Option<Disc> {
        let id = DiscId::from_number(disc)?;
        in_room!(self.room(), held => held.world.get(id).map(seen))
    }

    pub fn set_position(&mut self, disc: u64, position: Vector) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_position(id, position)).or_raise()
    }

    pub fn set_velocity(&mut self, disc: u64, velocity: Vector) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_velocity(id, velocity)).or_raise()
    }

    pub fn apply_impulse(&mut self, disc: u64, impulse: Vector) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.apply_impulse(id, impulse)).or_raise()
    }

    pub fn set_radius(&mut self, disc: u64, radius: f64) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_radius(id, radius)).or_raise()
    }

    pub fn set_mass(&mut self, disc: u64, mass: f64) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_mass(id, mass)).or_raise()
    }

    pub fn set_restitution(&mut self, disc: u64, restitution: f64) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_restitution(id, restitution)).or_raise()
    }

    pub fn set_user_data(&mut self, disc: u64, user_data: u64) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_user_data(id, user_data)).or_raise()
    }

    pub fn set_overlap(&mut self, disc: u64, allowed: bool) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        let overlap = if allowed { Overlap::Allow } else { Overlap::Refuse };
        in_room!(self.edit(), held => held.world.set_overlap(id, overlap)).or_raise()
    }

    pub fn set_enabled(&mut self, disc: u64, enabled: bool) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_enabled(id, enabled)).or_raise()
    }

    #[pyo3(signature = (disc, *, membership = u32::MAX, mask = u32::MAX, team = 0))]
    pub fn set_rules(&mut self, disc: u64, membership: u32, mask: u32, team: u32) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.set_rules(id, rules(membership, mask, team))).or_raise()
    }

    /// Changes the forces on a disc; what is left out stays.
    #[pyo3(signature = (disc, *, acceleration = None, gravity_scale = None, friction = None,
        speed_limit = None))]
    pub fn set_forces(
        &mut self,
        disc: u64,
        acceleration: Option<Vector>,
        gravity_scale: Option<f64>,
        friction: Option<f64>,
        speed_limit: Option<f64>,
    ) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        let edit = |whole: &mut Whole| {
            let own = &mut whole.body.own;
            own.acceleration = acceleration.map_or(own.acceleration, Vector::into);
            own.gravity_scale = gravity_scale.unwrap_or(own.gravity_scale);
            own.friction = friction.unwrap_or(own.friction);
            own.speed_limit = speed_limit.unwrap_or(own.speed_limit);
            Ok(())
        };
        in_room!(self.edit(), held => change(&mut held.world, id, edit)).or_raise()
    }

    /// Changes how a rough disc turns and rubs; what is left out stays.
    #[pyo3(signature = (disc, *, angle = None, angular_velocity = None, inertia = None, roughness = None,
        rolling_resistance = None))]
    pub fn set_spin(
        &mut self,
        disc: u64,
        angle: Option<f64>,
        angular_velocity: Option<f64>,
        inertia: Option<f64>,
        roughness: Option<RoughGiven>,
        rolling_resistance: Option<f64>,
    ) -> PyResult<()> {
        let id = DiscId::given(disc)?;
        let edit = |whole: &mut Whole| {
            whole.extra.angle = angle.unwrap_or(whole.extra.angle);
            whole.extra.angular_velocity = angular_velocity.unwrap_or(whole.extra.angular_velocity);
            whole.body.inertia = inertia.unwrap_or(whole.body.inertia);
            let own = whole.body.roughness;
            let rolling_resistance = rolling_resistance.unwrap_or(self::rolling_resistance(own));
            whole.body.roughness = self::roughness(roughness.or(own.map(rough_pair)), rolling_resistance)?;
            Ok(())
        };
        in_room!(self.edit(), held => change(&mut held.world, id, edit)).or_raise()
    }

    /// Sends a kinematic disc to a place, where it arrives after `seconds`; gives the time of arrival.
    pub fn move_to(&mut self, disc: u64, target: Vector, seconds: f64) -> PyResult<Time> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => held.world.move_to(id, target, seconds)).map(Time::of).or_raise()
    }

    /// As `move_to`, with the time of arrival.
    pub fn move_to_until(&mut self, disc: u64, target: Vector, time: When) -> PyResult<Time> {
        let id = DiscId::given(disc)?;
        in_room!(self.edit(), held => {
            let until = time.moment(&held.world)?;
            held.world.move_to_until(id, target, until).map(Time::of).or_raise()
        })
    }

    /// Lets two discs pass through each other from now on; whether that is a change.
    pub fn exclude(&mut self, a: u64, b: u64) -> PyResult<bool> {
        let (a, b) = (DiscId::given(a)?, DiscId::given(b)?);
        in_room!(self.edit(), held => held.world.exclude(a, b)).or_raise()
    }

    /// Lets two discs collide again; whether that is a change.
    pub fn include(&mut self, a: u64, b: u64) -> PyResult<bool> {
        let (a, b) = (DiscId::given(a)?, DiscId::given(b)?);
        in_room!(self.edit(), held => held.world.include(a, b)).or_raise()
    }

    /// Whether two discs pass through each other by `exclude`.
    pub fn is_excluded(&self, a: u64, b: u64) -> PyResult<bool> {
        let (a, b) = (DiscId::given(a)?, DiscId::given(b)?);
        Ok(in_room!(self.room(), held => held.world.is_excluded(a, b)))
    }

    /// What a disc presses on now.
    pub fn held_to(&self, disc: u64) -> PyResult<Vec<Body>> {
        let id = DiscId::given(disc)?;
        Ok(in_room!(self.room(), held => held.world.held_to(id).filter_map(body).collect()))
    }

    /// Multiplies all velocities by a factor.
    pub fn scale_velocities(&mut self, factor: f64) -> PyResult<()> {
        in_room!(self.edit(), held => held.world.scale_velocities(factor)).or_raise()
    }

    /// Pushes discs apart that overlap, by the least moves: handle, from and to of each that has moved.
    pub fn push_apart(&mut self) -> PyResult<Vec<(u64, Pair, Pair)>> {
        let moved = in_room!(self.edit(), held => held.world.push_apart()).or_raise()?;
        Ok(moved.iter().map(|moved| (moved.disc.number(), pair(moved.from), pair(moved.to))).collect())
    }

    /// Lets what overlaps part at a speed at least; gives the energy that it adds.
    pub fn separate_overlaps(&mut self, speed: f64) -> PyResult<f64> {
        let parted = in_room!(self.edit(), held => held.world.separate_overlaps(speed)).or_raise()?;
        Ok(parted.energy_added)
    }

    /// The exact state of a disc at a time, by its present path: position and velocity.
    pub fn state_at(&mut self, disc: u64, time: When) -> PyResult<(Pair, Pair)> {
        let id = DiscId::given(disc)?;
        in_room!(self.ask(), held => {
            let at = time.moment(&held.world)?;
            let state = held.world.state_at(id, at).or_raise()?;
            Ok((pair(state.position), pair(state.velocity)))
        })
    }
}
