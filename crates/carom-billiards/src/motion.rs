//! Motion on the cloth: closed forms from one change of motion to the next.
//!
//! The slip is the velocity of the point of the ball that touches the cloth,
//!
//! ```text
//! u = v + ω × (−R ẑ) = (v_x − R ω_y, v_y + R ω_x) .
//! ```
//!
//! - *Sliding*: friction is `−μ_s g û` per unit of mass, and turns the ball by `dω∥/dt = −(5/2R) μ_s g (û ×
//!   ẑ)`. So `du/dt = −(7/2) μ_s g û`: the slip keeps its direction, the acceleration is constant, the path
//!   is a parabola, and after `2|u|/(7 μ_s g)` the ball rolls. A ball that starts without spin then has 5/7
//!   of its velocity (Coriolis, Théorie mathématique des effets du jeu de billard, 1835).
//! - *Rolling*: `a = −μ_r g v̂`, and `ω∥ = (−v_y, v_x)/R`, for `|v|/(μ_r g)`.
//! - *Falling* over the hole of a pocket: uniform, with the spin that it has (`lip`).
//! - *Spinning* about the vertical: `|ω_z|` falls at `5 μ_sp g/(2R)` in every motion, and stays 0 once there.

use crate::fall::Fall;
use crate::{Ball, Coefficients};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;
use carom_engine::{DVec2, Grip, State};
use carom_engine::{fields, variants};

/// What is stored of a ball beside its position and velocity.
///
/// The default neither turns nor rolls: one with a velocity slides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct BallState {
    /// Angular velocity in radians a second. Of a ball that grips the cloth the horizontal part follows from
    /// its velocity, whatever stands here.
    pub spin: DVec3,
    /// Whether it slips on the cloth.
    pub hold: Hold,
    /// What of the impacts of the present instant the table takes.
    pub lift: Lift,
    /// The hole that it is over, while it [falls](Hold::Falls).
    #[cfg_attr(feature = "serde", serde(default))]
    pub fall: Fall,
}

fields!(BallState: spin, hold, lift, fall);

/// The vertical velocity, upwards, that the impacts of an instant would have given a ball, in m/s.
///
/// The table takes it, or gravity in a hop that is not followed: nothing moves by it. An entry of the
/// [`EnergyLedger`](crate::EnergyLedger).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Lift {
    /// By normal impulses, along inclined lines.
    pub normal: f64,
    /// By friction at the points of contact.
    pub friction: f64,
}

fields!(Lift: normal, friction);

/// Whether a ball slips on the cloth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Hold {
    /// It may slip; a ball that does not then rolls at once.
    #[default]
    Slips,
    /// It rolls without slip, or rests.
    Grips,
    /// It is over a hole and has no cloth under it: see [`PocketModel::Lip`](crate::PocketModel::Lip).
    Falls,
}

variants!(Hold: Slips, Grips, Falls);

/// How a ball moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Motion {
    /// It slips on the cloth.
    Sliding,
    /// It rolls without slip.
    Rolling,
    /// It turns about the vertical in its place.
    Spinning,
    /// It is at rest.
    Resting,
    /// It is over the hole of a pocket, and falls.
    Falling,
}

/// How the motion of a ball changes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum MotionChange {
    /// A sliding ball rolls from now on, or rests if that leaves it no speed.
    Rolls,
    /// A rolling ball stops: it spins or rests from now on.
    Stops,
    /// A spinning ball comes to rest.
    Rests,
    /// A falling ball meets the liner on the far side of the pocket.
    MeetsLiner,
    /// A falling ball comes back to the lip: it climbs over it and slides on, or is potted.
    MeetsLip,
    /// A falling ball is so deep that it is potted.
    Drops,
}

/// Slip of the lowest point of a ball.
#[must_use]
pub fn slip(radius: f64, velocity: DVec2, spin: DVec3) -> DVec2 {
    DVec2::new(velocity.x - radius * spin.y, velocity.y + radius * spin.x)
}

/// The angular velocity of a ball that rolls.
fn rolling_spin(radius: f64, velocity: DVec2, about_vertical: f64) -> DVec3 {
    DVec3::new(-velocity.y / radius, velocity.x / radius, about_vertical)
}

