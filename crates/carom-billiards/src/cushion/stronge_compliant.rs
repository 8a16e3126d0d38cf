//! A nose that yields along and across: Stronge, Impact Mechanics, section 5.2.
//!
//! With the unit vector `n₃` from the nose to the centre the point of contact has the velocity `v_n < 0`
//! along it and `v_t ≤ 0` along `t̂` across it. Per unit of the ball's mass a normal force `f_n` changes
//! `v_n` by `β_n f_n`, `β_n = 1`, and a tangential one `v_t` by `β_t f_t`, `β_t = 7/2` for a solid sphere.
//! Both act through springs; in units of time in which the normal one swings at the frequency 1 the
//! tangential one swings at `W`.
//!
//! *Normal*: `v_n = v₀ cos τ`, `f_n = −v₀ sin τ`; until `τ = π/2` with `τ = t`; then the spring is stiffer by
//! `1/e²`: `τ = t/e + (π/2)(1 − 1/e)`, `v_n = e v₀ cos τ`, up to `τ = π` at `t_f = (1 + e) π/2`, where `v_n =
//! −e v₀`.
//!
//! *Tangential*, with `q = v_t/v_n` at the start and `η² = β_t/W²`, in which the spring's own length is
//! `−η² f_t`:
//!
//! - `q < μ η²`: the nose sticks from the start.
//! - Else it slips, `f_t = μ f_n`, `v_t = v_t0 + μ β_t (v_n − v₀)`, until the spring moves as fast as the
//!   contact, `v_t = −η² μ f_n′`: at `cos τ = (β_t − q/μ)/(β_t − η²)` in compression if `q < μ β_t`; at
//!   `cos τ = (β_t − q/μ)/(e β_t − η²/e)` in restitution if `q < μ((1 + e) β_t − η²/e)`; else it slips to
//!   the end.
//! - Sticking, `v_t″ = −W² v_t`, until `|f_t| = μ f_n`; then it slips, in the direction in which the spring
//!   pulls, to the end.
//!
//! A convention: for `e < 1/W` nothing sticks that has not stuck in compression.

use super::springs::{Impact, SOFT};
use super::{Hit, Rebound};
use carom_engine::math::sqrt;

/// The least restitution of the model, which divides by it.
const LEAST_RESTITUTION: f64 = 0.01;

pub(super) fn rebound(hit: &Hit) -> Rebound {
    let away = hit.away();
    let contact = hit.contact_velocity(away);
    let normal = contact.dot(away);
    let slip = contact - away * normal;
    let speed = sqrt(slip.length_squared());
    let e = hit.e.max(LEAST_RESTITUTION);
    let pushed = away * (-(1.0 + e) * normal);
    if !(speed > 0.0) {
        return hit.rebound(pushed, away);
    }
    let impact = Impact { e, friction: hit.friction, normal };
    // `t̂` is against the slip.
    let gained = (impact.tangential_speed(-speed) + speed) / SOFT;
    hit.rebound(pushed - slip * (gained / speed), away)
}
