//! The states of balls between events.

use crate::motion::{BallState, Law, Motion};
use crate::{Billiards, Coefficients};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, DiscRef, State, Time};

/// All that moves of a ball. In the frame of worlds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Full {
    /// Centre.
    pub position: DVec2,
    /// Velocity.
    pub velocity: DVec2,
    /// Angular velocity.
    pub spin: DVec3,
    /// How it moves.
    pub motion: Motion,
}

/// What is known of a ball since its last event.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    /// That of the event.
    pub(crate) time: Time,
    pub(crate) radius: f64,
    pub(crate) mass: f64,
    pub(crate) own: Coefficients,
    pub(crate) state: State<BallState>,
    /// That in force, of others that press on it as well.
    pub(crate) acceleration: DVec2,
    pub(crate) is_on_table: bool,
}

impl Known {
    pub(crate) fn of(ball: &DiscRef<'_, Billiards>, now: Time) -> Known {
        let state = State { position: ball.position(), velocity: ball.velocity(), extra: ball.extra() };
        Known {
            time: now,
            radius: ball.radius(),
            mass: ball.mass(),
            own: ball.body(),
            state,
            acceleration: ball.acceleration(),
            is_on_table: ball.is_enabled(),
        }
    }

    /// The law of its motion alone.
    pub(crate) fn law(&self, gravity: f64) -> Law<'_> {
        let State { velocity, ref extra, .. } = self.state;
        Law { gravity, radius: self.radius, own: &self.own, velocity, extra }
    }

    /// The state a number of seconds later.
    pub(crate) fn after(&self, dt: f64, gravity: f64) -> Full {
        after(&self.law(gravity), self.state.position, self.acceleration, dt)
    }

    pub(crate) fn full(&self) -> Full {
        full(self.radius, self.state.position, self.state.velocity, &self.state.extra)
    }
}

/// The state that a law of motion has made of another one after this many seconds, under the acceleration in
/// force.
pub(crate) fn after(law: &Law<'_>, from: DVec2, acceleration: DVec2, dt: f64) -> Full {
    let extra = law.evolve(dt);
    let half_way = law.velocity + acceleration * (0.5 * dt);
    full(law.radius, from + half_way * dt, law.velocity + acceleration * dt, &extra)
}

fn full(radius: f64, position: DVec2, velocity: DVec2, extra: &BallState) -> Full {
    let (spin, motion) = (extra.angular_velocity(radius, velocity), extra.motion(radius, velocity));
    Full { position, velocity, spin, motion }
}
