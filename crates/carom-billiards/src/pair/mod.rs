//! What happens where two balls meet: one model a file.

mod frictional_inelastic;
mod frictionless;
mod mathavan_2014;

use crate::Coefficients;
use crate::contact::{masses, tilt};
use crate::motion::BallState;
use carom_engine::variants;
use carom_engine::{Body, Contact, State};

/// What happens where two balls meet.
///
/// Restitution and friction are the means of those of the two balls. In a group of impacts at one instant
/// the normal impulses are found together; then each contact has the tangential impulse that its own normal
/// one allows, by the slip that is there with the tangential impulses of all others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum PairModel {
    /// The normal components of equal balls change places; spin stays.
    FrictionlessElastic,
    /// As that, with the restitution `e_b`.
    FrictionlessInelastic,
    /// Restitution, and Coulomb friction that throws the balls and passes spin on: Alciatore, TP and
    ///
    #[default]
    FrictionalInelastic,
    /// Integrated over the impulse, with the friction of the cloth during the impact: Mathavan, Jackson and
    /// Parkin 2014.
    #[cfg_attr(feature = "serde", serde(rename = "frictional_mathavan"))]
    FrictionalMathavan,
}

variants!(
    PairModel: FrictionlessElastic, FrictionlessInelastic, FrictionalInelastic, FrictionalMathavan
);

impl PairModel {
    /// All of them.
    pub const ALL: [PairModel; 4] = [
        PairModel::FrictionlessElastic,
        PairModel::FrictionlessInelastic,
        PairModel::FrictionalInelastic,
        PairModel::FrictionalMathavan,
    ];

    /// As it is called in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            PairModel::FrictionlessElastic => "frictionless_elastic",
            PairModel::FrictionlessInelastic => "frictionless_inelastic",
            PairModel::FrictionalInelastic => "frictional_inelastic",
            PairModel::FrictionalMathavan => "frictional_mathavan",
        }
    }

    pub(crate) fn restitution(self, of_two: [f64; 2]) -> f64 {
        match self {
            PairModel::FrictionlessElastic => 1.0,
            _ => frictionless::mean_restitution(of_two),
        }
    }

    pub(crate) fn apply(
        self,
        contact: &Contact<BallState>,
        bodies: [&Body<Coefficients>; 2],
        a: &mut State<BallState>,
        b: &mut State<BallState>,
    ) {
        if self != PairModel::FrictionalMathavan {
            lift_by_normal_impulse(contact, bodies, a, b);
        }
        match self {
            PairModel::FrictionlessElastic | PairModel::FrictionlessInelastic => {}
            PairModel::FrictionalInelastic => frictional_inelastic::apply(contact, bodies, a, b),
            PairModel::FrictionalMathavan => {
                let e = self.restitution(bodies.map(|body| body.own.restitution));
                mathavan_2014::apply(contact, bodies, e, a, b);
            }
        }
    }
}

/// The vertical part of the normal impulse of unequal balls, whose line of centres is tilted.
fn lift_by_normal_impulse(
    contact: &Contact<BallState>,
    [of_a, of_b]: [&Body<Coefficients>; 2],
    a: &mut State<BallState>,
    b: &mut State<BallState>,
) {
    let (cos, sin) = tilt(of_a.radius, of_b.radius);
    let upwards = contact.impulse * (sin / cos);
    let [mass_a, mass_b] = masses([of_a.mass, of_b.mass]);
    a.extra.lift.normal -= upwards / mass_a;
    b.extra.lift.normal += upwards / mass_b;
}
