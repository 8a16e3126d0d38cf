//! Integration over the impulse: Mathavan, Jackson and Parkin, Numerical simulations of the frictional
//! collisions of solid balls on a rough surface, Sports Engineering 17 (2014) 227.
//!
//! Frame: y along the line of centres from ball 1 to ball 2, x to the right of it, z up. As the normal
//! impulse grows by `ΔP`, friction between the balls has the part `μ ΔP` against their slip,
//!
//! ```text
//! c_x = v₁x − v₂x − R₁ω₁z − R₂ω₂z ,   c_z = R₁ω₁x + R₂ω₂x ,
//! ```
//!
//! and its vertical part presses one of the two onto the cloth, whose friction `μ_s` acts on that ball
//! against its slip there. Compression ends as `v₁y = v₂y`; the rest lasts until the normal impulse has done
//! the work `−e²` of what it did until then (Stronge). Here by steps of equal impulse, the last of each phase
//! cut to fit. `μ` is evaluated at the slip before the impact.
//!
//! A convention: unequal balls are treated as if their line of centres were level.

use crate::contact::masses;
use crate::motion::BallState;
use crate::{Coefficients, Friction};
use carom_engine::glam::DVec3;
use carom_engine::math::sqrt;
use carom_engine::{Body, Contact, DVec2, State};

/// Steps of an impact of equal balls without friction.
const STEPS: f64 = 1000.0;

/// More than any impact takes.
const MOST_STEPS: usize = 20_000;

#[derive(Clone, Copy)]
struct Sphere {
    velocity: DVec2,
    spin: DVec3,
    radius: f64,
    inverse: f64,
    sliding: f64,
}

impl Sphere {
    /// Friction of the cloth per unit of what presses the ball onto it.
    fn cloth(&self) -> DVec2 {
        let slip = crate::slip(self.radius, self.velocity, self.spin);
        let size = sqrt(slip.length_squared());
        if size > 0.0 { -(slip * (self.sliding / size)) } else { DVec2::ZERO }
    }

    /// Adds an impulse at the point of contact, `side` times a radius along y, and the cloth's answer.
    fn push(&mut self, side: f64, impulse: DVec3) {
        let cloth = self.cloth() * (-impulse.z).max(0.0);
        self.velocity += (impulse.truncate() + cloth) * self.inverse;
        let turning = 2.5 * self.inverse / self.radius;
        let at_contact = DVec3::new(0.0, side, 0.0).cross(impulse);
        let at_cloth = DVec3::NEG_Z.cross(cloth.extend(0.0));
        self.spin += (at_contact + at_cloth) * turning;
    }
}

#[derive(Clone, Copy)]
struct Pair {
    one: Sphere,
    two: Sphere,
    friction: f64,
}

impl Pair {
    /// Speed at which the two approach.
    fn approach(&self) -> f64 {
        self.one.velocity.y - self.two.velocity.y
    }

    fn slip(&self) -> DVec2 {
        let edge = self.one.spin * self.one.radius + self.two.spin * self.two.radius;
        DVec2::new(self.one.velocity.x - self.two.velocity.x - edge.z, edge.x)
    }

    fn step(&self, normal: f64) -> Pair {
        let (slip, mut next) = (self.slip(), *self);
        let size = sqrt(slip.length_squared());
        // What a step would reverse it ends.
        let gripping = (2.0 / 7.0) * size / (self.one.inverse + self.two.inverse);
        let rubbing = (self.friction * normal).min(gripping);
        let along = if size > 0.0 { slip * (rubbing / size) } else { DVec2::ZERO };
        let impulse = DVec3::new(-along.x, -normal, -along.y);
        next.one.push(1.0, impulse);
        next.two.push(-1.0, -impulse);
        next
    }

    /// The state after the impact with restitution `e`.
    fn collide(mut self, e: f64) -> Pair {
        let step = self.approach() / (self.one.inverse + self.two.inverse) / STEPS;
        let mut work = 0.0;
        for _ in 0..MOST_STEPS {
            let (before, next) = (self.approach(), self.step(step));
            let after = next.approach();
            if after <= 0.0 {
                let cut = step * (before / (before - after));
                work += 0.5 * cut * before;
                self = self.step(cut);
                break;
            }
            work += 0.5 * step * (before + after);
            self = next;
        }
        let mut left = e * e * work;
        for _ in 0..MOST_STEPS {
            if !(left > 0.0) {
                break;
            }
            let (before, next) = (-self.approach(), self.step(step));
            let after = -next.approach();
            let done = 0.5 * step * (before + after);
            if done >= left {
                // The root of `b s + ½ (a − b) s² = left/step` in [0, 1].
                let (b, rise) = (before, after - before);
                let wanted = left / step;
                let share = 2.0 * wanted / (b + sqrt((b * b + 2.0 * rise * wanted).max(0.0)));
                self = self.step(step * share);
                break;
            }
            left -= done;
            self = next;
        }
        self
    }
}

/// Replaces the normal impulse of the engine by the integrated one.
pub(super) fn apply(
    contact: &Contact<BallState>,
    bodies: [&Body<Coefficients>; 2],
    restitution: f64,
    a: &mut State<BallState>,
    b: &mut State<BallState>,
) {
    let [of_a, of_b] = bodies;
    let y = contact.normal;
    let x = DVec2::new(y.y, -y.x);
    let inverses = masses([of_a.mass, of_b.mass]).map(|mass| 1.0 / mass);
    let (spins, velocities) = ([a.extra.spin, b.extra.spin], [a.velocity, b.velocity]);
    // In a group: as if the two met alone, so fast that their normal impulse is that of this contact.
    let approach = contact.impulse * (inverses[0] + inverses[1]) / (1.0 + contact.restitution);
    let sphere = |k: usize, along: f64| Sphere {
        velocity: DVec2::new(velocities[k].dot(x), along),
        spin: DVec3::new(spins[k].truncate().dot(x), spins[k].truncate().dot(y), spins[k].z),
        radius: bodies[k].radius,
        inverse: inverses[k],
        sliding: bodies[k].own.sliding,
    };
    let total = inverses[0] + inverses[1];
    let before = [sphere(0, approach * inverses[0] / total), sphere(1, -approach * inverses[1] / total)];
    let mut pair = Pair { one: before[0], two: before[1], friction: 0.0 };
    let slip = pair.slip();
    pair.friction = Friction::between(of_a.own.friction, of_b.own.friction, sqrt(slip.length_squared()));
    if !(approach > 0.0) {
        return;
    }
    let after = pair.collide(restitution);
    let all = [(a, after.one, -1.0), (b, after.two, 1.0)];
    for ((state, after, sign), before) in all.into_iter().zip(before) {
        let mut gained = after.velocity - before.velocity;
        gained.y -= sign * contact.impulse * before.inverse;
        let turned = after.spin - before.spin;
        state.velocity += x * gained.x + y * gained.y;
        state.extra.spin += (x * turned.x + y * turned.y).extend(turned.z);
    }
}
