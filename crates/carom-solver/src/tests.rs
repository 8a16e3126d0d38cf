//! The problem of one part, and its passes, against brute force and the law of energy.

mod jams;

use super::complementarity::Infeasible;
use super::contact_problem::{ContactProblem, Ends, RowKind};
use super::group::{Contact, Group, Other};
use super::impact::passes::{join, make_pass, select_approaching};
use super::tolerances::RESIDUAL;
use crate::mass_class::MassClass;
use alloc::vec::Vec;
use carom_math::eft::DoubleDouble as Dd;
use carom_math::toi::{Motion, Side};
use carom_testkit::rng::{Rng, cases};
use glam::DVec2;

/// A problem of bodies with these masses, and contacts as ends, normal and speed of closing.
fn problem(masses: &[f64], contacts: impl IntoIterator<Item = (Ends, DVec2, f64)>) -> ContactProblem {
    let mut problem = ContactProblem::default();
    problem.reset();
    for &mass in masses {
        problem.add_body(mass);
    }
    for (ends, normal, closing) in contacts {
        problem.add_row(ends, normal, closing.into(), RowKind::OneSided);
    }
    problem
}

/// The changes of velocities as the engine rounds them, flat.
fn rounded(problem: &ContactProblem) -> Vec<u64> {
    let unit = 2.0_f64.powi(-80);
    problem.solution.changes.iter().flatten().map(|x| (x.round_to(unit) + 0.0).to_bits()).collect()
}

/// A random problem as plain numbers: masses, and contacts as ends, normal and speed of closing.
struct Plain {
    masses: Vec<f64>,
    contacts: Vec<(Ends, DVec2, f64)>,
}

impl Plain {
    fn random(rng: &mut Rng, decades: f64) -> Self {
        let bodies = 1 + rng.below(4);
        let masses = (0..bodies).map(|_| 10.0_f64.powf(rng.range(-decades, decades))).collect();
        let contacts = (0..1 + rng.below(7)).map(|_| {
            let a = rng.below(bodies);
            let b = (a + 1 + rng.below(bodies.max(2) - 1)) % bodies;
            let to_wall = a == b || rng.chance(30);
            let sixth = core::f64::consts::PI / 3.0;
            let angle = if rng.chance(50) { sixth * rng.below(6) as f64 } else { rng.range(0.0, 7.0) };
            let any = rng.range(-1.0, 1.0);
            let closing = rng.pick(&[0.0, 1.0, -1.0, 0.5, any]);
            let ends = [Some(a as u32), if to_wall { None } else { Some(b as u32) }];
            (ends, DVec2::from_angle(angle), closing)
        });
        Plain { contacts: contacts.collect(), masses }
    }

    fn problem(&self, order: &[usize]) -> ContactProblem {
        problem(&self.masses, order.iter().map(|&c| self.contacts[c]))
    }

    fn coupling(&self, c: usize, d: usize) -> Dd {
        let (ends_c, n_c, _) = self.contacts[c];
        let (ends_d, n_d, _) = self.contacts[d];
        let mut sum = Dd::ZERO;
        for (i, of_c) in ends_c.into_iter().enumerate() {
            for (j, of_d) in ends_d.into_iter().enumerate() {
                if let Some(body) = of_c.filter(|_| of_c == of_d) {
                    let sign = if i == j { 1.0 } else { -1.0 };
                    sum = sum + Dd::from(sign) / Dd::from(self.masses[body as usize]);
                }
            }
        }
        sum * (Dd::product(n_c.x, n_d.x) + Dd::product(n_c.y, n_d.y))
    }

