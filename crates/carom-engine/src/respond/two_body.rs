use super::contact::ContactNow;
use crate::Contact;
use crate::touch::excess_of_square;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::toi::Gap;
use glam::DVec2;

/// The normal part of an impact of two bodies.
pub(crate) struct Bounce {
    /// Velocities after it, of the first and the second.
    pub(crate) after: [DVec2; 2],
    /// Normal impulse, ≥ 0.
    pub(crate) impulse: f64,
}

/// How two bodies share an impulse.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MassShares {
    /// Which part of the change of relative velocity each takes.
    shares: [f64; 2],
    /// The mass by which that change is an impulse; 1 where the impulse is one per unit of mass.
    effective: f64,
}

impl MassShares {
    /// The mass by which a change of the relative velocity is an impulse.
    pub(crate) fn effective(&self) -> f64 {
        self.effective
    }

    /// What each takes of a change of the relative velocity.
    pub(crate) fn changes(&self, change: f64) -> [f64; 2] {
        self.shares.map(|share| change * share)
    }

    /// Of two discs, not both infinite nor both tracers.
    #[inline(always)]
    pub(crate) fn of_discs([a, b]: [f64; 2]) -> Self {
        let total = a + b;
        if a > 0.0 && b > 0.0 && total < f64::INFINITY {
            // Symmetric to the last bit; masses within the limits neither overflow nor vanish here.
            MassShares { shares: [b / total, a / total], effective: (a * b) / total }
        } else {
            Self::of_extremes([a, b])
        }
    }

    /// Of two discs of which one is infinite or a tracer: an infinite mass takes nothing of the change, a
    /// tracer everything.
    #[cold]
    fn of_extremes([a, b]: [f64; 2]) -> Self {
        let a_is_heavier = a == f64::INFINITY || b == 0.0;
        let shares = if a_is_heavier { [0.0, 1.0] } else { [1.0, 0.0] };
        let effective = if a == 0.0 || b == 0.0 { 1.0 } else { a.min(b) };
        MassShares { shares, effective }
    }

    /// Of a disc and a wall. The disc takes the whole change, also if its mass is infinite.
    #[inline(always)]
    pub(crate) fn at_wall(mass: f64) -> Self {
        let effective = if mass > 0.0 && mass < f64::INFINITY { mass } else { 1.0 };
        MassShares { shares: [1.0, 0.0], effective }
    }
}

/// Impact of two bodies along the contact's normal, from the first to the second.
///
/// The relative normal velocity of the surfaces is reversed and multiplied by `restitution`; each takes the
/// share of its partner's mass in the total. See `docs/derivations/impulse.md`.
#[inline(always)]
pub(crate) fn bounce(
    contact: &ContactNow,
    velocities: [DVec2; 2],
    masses: MassShares,
    restitution: f64,
) -> Bounce {
    let ContactNow { gap: Gap { normal, .. }, growth_speed, approach_speed: approach, .. } = *contact;
    let ([v_a, v_b], shares) = (velocities, masses.shares);
    // Receding by a rounding, after a graze: they met, and nothing changes.
    let change = if approach > 0.0 { per_square_length((1.0 + restitution) * approach, normal) } else { 0.0 };
    let mut after = [v_a - normal * (change * shares[0]), v_b + normal * (change * shares[1])];
    if is_slow(restitution * approach, velocities, growth_speed) {
        after = kept_from_creeping(normal, after, shares, growth_speed);
    }
    Bounce { after, impulse: change * masses.effective }
}

/// The normal impulse that changes the velocities of two bodies as a physics has changed them; 0 for what
/// rounding leaves of a tangential one.
///
/// It is that of their relative velocity, as a change of one of them alone would be another number for the
/// other one by a rounding, and which of the two is the second is decided by the order of insertion.
pub(crate) fn impulse_of([of_a, of_b]: [DVec2; 2], normal: DVec2, masses: MassShares) -> f64 {
    let change = of_b - of_a;
    let part = change.dot(normal);
    let largest = of_a.abs().max(of_b.abs()).max_element();
    if part.abs() > 16.0 * f64::EPSILON * largest { part * masses.effective } else { 0.0 }
}

