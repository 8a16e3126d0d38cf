use super::speed_limit::{Pull, SpeedLimit};
use super::{Body, Grip, Physics, State};
use crate::Error;
use crate::error::check;
use crate::walk::fields;
use carom_math::sqrt;
use core::fmt::{self, Debug, Formatter};
use glam::DVec2;

/// Smooth discs under forces: gravity or the tilt of a table, an acceleration of each disc's own, sliding
/// friction.
///
/// Between events a disc has a constant acceleration `a`, and its path is the parabola `p + v t + ½ a t²`:
/// `a = s g + u` with the gravity `g` of the world, the disc's share `s` of it and its own acceleration `u`.
/// Gravity does not move infinite masses. Where `a` is zero a disc may slide with friction instead: `a =
/// −μ w v/|v|` with its coefficient `μ` and the weight `w`, the acceleration that presses it onto the table,
/// until it stops after `|v|/(μ w)` and has the velocity 0, exactly.
///
/// Friction beside another acceleration is refused: there the direction of the friction turns, and the path
/// is no parabola.
///
/// A disc may have a speed from which on nothing accelerates it any further: [`DiscForces::speed_limit`].
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, Forces, Settings, World};
///
/// let forces = Forces::new().with_gravity([0.0, -8.0])?;
/// let mut world = World::with_physics(forces, Settings::default())?;
/// let ball = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 4.0]))?;
/// world.advance(0.5)?;
/// let top = world.get(ball).expect("it has not been removed");
/// assert_eq!((top.position().y, top.velocity().y), (1.0, 0.0));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Forces {
    gravity: DVec2,
    weight: f64,
}

/// What [`Forces`] knows of a disc.
///
/// ```
/// # use carom_engine as carom;
/// use carom::{Disc, DiscForces, DVec2, Forces, Settings, World};
///
/// let mut world: World<Forces> =
///     World::with_physics(Forces::new().with_weight(10.0)?, Settings::default())?;
/// let sliding = DiscForces { friction: 0.25, ..DiscForces::default() };
/// let puck = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([5.0, 0.0]).with_body(sliding))?;
/// world.advance(10.0)?;
/// // v²/(2 μ w) far, in v/(μ w) = 2 s.
/// let puck = world.get(puck).expect("it has not been removed");
/// assert_eq!((puck.position().x, puck.velocity()), (5.0, DVec2::ZERO));
/// # Ok::<(), carom::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct DiscForces {
    /// An acceleration of its own: a thruster, wind. Components from −10¹⁵ to 10¹⁵; default 0.
    pub acceleration: DVec2,
    /// How many times the world's gravity moves it, from −10¹⁵ to 10¹⁵; default 1, 0 for a disc that ignores
    /// it.
    pub gravity_scale: f64,
    /// Coefficient `μ` of its sliding friction with the table, from 0 to 10¹⁵; default 0.
    pub friction: f64,
    /// The speed up to which `a` accelerates it, from 10⁻¹⁵ to 10¹⁵ or infinite; default infinite, no limit.
    /// Refused beside friction.
    ///
    /// Where the speed rises to the limit `a` ends ([`Standstill::ReachesLimit`]), at the exact time at which
    /// `|v + a t|` is the limit, and the path goes on as a straight line. It begins again when an impact, a
    /// contact or an edit has made the disc slower, or has turned it so that `a` brakes it.
    ///
    /// The limit bounds what `a` does, and neither impacts nor edits: these may make a disc faster. What is
    /// faster than its limit is braked by an `a` against its motion, and flies on uniformly when `a` would
    /// speed it up.
    ///
    /// In a contact that is held ([`Rest`](crate::Rest)) the limit is one of the speed that `a` and the
    /// contact give together. At the limit the disc presses on nothing, as nothing pulls it, and the contact
    /// may let it go. If contacts brake it, `a` begins again at 63/64 of the limit
    /// ([`Standstill::Resumes`]).
    ///
    /// A speed within 2⁻⁴⁵ of the limit, relative to it, counts as the limit, so that rounding at an impact
    /// does not start `a` anew. As `a` depends on the velocity, it has no
    /// [potential energy](crate::World::potential_energy), and what it has done stands in the
    /// [`Ledger`](crate::Ledger) under `forces`, as ever.
    ///
    /// [`Disc::with_max_speed`](crate::Disc::with_max_speed) is something else: how fast a kinematic disc is
    /// sent.
    #[cfg_attr(feature = "serde", serde(with = "carom_math::number"))]
    pub speed_limit: f64,
}

impl Debug for DiscForces {
    /// An infinite `speed_limit` is left out. Runs are compared by hashes of this text, and those without a
    /// limit keep the hashes that they had before there was one.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("DiscForces");
        shown.field("acceleration", &self.acceleration).field("gravity_scale", &self.gravity_scale);
        shown.field("friction", &self.friction);
        if self.is_limited() {
            shown.field("speed_limit", &self.speed_limit);
        }
        shown.finish()
    }
}

impl DiscForces {
    /// Whether it has a limit of its speed.
    #[inline(always)]
    fn is_limited(&self) -> bool {
        self.speed_limit < f64::INFINITY
    }
}

impl Default for DiscForces {
    fn default() -> Self {
        let speed_limit = f64::INFINITY;
        DiscForces { acceleration: DVec2::ZERO, gravity_scale: 1.0, friction: 0.0, speed_limit }
    }
}

/// How the motion of a disc under [`Forces`] changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Standstill {
    /// Friction has stopped it: its velocity is 0 now.
    Stops,
    /// Its speed has risen to [`DiscForces::speed_limit`], or would rise above it from now on: nothing
    /// accelerates it any more.
    ReachesLimit,
    /// Contacts that hold it have slowed it to 63/64 of [`DiscForces::speed_limit`]: its acceleration acts
    /// again.
    Resumes,
}