    /// The velocities of all bodies by trying every active set, with plain elimination.
    fn by_force(&self) -> Option<Vec<DVec2>> {
        let n = self.contacts.len();
        (0..1_u32 << n).find_map(|set| {
            let active: Vec<usize> = (0..n).filter(|c| set >> c & 1 == 1).collect();
            let right: Vec<Dd> = active.iter().map(|&c| self.contacts[c].2.into()).collect();
            let matrix =
                active.iter().map(|&c| active.iter().map(|&d| self.coupling(c, d)).collect()).collect();
            let impulses = eliminated(matrix, right, 1e-7)?;
            let opens = |c: usize| {
                let pushes = active.iter().zip(&impulses).map(|(&d, &x)| self.coupling(c, d) * x);
                pushes.fold(Dd::from(-self.contacts[c].2), |sum, push| sum + push)
            };
            let holds = impulses.iter().all(|&x| x >= Dd::ZERO) && (0..n).all(|c| opens(c).to_f64() > -1e-20);
            holds.then(|| {
                let mut changes = vec![[Dd::ZERO; 2]; self.masses.len()];
                for (&c, &x) in active.iter().zip(&impulses) {
                    let (ends, normal, _) = self.contacts[c];
                    for (end, sign) in ends.into_iter().zip([-1.0, 1.0]) {
                        let Some(body) = end else { continue };
                        let push = x * Dd::from(sign) / Dd::from(self.masses[body as usize]);
                        let [u, v] = changes[body as usize];
                        changes[body as usize] = [u + push * normal.x.into(), v + push * normal.y.into()];
                    }
                }
                changes.into_iter().map(|change| DVec2::from(change.map(Dd::to_f64))).collect()
            })
        })
    }
}

/// Gaussian elimination with row pivoting; none if a pivot is less than `least`. In double-double, as the
/// impulses of what is wedged cancel.
pub(super) fn eliminated(mut matrix: Vec<Vec<Dd>>, mut right: Vec<Dd>, least: f64) -> Option<Vec<Dd>> {
    let n = right.len();
    for k in 0..n {
        let size = |i: usize| matrix[i][k].to_f64().abs();
        let pivot = (k..n).max_by(|&i, &j| size(i).total_cmp(&size(j)))?;
        if size(pivot) < least {
            return None;
        }
        matrix.swap(k, pivot);
        right.swap(k, pivot);
        for i in k + 1..n {
            let factor = matrix[i][k] / matrix[k][k];
            let (above, below) = matrix.split_at_mut(i);
            for (x, &y) in below[0].iter_mut().zip(&above[k]).skip(k) {
                *x = *x - factor * y;
            }
            right[i] = right[i] - factor * right[k];
        }
    }
    for k in (0..n).rev() {
        let known = (k + 1..n).fold(Dd::ZERO, |sum, j| sum + matrix[k][j] * right[j]);
        right[k] = (right[k] - known) / matrix[k][k];
    }
    Some(right)
}

/// The velocities are those that trying all active sets finds; the bits do not depend on the order of the
/// contacts.
#[test]
fn velocities_are_those_of_brute_force_in_any_order() {
    let mut rng = Rng::new(3);
    let (mut solved, mut infeasible) = (0, 0);
    for case in 0..cases(20_000) {
        let plain = Plain::random(&mut rng, 0.5);
        let order: Vec<usize> = (0..plain.contacts.len()).collect();
        let mut problem = plain.problem(&order);
        let result = problem.solve(1.0, true);
        let Some(expected) = plain.by_force() else {
            infeasible += usize::from(result.is_err());
            continue;
        };
        solved += 1;
        assert_eq!(result, Ok(()), "case {case}");
        for (is, should) in problem.solution.changes.iter().zip(expected) {
            let is = DVec2::new(is[0].to_f64(), is[1].to_f64());
            assert!((is - should).length() <= 1e-14 * (1.0 + should.length()), "case {case}: {is} {should}");
        }
        let mut other = plain.problem(&rng.permutation(order.len()));
        assert_eq!(other.solve(1.0, true), Ok(()), "case {case}");
        assert_eq!(rounded(&problem), rounded(&other), "case {case}");
    }
    println!("{solved} solved, {infeasible} infeasible");
    assert!(solved > 10_000 && infeasible > 1000, "{solved} solved, {infeasible} infeasible");
}