/// Says in debug builds that a physics has given the discs of an impact of two bodies the velocities back
/// that they had before: they would approach as before, so they are stopped, and what was to pass sticks.
///
/// The very bits, and not in groups: there a law that pulls bodies together may come to them by itself,
/// where the least restitution of the group is 0. So it may where the impact changed velocities by no more
/// than they round: of a graze at 10⁻¹⁶ of the speed, whatever a physics computes may leave nothing.
pub(crate) fn check_impulse_is_kept<X>(contact: &Contact<X>, discs: usize, wanted: [DVec2; 2]) {
    let is_changed = |k: usize| {
        let before = contact.before[k].velocity;
        let change = (contact.pushed[k] - before).abs().max_element();
        change > 16.0 * f64::EPSILON * before.abs().max_element()
    };
    debug_assert!(
        !(0..discs).any(is_changed) || (0..discs).any(|k| wanted[k] != contact.before[k].velocity),
        "`Physics::pair` or `wall` has taken back the impulse of an impact, {}; to let bodies pass through \
         each other, let `Physics::verdict` or a judge return `Verdict::Pass`",
        contact.impulse,
    );
}

/// Whether two part so slowly after an impact that rounding may let them approach.
#[inline(always)]
fn is_slow(parting: f64, [v_a, v_b]: [DVec2; 2], growth_speed: f64) -> bool {
    let speeds = v_a.x.abs() + v_a.y.abs() + v_b.x.abs() + v_b.y.abs() + growth_speed.abs();
    parting <= 8.0 * f64::EPSILON * speeds
}

/// Velocities after an impact without those few ulp by which the two still approach.
///
/// They have met and do not meet again, so they would creep into each other: 10⁻¹⁰ in a million seconds at
/// speed 1.
#[cold]
fn kept_from_creeping(
    normal: DVec2,
    mut after: [DVec2; 2],
    shares: [f64; 2],
    growth_speed: f64,
) -> [DVec2; 2] {
    // A few ulp one way or the other: once is nearly always enough.
    for _ in 0..4 {
        let [v_a, v_b] = after;
        let approach = Dd::difference(v_a.x, v_b.x) * Dd::from(normal.x)
            + Dd::difference(v_a.y, v_b.y) * Dd::from(normal.y)
            + Dd::from(growth_speed);
        if approach <= Dd::ZERO {
            break;
        }
        let ulp = f64::EPSILON * v_a.abs().max(v_b.abs()).max_element();
        let push = normal * (approach.to_f64() + 2.0 * ulp);
        after = [v_a - push * shares[0], v_b + push * shares[1]];
    }
    after
}

/// `x / (n·n)` for a rounded unit vector: its direction is off by a rounding, but reflecting about it is
/// exact.
///
/// A rounded unit vector is not quite one unit long. Taken as one, it changes the energy at each impact by as
/// much, with a bias that adds up; and so does dividing by the rounded `n·n`, which next to 1 has only a
/// handful of values. The excess `n·n − 1`, with the larger component factored, is computed in numbers away
/// from 1 that round both ways alike. For a vector along an axis it is exactly 0.
#[inline(always)]
fn per_square_length(x: f64, normal: DVec2) -> f64 {
    x - x * excess_of_square(normal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use carom_math::toi::Side;

    #[test]
    fn equal_masses_on_an_axis_swap_exactly() {
        // 0.05715 and 7.3 are not exact in binary: only an exact unit normal leaves an exact 0.
        for normal in [DVec2::X, DVec2::NEG_Y] {
            let blow = normal * 7.3;
            let gap = Gap { distance: 0.0, normal, side: Side::Front };
            let (growth_speed, approach_speed) = (0.0, 7.3);
            let (restitution, least_restitution) = (1.0, 0.0);
            let contact = ContactNow { gap, growth_speed, approach_speed, restitution, least_restitution };
            let masses = MassShares::of_discs([0.17, 0.17]);
            let bounce = bounce(&contact, [blow, DVec2::ZERO], masses, 1.0);
            assert_eq!(bounce.after, [DVec2::ZERO, blow]);
        }
    }

    #[test]
    fn infinite_and_tracer_masses() {
        let of = |masses| {
            let MassShares { shares, effective } = MassShares::of_discs(masses);
            (shares, effective)
        };
        assert_eq!(of([f64::INFINITY, 3.0]), ([0.0, 1.0], 3.0));
        assert_eq!(of([3.0, f64::INFINITY]), ([1.0, 0.0], 3.0));
        assert_eq!(of([0.0, 3.0]), ([1.0, 0.0], 1.0));
        assert_eq!(of([3.0, 0.0]), ([0.0, 1.0], 1.0));
        assert_eq!(of([0.0, f64::INFINITY]), ([1.0, 0.0], 1.0));
        assert_eq!(of([f64::INFINITY, 0.0]), ([0.0, 1.0], 1.0));
        assert_eq!(of([2.0, 6.0]), ([0.75, 0.25], 1.5));
    }
}
