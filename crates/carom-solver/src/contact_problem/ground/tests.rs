use super::*;
use crate::contact_problem::{ContactProblem, Ends, RowKind};
use carom_math::eft::DoubleDouble as Dd;
use carom_testkit::rng::{Rng, cases};

/// A random cluster: discs on a lattice that touch some of those before them, some of them walls.
fn random(rng: &mut Rng) -> ContactProblem {
    let mut problem = ContactProblem::default();
    problem.reset();
    let n = 1 + rng.below(7);
    let angle = |rng: &mut Rng| {
        let t = rng.range(0.0, 6.0);
        if rng.chance(30) {
            DVec2::from([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]][rng.below(3)])
        } else {
            DVec2::from_angle(t)
        }
    };
    problem.ground.grounds.clear();
    for _ in 0..n {
        problem.add_body(rng.range(0.5, 3.0));
        let most = if rng.chance(80) { rng.range(0.1, 1.0) } else { 0.0 };
        let offset = if rng.chance(40) { angle(rng) * rng.range(0.1, 10.0) } else { DVec2::ZERO };
        let pull = if rng.chance(50) { angle(rng) * rng.range(0.0, 2.0) } else { DVec2::ZERO };
        problem.ground.grounds.push(Ground { pull, most, offset, ..Ground::default() });
    }
    for a in 0..n as u32 {
        for b in 0..a {
            if rng.chance(50) {
                let ends: Ends = [Some(b), Some(a)];
                problem.add_row(ends, angle(rng), Dd::from(rng.range(-0.2, 0.5)), RowKind::OneSided);
            }
        }
        if rng.chance(10) {
            problem.add_row([Some(a), None], angle(rng), Dd::from(rng.range(-0.1, 0.1)), RowKind::OneSided);
        }
    }
    problem
}

/// The conditions that single out one solution: no force pulls, no contact that presses opens, what is held
/// is held by no more than its grip, and what moves has that against its way.
#[test]
fn agrees_with_the_conditions() {
    let rng = &mut Rng::new(7);
    let (mut infeasible, count) = (0, cases(5000));
    for case in 0..count {
        let mut problem = random(rng);
        let largest = problem.ground.grounds.iter().map(|ground| length(ground.offset)).fold(0.0, f64::max);
        if problem.solve_on_ground(largest).is_err() {
            infeasible += 1;
            continue;
        }
        let mut momenta = vec![[0.0; 2]; problem.system.bodies.len()];
        let change = |b: u32| DVec2::from(problem.solution.changes[b as usize].map(Dd::to_f64));
        let largest = (0..problem.system.bodies.len() as u32).map(|b| length(change(b))).fold(1.0, f64::max);
        // What rounding leaves follows the largest of what cancels, forces among them.
        let forces = problem.system.rows.iter().zip(&problem.solution.impulses);
        let largest = forces.map(|(row, force)| force.to_f64() * row.diagonal).fold(largest, f64::max);
        let least = 1e-12 * largest;
        for (row, force) in problem.system.rows.iter().zip(&problem.solution.impulses) {
            let force = force.to_f64();
            let [a, b] = row.ends.map(|end| end.map_or(DVec2::ZERO, change));
            let opening = row.opening.to_f64() + (b - a).dot(row.normal);
            assert!(
                force >= 0.0 && opening >= -least && force.min(opening) <= least,
                "case {case}: {force} {opening}"
            );
            row.add_momentum(force, &mut momenta);
        }
        for (b, ground) in problem.ground.grounds.iter().enumerate() {
            let c = change(b as u32);
            let friction = ground.pull - c + DVec2::from(momenta[b]) / problem.system.bodies[b].mass;
            let way = c + ground.offset;
            // Of a way of 10⁻³⁰⁴ the square is 0, too.
            if length(way) == 0.0 {
                assert!(
                    length(friction) <= ground.most * (1.0 + 1e-8),
                    "case {case}: held by {friction} of {}",
                    ground.most
                );
            } else {
                let off = length(friction - way * (ground.most / length(way)));
                assert!(off <= 10.0 * least, "case {case}: off by {off} of {}, way {way}", ground.most);
            }
        }
    }
    assert!(infeasible < count / 200, "{infeasible} have none");
}

/// What nothing here moves closes in on a body at rest with the acceleration `a`: the body goes along,
/// however firmly the ground holds it, as it pushes back on nothing. The force is `a + g`.
#[test]
fn what_is_held_goes_along_with_what_nothing_moves() {
    for (pull, grip) in [(1.0, 0.1), (1.0, 30.0), (1e-6, 1.0), (1e-9, 1.0)] {
        let mut problem = ContactProblem::default();
        problem.reset();
        problem.add_body(1.0);
        problem.ground.grounds.push(Ground { most: grip, ..Ground::default() });
        problem.add_row([None, Some(0)], DVec2::X, Dd::from(pull), RowKind::OneSided);
        problem.solve_on_ground(pull).unwrap();
        let found = [problem.solution.changes[0][0], problem.solution.impulses[0]].map(Dd::to_f64);
        let off = (found[0] - pull).abs().max((found[1] - pull - grip).abs());
        assert!(off <= 1e-13 * (pull + grip), "{pull} against {grip}: {found:?}");
    }
}

/// `k` bodies in a row, the first with a pull `a`: they move if `a > k g`, with `a/k − g`.
#[test]
fn a_row_is_held_up_to_the_sum_of_the_frictions() {
    for k in [1_u32, 2, 3, 5, 8, 13, 40] {
        for share in [0.3, 1.0 - 1e-6, 1.0 - 1e-9, 1.0, 1.0 + 1e-9, 1.0 + 1e-6, 1.1, 30.0] {
            let (grip, pull) = (0.5, 0.5 * f64::from(k) * share);
            let mut problem = ContactProblem::default();
            problem.reset();
            for body in 0..k {
                problem.add_body(1.0);
                let offset = if body == 0 { DVec2::new(pull, 0.0) } else { DVec2::ZERO };
                problem.ground.grounds.push(Ground { most: grip, offset, ..Ground::default() });
            }
            for body in 1..k {
                let closing = if body == 1 { pull } else { 0.0 };
                problem.add_row([Some(body - 1), Some(body)], DVec2::X, Dd::from(closing), RowKind::OneSided);
            }
            problem.solve_on_ground(pull).unwrap();
            let expected = (pull / f64::from(k) - grip).max(0.0);
            for (body, change) in problem.solution.changes.iter().enumerate() {
                let found = change[0].to_f64() + if body == 0 { pull } else { 0.0 };
                assert!(
                    (found - expected).abs() <= 2e-11 * pull,
                    "{k} bodies, {share}: {found}, not {expected}"
                );
            }
        }
    }
}