impl Forces {
    /// No forces.
    #[must_use]
    pub fn new() -> Self {
        Forces::default()
    }

    /// With a gravity: the acceleration of all discs, in length units per second². On a tilted table that
    /// along the table.
    ///
    /// # Errors
    /// If a component is not a number from −10¹⁵ to 10¹⁵.
    pub fn with_gravity(self, gravity: impl Into<DVec2>) -> Result<Self, Error> {
        let gravity = gravity.into();
        check::vector(["gravity.x", "gravity.y"], gravity)?;
        Ok(Forces { gravity, ..self })
    }

    /// With a weight: the acceleration that presses discs onto the table on which they slide with friction,
    /// 9.81 m/s² on a level one.
    ///
    /// # Errors
    /// If it is not a number from 0 to 10¹⁵.
    pub fn with_weight(self, weight: f64) -> Result<Self, Error> {
        check::coefficient("weight", weight)?;
        Ok(Forces { weight, ..self })
    }

    /// The acceleration of all discs.
    #[must_use]
    pub fn gravity(&self) -> DVec2 {
        self.gravity
    }

    /// The acceleration that presses discs onto the table.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.weight
    }

    /// The acceleration of a disc in the plane, without friction.
    fn free(&self, body: &Body<DiscForces>) -> DVec2 {
        let DiscForces { acceleration, gravity_scale, .. } = body.own;
        if body.mass == f64::INFINITY { acceleration } else { self.gravity * gravity_scale + acceleration }
    }

    /// What limits the speed of a disc, if something does.
    #[inline(always)]
    fn limit(&self, body: &Body<DiscForces>) -> Option<SpeedLimit> {
        body.own.is_limited().then(|| SpeedLimit { speed: body.own.speed_limit, pull: self.free(body) })
    }
}

/// When a disc with a limit, accelerated by `bent`, reaches it or is accelerated again.
#[inline]
fn limit_change(limit: &SpeedLimit, state: &State<()>, bent: DVec2) -> Option<(f64, Standstill)> {
    let (dt, what) = limit.next_change(state.velocity, bent)?;
    let change = match what {
        Pull::Ends => Standstill::ReachesLimit,
        Pull::Begins => Standstill::Resumes,
    };
    Some((dt, change))
}

fields!(Forces: gravity, weight);
fields!(DiscForces: acceleration, gravity_scale, friction, speed_limit as Any);

impl Physics for Forces {
    type Extra = ();
    type Body = DiscForces;
    type Surface = ();
    type Change = Standstill;

    const ACCELERATED: bool = true;

    fn check(&self, own: &DiscForces) -> Result<(), Error> {
        check::vector(["acceleration.x", "acceleration.y"], own.acceleration)?;
        check::vector(["gravity_scale", "gravity_scale"], DVec2::splat(own.gravity_scale))?;
        check::coefficient("friction", own.friction)?;
        check::speed_limit(own.speed_limit)?;
        if own.friction > 0.0 && self.gravity * own.gravity_scale + own.acceleration != DVec2::ZERO {
            let reason = "friction beside gravity or an acceleration of its own turns as the disc does, and \
                          its path is no parabola; allowed is one of them, or a gravity_scale of 0";
            return Err(Error::Inconsistent { field: "friction", value: own.friction, reason });
        }
        if own.friction > 0.0 && own.is_limited() {
            let reason = "friction only slows a disc, and no acceleration beside it would end at a limit; \
                          allowed is one of them";
            return Err(Error::Inconsistent { field: "speed_limit", value: own.speed_limit, reason });
        }
        Ok(())
    }

    #[inline]
    fn acceleration(&self, body: &Body<DiscForces>, state: &State<()>) -> DVec2 {
        let slowing = body.own.friction * self.weight;
        if slowing > 0.0 {
            let speed = sqrt(state.velocity.length_squared());
            return if speed > 0.0 { -(state.velocity * (slowing / speed)) } else { DVec2::ZERO };
        }
        match self.limit(body) {
            Some(limit) if limit.is_reached(state.velocity) => DVec2::ZERO,
            _ => self.free(body),
        }
    }

    #[inline]
    fn grip(&self, body: &Body<DiscForces>, _: &State<()>) -> Option<Grip> {
        let most = body.own.friction * self.weight;
        (most > 0.0).then_some(Grip { most, ..Grip::default() })
    }

    #[inline]
    fn next_change(&self, body: &Body<DiscForces>, state: &State<()>) -> Option<(f64, Standstill)> {
        let slowing = body.own.friction * self.weight;
        if let Some(limit) = self.limit(body) {
            return limit_change(&limit, state, limit.pull);
        }
        let slides = slowing > 0.0 && state.velocity != DVec2::ZERO;
        slides.then(|| (sqrt(state.velocity.length_squared()) / slowing, Standstill::Stops))
    }

    #[inline]
    fn next_change_held(
        &self,
        body: &Body<DiscForces>,
        state: &State<()>,
        acceleration: DVec2,
    ) -> Option<(f64, Standstill)> {
        match self.limit(body) {
            Some(limit) => limit_change(&limit, state, acceleration),
            None => self.next_change(body, state),
        }
    }

    #[inline]
    fn change(&self, change: Standstill, _: &Body<DiscForces>, state: &mut State<()>) {
        match change {
            Standstill::Stops => state.velocity = DVec2::ZERO,
            // The velocity is what it is; it says that the acceleration ends or begins.
            Standstill::ReachesLimit | Standstill::Resumes => {}
        }
    }

    #[inline]
    fn potential(&self, body: &Body<DiscForces>, position: DVec2) -> f64 {
        if body.own.is_limited() { 0.0 } else { -self.free(body).dot(position) }
    }
}
