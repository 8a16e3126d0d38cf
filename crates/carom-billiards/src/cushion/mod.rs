//! What happens at a cushion: one model a file.
//!
//! All of them work in the frame of the contact: `n` horizontal, towards the cushion, `t = ẑ × n`, and `ẑ`
//! up. They get the velocity and the angular velocity of a ball that meets the cushion at `v_n > 0`, and say
//! by how much these change. What would lift the ball or press it onto the cloth the table takes: `v_z` stays
//! 0.

mod han_2005;
mod impulse_frictional;
mod mathavan_2010;
mod springs;
mod stronge_compliant;

use crate::contact::horizontal_restitution;
use crate::motion::BallState;
use crate::{Ball, Coefficients};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;
use carom_engine::variants;
use carom_engine::{Body, Contact, State};

/// What happens at a cushion.
///
/// Restitution and friction are those of the ball for cushions. Contacts that share an instant with others
/// are treated as [`PairModel`](crate::PairModel) says: with the speed of approach at which the ball alone
/// would have its normal impulse.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum CushionModel {
    /// The normal component turns round; spin stays.
    Mirror,
    /// As that, with the restitution `e_c`.
    Restitution,
    /// Han 2005: friction at a nose above the centre.
    #[cfg_attr(feature = "serde", serde(rename = "han_2005"))]
    Han2005,
    /// Restitution along the line from the nose to the centre, and Coulomb friction across it.
    ImpulseFrictional,
    /// Mathavan, Jackson and Parkin 2010: integrated over the impulse, with the friction of the cloth.
    #[cfg_attr(feature = "serde", serde(rename = "mathavan_2010"))]
    Mathavan2010,
    /// Stronge, Impact Mechanics: a nose that yields, along and across.
    #[default]
    StrongeCompliant,
}

variants!(
    CushionModel: Mirror, Restitution, Han2005, ImpulseFrictional, Mathavan2010, StrongeCompliant
);

/// A ball that meets a cushion, in the frame `n, t, z`.
#[derive(Clone, Copy, Debug)]
struct Hit {
    /// Along n and t; `n` is > 0.
    velocity: DVec3,
    spin: DVec3,
    radius: f64,
    /// See [`rise`].
    rise: f64,
    e: f64,
    friction: f64,
    /// Friction on the cloth.
    sliding: f64,
}

/// The height of a nose above a ball's centre as a fraction of the distance between the centre and the axis
/// of the rounded nose: `(h − R)/(R + ρ)`, from −0.9 to 0.9. [`Table::check`](crate::Table::check) refuses
/// noses beyond that.
fn rise(nose: Profile, radius: f64) -> f64 {
    ((nose.height - radius) / (radius + nose.rounding)).clamp(-MOST_RISE, MOST_RISE)
}

/// The height of the nose of a table for pool: 64 % of the diameter of a ball.
pub(crate) const POOL_NOSE: f64 = 0.64 * 2.0 * Ball::POOL.radius;

/// The largest rise that models take.
pub(crate) const MOST_RISE: f64 = 0.9;

/// The profile of a nose: the height of its foremost point above the cloth and the radius with which it is
/// rounded, in metres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Profile {
    pub(crate) height: f64,
    pub(crate) rounding: f64,
}

/// By how much velocity and angular velocity change; the vertical part of the velocity is the lift.
#[derive(Clone, Copy, Debug)]
struct Rebound {
    velocity: DVec3,
    spin: DVec3,
}

impl Hit {
    /// Unit vector from the nose to the centre: the centre is a radius away from the line of the nose,
    /// horizontally, and `rise R` below it. What rounds the nose lengthens both alike.
    fn away(&self) -> DVec3 {
        let size = sqrt(1.0 + self.rise * self.rise);
        DVec3::new(-1.0 / size, 0.0, -self.rise / size)
    }

    /// Velocity of the point of contact, whose direction from the centre is `−away`.
    fn contact_velocity(&self, away: DVec3) -> DVec3 {
        self.velocity - self.spin.cross(away) * self.radius
    }

