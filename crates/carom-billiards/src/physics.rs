//! The door: billiards as a physics of the engine.

use crate::contact::{centres_apart, horizontal_restitution, tilt};
use crate::cushion::{POOL_NOSE, Profile};
use crate::fall::Fall;
use crate::lip::Falling;
use crate::motion::{self, BallState, Hold, Law, MotionChange};
use crate::{Coefficients, CushionModel, PairModel, PocketModel};
use carom_engine::limits::{MAX_ANGULAR_VELOCITY, MAX_LENGTH};
use carom_engine::{
    Approach, Body, Commands, Contact, DVec2, Encounter, Error, Grip, Met, Physics, State, Verdict, Which,
};
use carom_engine::{fields, variants};

/// Balls on cloth: the physics of `World<Billiards>`.
///
/// Between events a ball slides, rolls, spins or rests, by closed forms. Which models resolve impacts of
/// balls and of cushions is a value of it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Billiards {
    /// What presses balls onto the cloth, in m/s².
    pub gravity: f64,
    /// What happens where two balls meet.
    pub pair: PairModel,
    /// What happens at a cushion.
    pub cushion: CushionModel,
    /// What happens at a pocket.
    pub pocket: PocketModel,
}

fields!(Billiards: gravity, pair, cushion, pocket);

impl Default for Billiards {
    fn default() -> Self {
        Billiards {
            gravity: 9.81,
            pair: PairModel::default(),
            cushion: CushionModel::default(),
            pocket: PocketModel::default(),
        }
    }
}

/// What a wall is on a table.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case", deny_unknown_fields))]
pub enum Surface {
    /// The nose of a cushion, or a jaw.
    Cushion {
        /// Height of the nose above the cloth, in metres. Impacts take it as at least 0.1 and at most 1.9
        /// radii of the ball.
        nose: f64,
        /// Radius with which the nose is rounded, in metres; 0 for an edge.
        #[cfg_attr(feature = "serde", serde(default))]
        rounding: f64,
    },
    /// What a ball's centre falls into: `World::set_enabled` has it back.
    Pocket,
    /// What a ball's centre falls over: a hole with a lip, of [`PocketModel::Lip`].
    Hole {
        /// The middle, in metres, in the frame of the world: the table is in the direction of the origin.
        center: DVec2,
        /// Radius in metres.
        radius: f64,
    },
}

variants!(Surface: Cushion { nose, rounding }, Pocket, Hole { center, radius });

impl Surface {
    /// The nose of a table for pool: [`Table::POOL_NOSE`](crate::Table::POOL_NOSE).
    pub const CUSHION: Surface = Surface::Cushion { nose: POOL_NOSE, rounding: 0.0 };
}

impl Default for Surface {
    fn default() -> Self {
        Surface::CUSHION
    }
}

/// Has the spin of a ball written out and lets it slip: what follows an impact. `before` is its state before
/// that, as the ball has the spin with which it rolled then.
fn release(body: &Body<Coefficients>, before: &State<BallState>, state: &mut State<BallState>) {
    if state.extra.hold == Hold::Grips {
        let spin = before.extra.angular_velocity(body.radius, before.velocity);
        (state.extra.spin, state.extra.hold) = (spin, Hold::Slips);
    }
}

impl Billiards {
    fn law<'a>(&self, body: &'a Body<Coefficients>, state: &'a State<BallState>) -> Law<'a> {
        let State { velocity, extra, .. } = state;
        Law { gravity: self.gravity, radius: body.radius, own: &body.own, velocity: *velocity, extra }
    }

    /// The surface of a pocket, its middle in the frame of the world.
    pub(crate) fn pocket_surface(&self, center: DVec2, radius: f64) -> Surface {
        match self.pocket {
            PocketModel::Mouth => Surface::Pocket,
            PocketModel::Lip => Surface::Hole { center, radius },
        }
    }

    #[inline]
    fn falling<'a>(&self, body: &Body<Coefficients>, state: &'a State<BallState>) -> Option<Falling<'a>> {
        (state.extra.hold == Hold::Falls).then_some(Falling {
            gravity: self.gravity,
            ball_radius: body.radius,
            state,
        })
    }
}

impl Physics for Billiards {
    type Extra = BallState;
    type Body = Coefficients;
    type Surface = Surface;
    type Change = MotionChange;

    const ADD: Option<fn(&BallState, &BallState, f64) -> BallState> = Some(BallState::with);

    const REACH: Option<fn(&Self, f64, f64) -> f64> = Some(|_, a, b| centres_apart(a, b));
    const ACCELERATED: bool = true;
    const JUDGES: bool = true;

    fn verdict(
        &self,
        met: &Encounter<'_, Coefficients, BallState, Surface>,
        _: &mut Commands<Coefficients, BallState>,
    ) -> Verdict {
        match met.b.surface {
            Some(Surface::Pocket) => Verdict::Capture(Which::First),
            Some(Surface::Hole { .. }) => Verdict::Pass,
            _ => Verdict::Bounce,
        }
    }