/// Where contacts are redundant the impulses are the least ones: a body of two contacts along one normal
/// takes half of it from each.
#[test]
fn impulses_of_redundant_contacts_are_the_least() {
    let mut problem = problem(&[2.0], [([Some(0), None], DVec2::X, 1.0); 2]);
    assert_eq!(problem.solve(1.0, false), Ok(()));
    assert_eq!(problem.solution.impulses.iter().map(|x| x.to_f64()).collect::<Vec<_>>(), [1.0, 1.0]);
    assert_eq!(problem.solution.changes[0].map(|x| x.to_f64()), [-1.0, 0.0]);
}

/// A light disc in a corner, pressed by a heavy one that comes along the diagonal: mirrored about it, the
/// same bits.
#[test]
fn masses_that_are_unlike_keep_the_mirror() {
    for mass in [1e-3, 1e-6, 1e-10, 1e-14] {
        let half = core::f64::consts::FRAC_1_SQRT_2;
        let solve = |walls: [DVec2; 2]| {
            let [light, heavy] = [Some(0), Some(1)];
            let at_walls = walls.map(|normal| ([light, None], normal, 0.0));
            let pressed = ([heavy, light], DVec2::splat(-half), 1.0);
            let mut problem = problem(&[mass, 1.0], at_walls.into_iter().chain([pressed]));
            assert_eq!(problem.solve(1.0, false), Ok(()));
            rounded(&problem)
        };
        let [a, b] = [[DVec2::NEG_X, DVec2::NEG_Y], [DVec2::NEG_Y, DVec2::NEG_X]].map(solve);
        assert_eq!(a, b, "mass {mass:e}");
        assert_eq!(a[..2], [0, 0], "mass {mass:e}");
    }
}

/// Contacts need not be those of real discs: any graph with any normals will do for the energy. Some bodies
/// have infinite masses, and move.
fn cluster(rng: &mut Rng) -> Group {
    let mut group = Group::default();
    group.clear(rng.chance(5));
    let n = 2 + rng.below(6);
    let decades = rng.pick(&[0.0, 1.0, 6.0]);
    let least = rng.pick(&[0.0, 0.5, 1.0]);
    for slot in 0..n {
        let infinite = slot > 0 && rng.chance(15);
        let mass = if infinite { f64::INFINITY } else { 10.0_f64.powf(rng.range(-decades, decades)) };
        let motion = Motion::new(DVec2::ZERO, rng.vector(1.0), 0.5);
        group.add_member(slot as u32, MassClass::of(mass), mass, motion);
    }
    let normal = |rng: &mut Rng| {
        // Often along the lines of a lattice, so that contacts depend on each other.
        let sixth = core::f64::consts::PI / 3.0;
        let angle = if rng.chance(50) { sixth * rng.below(6) as f64 } else { rng.range(0.0, 7.0) };
        DVec2::from_angle(angle)
    };
    for c in 0..n + rng.below(n) {
        let a = rng.below(n);
        let b = (a + 1 + rng.below(n - 1)) % n;
        let with = if rng.chance(15) { Other::Facet(c as u32, Side::Front) } else { Other::Member(b) };
        let infinite = |m: usize| group.members[m].class == MassClass::Infinite;
        let both = infinite(a) && matches!(with, Other::Member(b) if infinite(b));
        let fixed = infinite(a) && matches!(with, Other::Facet(..));
        if !both && !fixed {
            let (normal, restitution) = (normal(rng), rng.range(least, 1.0));
            group.add_contact(a, with, normal, restitution, 0.0);
        }
    }
    group
}