    /// What an impulse per unit of mass at the point of contact does.
    fn rebound(&self, impulse: DVec3, away: DVec3) -> Rebound {
        Rebound { velocity: impulse, spin: impulse.cross(away) * (2.5 / self.radius) }
    }
}

impl CushionModel {
    /// All of them.
    pub const ALL: [CushionModel; 6] = [
        CushionModel::Mirror,
        CushionModel::Restitution,
        CushionModel::Han2005,
        CushionModel::ImpulseFrictional,
        CushionModel::Mathavan2010,
        CushionModel::StrongeCompliant,
    ];

    /// As it is called in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CushionModel::Mirror => "mirror",
            CushionModel::Restitution => "restitution",
            CushionModel::Han2005 => "han_2005",
            CushionModel::ImpulseFrictional => "impulse_frictional",
            CushionModel::Mathavan2010 => "mathavan_2010",
            CushionModel::StrongeCompliant => "stronge_compliant",
        }
    }

    /// The restitution of the horizontal normal velocity without friction, for the engine's normal impulse:
    /// [`CushionModel::apply`] adds the rest.
    pub(crate) fn horizontal_restitution(self, e: f64, nose: Profile, radius: f64) -> f64 {
        let rise = rise(nose, radius);
        match self {
            CushionModel::Mirror => 1.0,
            CushionModel::Restitution | CushionModel::Mathavan2010 => e,
            CushionModel::Han2005 => horizontal_restitution(e, sqrt(1.0 - rise * rise)),
            CushionModel::ImpulseFrictional | CushionModel::StrongeCompliant => {
                horizontal_restitution(e, 1.0 / sqrt(1.0 + rise * rise))
            }
        }
    }

    /// The slope of the line of contact, for a nose of this height above the centre in radii; 0 where the
    /// balance of the vertical forces is part of the model, or there is none.
    fn normal_rise(self, rise: f64) -> f64 {
        match self {
            CushionModel::Mirror | CushionModel::Restitution | CushionModel::Mathavan2010 => 0.0,
            CushionModel::Han2005 => rise / sqrt(1.0 - rise * rise),
            CushionModel::ImpulseFrictional | CushionModel::StrongeCompliant => rise,
        }
    }

    /// Replaces the engine's normal impulse by that of the model, and adds its effect on the spin.
    pub(crate) fn apply(
        self,
        contact: &Contact<BallState>,
        body: &Body<Coefficients>,
        nose: Profile,
        a: &mut State<BallState>,
    ) {
        let (normal, tangent) = (contact.normal, contact.normal.perp());
        let spin = a.extra.spin;
        // The impulse of a tracer is one per unit of mass.
        let pushed = contact.impulse / if body.mass > 0.0 { body.mass } else { 1.0 };
        let hit = Hit {
            velocity: DVec3::new(pushed / (1.0 + contact.restitution), a.velocity.dot(tangent), 0.0),
            spin: DVec3::new(spin.truncate().dot(normal), spin.truncate().dot(tangent), spin.z),
            radius: body.radius,
            rise: rise(nose, body.radius),
            e: body.own.cushion_restitution,
            friction: body.own.cushion_friction,
            sliding: body.own.sliding,
        };
        if !(hit.velocity.x > 0.0) {
            return;
        }
        let rebound = match self {
            CushionModel::Mirror | CushionModel::Restitution => return,
            CushionModel::Han2005 => han_2005::rebound(&hit),
            CushionModel::ImpulseFrictional => impulse_frictional::rebound(&hit),
            CushionModel::Mathavan2010 => mathavan_2010::rebound(&hit),
            CushionModel::StrongeCompliant => stronge_compliant::rebound(&hit),
        };
        let Rebound { velocity, spin } = rebound;
        a.velocity += normal * (velocity.x + pushed) + tangent * velocity.y;
        a.extra.spin += (normal * spin.x + tangent * spin.y).extend(spin.z);
        let by_normal = -pushed * self.normal_rise(hit.rise);
        a.extra.lift.normal += by_normal;
        a.extra.lift.friction += velocity.z - by_normal;
    }
}