    fn enter(
        &self,
        surface: &Surface,
        body: &Body<Coefficients>,
        state: &State<BallState>,
    ) -> Option<BallState> {
        let &Surface::Hole { center, radius } = surface else { return None };
        let spin = state.extra.angular_velocity(body.radius, state.velocity);
        let fall = Fall { center, radius, lasts: 0.0 };
        Some(BallState { spin, hold: Hold::Falls, lift: state.extra.lift, fall })
    }

    fn captures(&self, change: MotionChange, body: &Body<Coefficients>, state: &State<BallState>) -> bool {
        self.falling(body, state).is_some_and(|falling| falling.changed(change).2)
    }

    #[inline]
    fn acceleration(&self, body: &Body<Coefficients>, state: &State<BallState>) -> DVec2 {
        self.law(body, state).acceleration()
    }

    #[inline]
    fn grip(&self, body: &Body<Coefficients>, state: &State<BallState>) -> Option<Grip> {
        self.law(body, state).grip()
    }

    fn check(&self, own: &Coefficients) -> Result<(), Error> {
        own.check()
    }

    fn check_extra(&self, extra: &BallState) -> Result<(), Error> {
        let BallState { spin, lift, fall, .. } = *extra;
        let spins = [("spin.x", spin.x), ("spin.y", spin.y), ("spin.z", spin.z)];
        let lifts = [("lift.normal", lift.normal), ("lift.friction", lift.friction)];
        // What impacts make of a ball can be saved: the spin of small balls, and of those that are squeezed.
        for (field, value) in spins.into_iter().chain(lifts) {
            if !(value.abs() <= MAX_ANGULAR_VELOCITY) {
                return Err(Error::OutOfRange { field, value, allowed: "a number from -1e50 to 1e50" });
            }
        }
        let fields = [
            ("fall.center.x", fall.center.x, -MAX_LENGTH, "a number from -1e15 to 1e15"),
            ("fall.center.y", fall.center.y, -MAX_LENGTH, "a number from -1e15 to 1e15"),
            ("fall.radius", fall.radius, 0.0, "a number from 0 to 1e15"),
            ("fall.lasts", fall.lasts, 0.0, "a number from 0 to 1e15"),
        ];
        if extra.hold == Hold::Falls && !(fall.radius > 0.0) {
            let (field, allowed) = ("fall.radius", "above 0, of a ball that falls");
            return Err(Error::OutOfRange { field, value: fall.radius, allowed });
        }
        for (field, value, least, allowed) in fields {
            if !(least..=MAX_LENGTH).contains(&value) {
                return Err(Error::OutOfRange { field, value, allowed });
            }
        }
        Ok(())
    }

    #[inline]
    fn evolve(&self, body: &Body<Coefficients>, state: &State<BallState>, dt: f64) -> BallState {
        self.law(body, state).evolve(dt)
    }

    #[inline]
    fn next_change(
        &self,
        body: &Body<Coefficients>,
        state: &State<BallState>,
    ) -> Option<(f64, MotionChange)> {
        match self.falling(body, state) {
            Some(falling) => Some(falling.next_change()),
            None => self.law(body, state).next_change(),
        }
    }

    #[inline]
    fn change(&self, change: MotionChange, body: &Body<Coefficients>, state: &mut State<BallState>) {
        match self.falling(body, state).map(|falling| falling.changed(change)) {
            Some((velocity, extra, _)) => (state.velocity, state.extra) = (velocity, extra),
            None => motion::change(change, body.radius, state),
        }
    }

    #[inline]
    fn restitution(&self, approach: &Approach<'_, Coefficients, Surface>) -> f64 {
        let body = approach.body;
        match approach.with {
            Met::Disc(other) => {
                let e = self.pair.restitution([body.own.restitution, other.own.restitution]);
                horizontal_restitution(e, tilt(body.radius, other.radius).0)
            }
            Met::Wall(&Surface::Cushion { nose: height, rounding }) => {
                let (e, nose) = (body.own.cushion_restitution, Profile { height, rounding });
                self.cushion.horizontal_restitution(e, nose, body.radius)
            }
            _ => 0.0,
        }
    }

    fn begin_impact(
        &self,
        body: &Body<Coefficients>,
        before: &State<BallState>,
        after: &mut State<BallState>,
    ) {
        release(body, before, after);
    }

    fn pair(
        &self,
        contact: &Contact<BallState>,
        bodies: [&Body<Coefficients>; 2],
        a: &mut State<BallState>,
        b: &mut State<BallState>,
    ) {
        release(bodies[0], &contact.before[0], a);
        release(bodies[1], &contact.before[1], b);
        self.pair.apply(contact, bodies, a, b);
    }

    fn wall(
        &self,
        contact: &Contact<BallState>,
        body: &Body<Coefficients>,
        surface: &Surface,
        a: &mut State<BallState>,
    ) {
        release(body, &contact.before[0], a);
        if let &Surface::Cushion { nose: height, rounding } = surface {
            self.cushion.apply(contact, body, Profile { height, rounding }, a);
        }
    }
}