fn energy(group: &Group) -> Dd {
    let finite = group.members.iter().filter(|member| member.class == MassClass::Finite);
    finite.fold(Dd::ZERO, |sum, member| {
        let [x, y] = member.velocity;
        sum + (x * x + y * y) * Dd::from(0.5 * member.mass)
    })
}

/// The work of the infinite masses: the impulses that they exert, times their speeds.
fn work(group: &Group) -> f64 {
    let of = |contact: &Contact| {
        let speed = |m: usize, sign: f64| {
            let member = &group.members[m];
            let infinite = member.class == MassClass::Infinite;
            if infinite { sign * member.motion.velocity.dot(contact.normal) } else { 0.0 }
        };
        let b = if let Other::Member(b) = contact.with { speed(b, -1.0) } else { 0.0 };
        contact.impulse * (speed(contact.a, 1.0) + b)
    };
    group.contacts.iter().map(of).sum()
}

/// The size of what the energy and the work at this speed are sums of.
fn terms(group: &Group, speed: f64) -> f64 {
    energy(group).to_f64() + group.contacts.iter().map(|c| c.impulse * speed).sum::<f64>()
}

/// A pass at zero restitution is a projection in the metric of the masses, and restitution at most doubles
/// it: in random clusters energy never rises by more than the work of the infinite masses, not even between
/// passes.
///
/// Which is the law −½ Σ λ(D′₋ + D′₊) ≥ 0: it does not depend on the frame, since work does as energy does.
#[test]
fn energy_rises_by_no_more_than_work() {
    let mut rng = Rng::new(1);
    let (mut passes, mut most, mut locked, mut crushed) = (0, 0, 0, 0);
    for case in 0..cases(30_000) {
        let mut group = cluster(&mut rng);
        group.find_parts(MassClass::Finite, false);
        for part in group.parts.clone() {
            let contacts = part.start as usize..part.end as usize;
            let mut count = 0;
            let mut gain = energy(&group).to_f64() - work(&group);
            let mut speed = group.speed_of(&contacts);
            while count < 40 && select_approaching(&mut group, &contacts, RESIDUAL * speed) {
                if make_pass(&mut group, MassClass::Finite, speed).is_err() {
                    crushed += 1;
                    break;
                }
                speed = speed.max(group.speed_of(&contacts));
                let (terms, after) = (terms(&group, speed), energy(&group).to_f64() - work(&group));
                // The sums here are in f64, of a dozen terms.
                assert!(after <= gain + 1e-14 * terms, "case {case}, pass {count}: {gain:e} {after:e}");
                gain = after;
                count += 1;
            }
            if count == 40 {
                locked += 1;
                let joined = join(&mut group, &contacts, MassClass::Finite, speed);
                let (terms, after) = (terms(&group, speed), energy(&group).to_f64() - work(&group));
                assert!(joined.is_err() || after <= gain + 1e-14 * terms, "case {case}: {gain:e} {after:e}");
            }
            (passes, most) = (passes + count, most.max(count));
        }
    }
    println!("{passes} passes, at most {most}, {locked} locked, {crushed} crushed");
    assert!(passes > 50_000 && locked > 30 && crushed > 50, "{passes} {most} {locked} {crushed}");
}

/// A body between two resting ones that nearly face each other, and a third one that pushes it towards where
/// these come nearer: the normals span the plane, so nothing undoes the approach (Farkas).
#[test]
fn a_wedge_that_narrows_is_no_way_out() {
    let normals = [
        DVec2::new(-0.759895907191513, 0.6500447755605666),
        DVec2::new(0.8000000194169701, 0.5999999741107057),
        DVec2::new(-0.7999999805830291, -0.6000000258892937),
    ];
    let closing = [-0.38673654255795265, -4.501660121009595e-8, 1.1852840315615626e-7];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let mut problem = problem(&[1.0], order.map(|c| ([Some(0), None], normals[c], closing[c])));
        assert_eq!(problem.solve(1.0017967017454146, true), Err(Infeasible), "{order:?}");
    }
}