/// The slip in m/s that is none: it ends at once. Rounding leaves 10⁻¹⁵ of one; of a ball that others press
/// on it falls to 0 only in the limit of ever shorter slides.
const NO_SLIP: f64 = 1e-8;

/// The rolling speed in m/s that is none: where balls press on each other they may stop only in the limit of
/// ever shorter pieces. No larger: a ball that rolls by another one is pushed as slowly as that passes.
const NO_SPEED: f64 = 1e-15;

/// Direction of a vector; 0 of one without length.
fn unit(d: DVec2) -> DVec2 {
    let size = length(d);
    if size > 0.0 { d / size } else { DVec2::ZERO }
}

/// The largest value of `x + v t + a t²/2` for `t` from 0 to `dt`.
pub(crate) fn farthest([x, v, a]: [f64; 3], dt: f64) -> f64 {
    let turns = if v > 0.0 && a < 0.0 && v + a * dt < 0.0 { x - 0.5 * v * v / a } else { x };
    turns.max(x + (v + 0.5 * a * dt) * dt)
}

/// `|d|`.
pub(crate) fn length(d: DVec2) -> f64 {
    sqrt(d.length_squared())
}

impl BallState {
    /// A ball that turns like this and may slip.
    #[must_use]
    pub fn turning(spin: DVec3) -> Self {
        BallState { spin, ..BallState::default() }
    }

    /// A ball that rolls with its velocity, or rests: what presses on it makes it roll.
    #[must_use]
    pub fn rolling() -> Self {
        BallState { hold: Hold::Grips, ..BallState::default() }
    }

    /// The state with `times` the spin and lift of a change added to it.
    pub(crate) fn with(&self, change: &BallState, times: f64) -> BallState {
        let lift = Lift {
            normal: self.lift.normal + times * change.lift.normal,
            friction: self.lift.friction + times * change.lift.friction,
        };
        BallState { spin: self.spin + change.spin * times, lift, ..*self }
    }

    /// The angular velocity of a ball of this radius and velocity.
    #[must_use]
    pub fn angular_velocity(&self, radius: f64, velocity: DVec2) -> DVec3 {
        match self.hold {
            Hold::Slips | Hold::Falls => self.spin,
            Hold::Grips => rolling_spin(radius, velocity, self.spin.z),
        }
    }

    /// How a ball of this radius and velocity moves.
    #[must_use]
    pub fn motion(&self, radius: f64, velocity: DVec2) -> Motion {
        if self.hold == Hold::Falls {
            return Motion::Falling;
        }
        let is_sliding = self.hold == Hold::Slips
            && (velocity != DVec2::ZERO || slip(radius, velocity, self.spin) != DVec2::ZERO);
        if is_sliding {
            Motion::Sliding
        } else if velocity != DVec2::ZERO {
            Motion::Rolling
        } else if self.spin.z != 0.0 {
            Motion::Spinning
        } else {
            Motion::Resting
        }
    }
}

/// Kinetic energy of a ball, of its velocity and its rotation, in joules.
#[must_use]
pub fn energy(ball: &Ball, velocity: DVec2, spin: DVec3) -> f64 {
    kinetic_energy(ball.mass, ball.radius, velocity, spin)
}

pub(crate) fn kinetic_energy(mass: f64, radius: f64, velocity: DVec2, spin: DVec3) -> f64 {
    0.5 * mass * (velocity.length_squared() + 0.4 * (radius * radius * spin.length_squared()))
}

/// A ball's law of motion: its state with what it depends on.
pub(crate) struct Law<'a> {
    pub(crate) gravity: f64,
    pub(crate) radius: f64,
    pub(crate) own: &'a Coefficients,
    pub(crate) velocity: DVec2,
    pub(crate) extra: &'a BallState,
}

