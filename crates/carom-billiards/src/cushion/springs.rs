//! The two springs of a nose that yields along and across, as `stronge_compliant`
//! has them.

use crate::elementary::{arc_cos, sin_cos};
use core::f64::consts::FRAC_PI_2;

/// `β_t` of a solid sphere.
pub(super) const SOFT: f64 = 3.5;

/// `W = ω_t/ω_n`, for a cushion of rubber: Stronge's value for a Poisson ratio near ½.
const FREQUENCY: f64 = 1.8;

/// `η²`.
const STICKING: f64 = SOFT / (FREQUENCY * FREQUENCY);

/// Intervals in which the end of sticking is sought, and the most steps for it within one.
const INTERVALS: u32 = 8;
const STEPS: u32 = 64;

/// How close to the end of sticking is close enough: a few units in the last place of times of up to π.
const CLOSE: f64 = 2e-15;

/// What tangential and normal motion have in common.
pub(super) struct Impact {
    pub(super) e: f64,
    pub(super) friction: f64,
    /// `v₀ < 0`.
    pub(super) normal: f64,
}

impl Impact {
    fn ends(&self) -> f64 {
        (1.0 + self.e) * FRAC_PI_2
    }

    /// `τ` at a time, and whether the normal spring is let go.
    fn phase(&self, t: f64) -> (f64, bool) {
        if t <= FRAC_PI_2 { (t, false) } else { (FRAC_PI_2 + (t - FRAC_PI_2) / self.e, true) }
    }

    /// `v_n` and `f_n` at a time.
    fn normal_motion(&self, t: f64) -> (f64, f64) {
        let (phase, is_let_go) = self.phase(t);
        let (sin, cos) = sin_cos(phase);
        let speed = self.normal * cos;
        (if is_let_go { self.e * speed } else { speed }, -self.normal * sin)
    }

    /// `v_t` after the impact.
    pub(super) fn tangential_speed(&self, before: f64) -> f64 {
        let &Impact { e, friction, normal } = self;
        let ratio = before / normal;
        if ratio < friction * STICKING {
            return self.stick(0.0, before, 0.0);
        }
        let slipping = |speed: f64| before + friction * SOFT * (speed - normal);
        let (wanted, most) = (SOFT - ratio / friction, e * SOFT - STICKING / e);
        let sticks_at = if ratio < friction * SOFT {
            arc_cos(wanted / (SOFT - STICKING))
        } else if most > 0.0 && -wanted < most {
            FRAC_PI_2 + e * (arc_cos(wanted / most) - FRAC_PI_2)
        } else {
            return slipping(-e * normal);
        };
        let (speed, force) = self.normal_motion(sticks_at);
        self.stick(sticks_at, slipping(speed), friction * force)
    }

    /// `v_t` at the end if the nose sticks from a time on, with a speed and a force then.
    fn stick(&self, from: f64, speed: f64, force: f64) -> f64 {
        let swing = Swing { impact: self, from, speed, force };
        let slips_at = swing.ends_sticking(from.max(FRAC_PI_2), self.ends());
        let [speed, force] = swing.motion(slips_at);
        let left = -self.e * self.normal - self.normal_motion(slips_at).0;
        speed + (self.friction * SOFT * left).copysign(force)
    }
}

/// The tangential spring while the nose sticks.
struct Swing<'a> {
    impact: &'a Impact,
    /// Since when, with which speed and force then.
    from: f64,
    speed: f64,
    force: f64,
}

impl Swing<'_> {
    /// `v_t` and `f_t` at a time.
    fn motion(&self, t: f64) -> [f64; 2] {
        let (sin, cos) = sin_cos(FREQUENCY * (t - self.from));
        let (rate, level) = (SOFT * self.force / FREQUENCY, FREQUENCY / SOFT);
        [self.speed * cos + rate * sin, level * (rate * cos - self.speed * sin)]
    }

    /// By how much the force is more than friction allows, and the rate of that, at a time after compression.
    fn excess(&self, t: f64) -> [f64; 2] {
        let Impact { e, friction, normal } = *self.impact;
        let ([speed, force], (phase, _)) = (self.motion(t), self.impact.phase(t));
        let (sin, cos) = sin_cos(phase);
        // The force of a spring of the length −η² f changes by −v/η².
        let rises = -speed.copysign(speed * force) / STICKING;
        [force.abs() + friction * normal * sin, rises + friction * normal * cos / e]
    }

    /// When the nose begins to slip again, between the end of compression and that of the impact, at which
    /// nothing presses: the first interval in which it does, then Newton's method, and halves of the bracket
    /// where that leaves it.
    fn ends_sticking(&self, first: f64, ends: f64) -> f64 {
        let (mut low, mut high) = (first, ends);
        for k in 1..INTERVALS {
            let t = first + (ends - first) * (f64::from(k) / f64::from(INTERVALS));
            if self.excess(t)[0] > 0.0 {
                high = t;
                break;
            }
            low = t;
        }
        let mut t = 0.5 * (low + high);
        for _ in 0..STEPS {
            let [excess, rises] = self.excess(t);
            if excess > 0.0 {
                high = t;
            } else {
                low = t;
            }
            let newton = t - excess / rises;
            let next = if low < newton && newton < high { newton } else { 0.5 * (low + high) };
            if (next - t).abs() <= CLOSE || high - low <= CLOSE {
                return next;
            }
            t = next;
        }
        t
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two springs, integrated in small steps: the contact slips where the tangential spring would pull
    /// with more than friction allows, and sticks where it would not.
    fn integrated(impact: &Impact, before: f64) -> f64 {
        let steps = 200_000;
        let dt = impact.ends() / f64::from(steps);
        let (mut speed, mut force) = (before, 0.0_f64);
        for k in 0..steps {
            let (_, normal) = impact.normal_motion((f64::from(k) + 0.5) * dt);
            let most = impact.friction * normal.max(0.0);
            // Stuck, the spring is drawn out as fast as the contact moves: its force changes by −v/η².
            force = (force - speed / STICKING * dt).clamp(-most, most);
            speed += SOFT * force * dt;
        }
        speed
    }

    /// Law: the closed form solves the equations of motion of the two springs, in all of their cases.
    #[test]
    fn closed_form_solves_the_springs() {
        for e in [0.5, 0.6, 0.85, 1.0] {
            for friction in [0.05, 0.2, 0.5] {
                for ratio in [0.01, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.2, 1.4, 2.0, 3.0, 5.0] {
                    let impact = Impact { e, friction, normal: -1.5 };
                    let before = ratio * impact.normal;
                    let [closed, stepped] = [impact.tangential_speed(before), integrated(&impact, before)];
                    let off = (closed - stepped).abs();
                    assert!(off < 3e-4, "e {e} μ {friction} q {ratio}: {closed} {stepped}");
                }
            }
        }
    }

    /// Where one case ends the next begins: no jump in what comes out.
    #[test]
    fn cases_join() {
        let impact = Impact { e: 0.85, friction: 0.2, normal: -2.0 };
        let limits = [STICKING, SOFT, (1.0 + impact.e) * SOFT - STICKING / impact.e];
        for limit in limits.map(|limit| limit * impact.friction) {
            let at = |ratio: f64| impact.tangential_speed(ratio * impact.normal);
            let jump = at(limit * (1.0 + 1e-9)) - at(limit * (1.0 - 1e-9));
            // The square root of the step, where the cosine of a time is given.
            assert!(jump.abs() < 1e-4, "{limit}: {jump}");
        }
    }
}