impl Law<'_> {
    pub(crate) fn motion(&self) -> Motion {
        self.extra.motion(self.radius, self.velocity)
    }

    /// Direction of the slip; of a ball without slip that of the velocity.
    fn slip_direction(&self) -> DVec2 {
        let slip = slip(self.radius, self.velocity, self.extra.spin);
        let size = length(slip);
        if size > 0.0 { slip / size } else { unit(self.velocity) }
    }

    pub(crate) fn acceleration(&self) -> DVec2 {
        match self.motion() {
            Motion::Sliding => -(self.slip_direction() * (self.own.sliding * self.gravity)),
            Motion::Rolling => -(unit(self.velocity) * (self.own.rolling * self.gravity)),
            Motion::Spinning | Motion::Resting | Motion::Falling => DVec2::ZERO,
        }
    }

    /// What holds a ball which others press on: it rolls, with 7/5 of its mass, as the force that acts on its
    /// centre is to turn it, too. None of one that slides: its friction does not depend on what presses; nor
    /// of one that falls.
    pub(crate) fn grip(&self) -> Option<Grip> {
        let most = self.own.rolling * self.gravity;
        let is_rolling = !matches!(self.motion(), Motion::Sliding | Motion::Falling);
        is_rolling.then_some(Grip { most, inertia: 1.4, ..Grip::default() })
    }

    /// The rate at which `|ω_z|` falls.
    pub(crate) fn spin_falls(&self) -> f64 {
        2.5 * self.own.spinning * self.gravity / self.radius
    }

    pub(crate) fn evolve(&self, dt: f64) -> BallState {
        let radius = self.radius;
        let BallState { mut spin, hold, lift, mut fall } = *self.extra;
        let left = spin.z.abs() - self.spin_falls() * dt;
        let about_vertical = if left > 0.0 { left.copysign(spin.z) } else { 0.0 };
        match self.motion() {
            Motion::Sliding => {
                let u = self.slip_direction();
                let turned = 2.5 * self.own.sliding * self.gravity / radius * dt;
                spin += DVec3::new(-u.y, u.x, 0.0) * turned;
                spin.z = about_vertical;
            }
            Motion::Rolling => {
                spin = rolling_spin(radius, self.velocity + self.acceleration() * dt, about_vertical);
            }
            Motion::Spinning | Motion::Resting => spin.z = about_vertical,
            Motion::Falling => fall.lasts += dt,
        }
        BallState { spin, hold, lift: if dt > 0.0 { Lift::default() } else { lift }, fall }
    }

    pub(crate) fn next_change(&self) -> Option<(f64, MotionChange)> {
        let own = self.own;
        let (dt, change) = match self.motion() {
            Motion::Sliding => {
                let slip = length(slip(self.radius, self.velocity, self.extra.spin));
                let lasts = if slip > NO_SLIP { slip / (3.5 * own.sliding * self.gravity) } else { 0.0 };
                (lasts, MotionChange::Rolls)
            }
            Motion::Rolling => {
                let speed = length(self.velocity);
                let lasts = if speed > NO_SPEED { speed / (own.rolling * self.gravity) } else { 0.0 };
                (lasts, MotionChange::Stops)
            }
            Motion::Spinning => (self.extra.spin.z.abs() / self.spin_falls(), MotionChange::Rests),
            // What a falling ball meets depends on where it is.
            Motion::Resting | Motion::Falling => return None,
        };
        // Without friction it goes on for ever; of no slip and no friction that is 0/0.
        (dt < f64::INFINITY).then_some((dt, change))
    }
}

/// Carries out a change of motion. What stops has exactly no velocity.
///
/// Where others press on a ball its slide does not end when it would alone: what slip is left then begins
/// another. At the end an impulse at the cloth, which turns the ball as well, takes the rest of it: `v −=
/// 2u/7`.
pub(crate) fn change(change: MotionChange, radius: f64, state: &mut State<BallState>) {
    let about_vertical = state.extra.spin.z;
    let left = slip(radius, state.velocity, state.extra.spin);
    if change == MotionChange::Rolls {
        if left.length_squared() > NO_SLIP * NO_SLIP {
            return;
        }
        state.velocity -= left * (2.0 / 7.0);
    }
    state.extra.hold = Hold::Grips;
    match change {
        MotionChange::Stops => state.velocity = DVec2::ZERO,
        MotionChange::Rests => {
            (state.velocity, state.extra.spin) = (DVec2::ZERO, DVec3::ZERO);
            return;
        }
        // Those of a falling ball are not changed here.
        _ => {}
    }
    state.extra.spin = rolling_spin(radius, state.velocity, about_vertical);
}
