use super::*;
use crate::tests::eliminated;
use carom_math::eft::DoubleDouble as Dd;
use carom_testkit::rng::{Rng, cases};

/// The two bodies of a contact, its normal, and its part.
type Contact = ([End; 2], DVec2, usize);

fn solved(velocities: &[DVec2], touches: &[Contact]) -> Vec<DVec2> {
    let mut problem = GiveWay::default();
    for v in velocities {
        problem.add_body([v.x.into(), v.y.into()]);
    }
    for &(ends, normal, part) in touches {
        problem.add_touch(Touch { ends, normal, part });
    }
    problem.solve();
    let after = |(body, &before)| problem.velocity(body).map_or(before, DVec2::from);
    velocities.iter().enumerate().map(after).collect()
}

use End::{Fixed, Movable as M, Unstoppable as U};

#[test]
fn a_paddle_stops_at_what_a_wall_holds_and_slides_along_it() {
    let pinned = [([U(0), M(0)], DVec2::X, 0), ([M(0), Fixed], DVec2::X, 0)];
    assert_eq!(solved(&[DVec2::new(2.0, 0.5)], &pinned), [DVec2::new(0.0, 0.5)]);
    // Away from it, or with room to the side, it keeps its velocity.
    assert_eq!(solved(&[DVec2::new(-2.0, 0.5)], &pinned), [DVec2::new(-2.0, 0.5)]);
    let aside = [([U(0), M(0)], DVec2::new(0.6, 0.8), 0), ([M(0), Fixed], DVec2::X, 0)];
    assert_eq!(solved(&[DVec2::new(2.0, 0.5)], &aside), [DVec2::new(2.0, 0.5)]);
}

#[test]
fn two_that_close_stop_and_the_faster_takes_the_slower_speed() {
    let row = [([U(0), M(0)], DVec2::X, 0), ([M(0), M(1)], DVec2::X, 0), ([M(1), U(1)], DVec2::X, 0)];
    let at = |a: f64, b: f64| solved(&[DVec2::new(a, 0.0), DVec2::new(b, 0.0)], &row);
    assert_eq!(at(1.0, -3.0), [DVec2::ZERO; 2]);
    assert_eq!(at(3.0, 1.0), [DVec2::X; 2]);
    assert_eq!(at(-1.0, -3.0), [-DVec2::X; 2]);
    assert_eq!(at(1.0, 3.0), [DVec2::X, DVec2::new(3.0, 0.0)]);
    assert_eq!(at(1.0, 0.0), [DVec2::ZERO; 2]);
}

/// A row between bodies that go the same way: the faster one takes the slower one's speed, and where the row
/// is longer than the bound of the work allows both stand still.
#[test]
fn what_is_too_large_stands_still() {
    let row = |discs: usize| {
        let inner = (1..discs).map(|k| ([M(k - 1), M(k)], DVec2::X, 0));
        let mut touches: Vec<_> = inner.collect();
        touches.push(([U(0), M(0)], DVec2::X, 0));
        touches.push(([M(discs - 1), U(1)], DVec2::X, 0));
        solved(&[DVec2::new(3.0, 0.0), DVec2::new(1.0, 0.0)], &touches)
    };
    assert_eq!(row(60), [DVec2::X; 2]);
    assert_eq!(row(150), [DVec2::ZERO; 2]);
}

#[test]
fn what_gives_way_to_one_holds_up_the_next() {
    // 0 drives 1 against 2, which stands at a wall; 3 follows 0 with a disc between them.
    let touches = [([U(1), M(0)], 0), ([M(0), U(0)], 0), ([U(0), M(1)], 1), ([M(1), Fixed], 1)];
    let touches = touches.map(|(ends, part)| (ends, DVec2::X, part));
    assert_eq!(solved(&[DVec2::X; 2], &touches), [DVec2::ZERO; 2]);
}

/// Random contacts between up to three bodies of each kind: any normals will do, no discs need fit them.
fn scene(rng: &mut Rng) -> (Vec<DVec2>, Vec<Contact>) {
    let (unstoppable, movable) = (1 + rng.below(3), 1 + rng.below(3));
    let round = |rng: &mut Rng| (rng.range(-3.0, 3.0)).round();
    let velocities = (0..unstoppable).map(|_| DVec2::new(round(rng), round(rng))).collect();
    let direction = |rng: &mut Rng| {
        let steps = rng.pick(&[4, 6, 8]);
        DVec2::from_angle(core::f64::consts::TAU * rng.below(steps) as f64 / steps as f64)
    };
    let axis = direction(rng);
    let mut touches = Vec::new();
    let mut intervals = 0;
    while touches.len() < 2 + rng.below(5) {
        let a = M(rng.below(movable));
        let b = match rng.below(5) {
            0 => Fixed,
            1 => M(rng.below(movable)),
            _ if intervals == 4 => Fixed,
            _ => U(rng.below(unstoppable)),
        };
        if a == b {
            continue;
        }
        intervals += usize::from(matches!(b, U(_)));
        // Mostly along one line, so that contacts oppose each other.
        let normal = if rng.chance(70) { axis * rng.pick(&[1.0, -1.0]) } else { direction(rng) };
        touches.push(([a, b], normal, 0));
    }
    (velocities, touches)
}

/// All subsets of inequalities as equalities, until one has multipliers ≥ 0 and violates no other. The
/// movable bodies are in it, and cost a little each.
fn by_brute_force(velocities: &[DVec2], touches: &[Contact]) -> Vec<DVec2> {
    const COST: f64 = 1e-5;
    let bodies = velocities.len();
    let place = |end: End| match end {
        U(k) => Some(2 * k),
        M(k) => Some(2 * (bodies + k)),
        Fixed => None,
    };
    let size = 2 * (bodies + 3);
    let (mut rows, mut bounds) = (Vec::new(), Vec::new());
    for (ends, n, _) in touches {
        let mut row = vec![0.0; size];
        for (end, sign) in ends.iter().zip([-1.0, 1.0]) {
            if let Some(at) = place(*end) {
                row[at] += sign * n.x;
                row[at + 1] += sign * n.y;
            }
            if let U(k) = end {
                let speed = velocities[*k].dot(*n);
                for (sign, bound) in [(1.0, speed.min(0.0)), (-1.0, -speed.max(0.0))] {
                    let mut interval = vec![0.0; size];
                    (interval[2 * k], interval[2 * k + 1]) = (sign * n.x, sign * n.y);
                    rows.push(interval);
                    bounds.push(bound);
                }
            }
        }
        rows.push(row);
        bounds.push(0.0);
    }
    let start: Vec<f64> =
        velocities.iter().flat_map(|v| [v.x, v.y]).chain(core::iter::repeat(0.0)).take(size).collect();
    let weight = |c: usize| if c < 2 * bodies { 1.0 } else { 1.0 / COST };
    let inner = |a: &[f64], b: &[f64]| (0..size).map(|c| a[c] * b[c] * weight(c)).sum::<f64>();
    let along = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    for subset in 0..1u32 << rows.len() {
        let chosen: Vec<usize> = (0..rows.len()).filter(|i| subset >> i & 1 == 1).collect();
        let matrix =
            chosen.iter().map(|&i| chosen.iter().map(|&j| inner(&rows[i], &rows[j]).into()).collect());
        let right = chosen.iter().map(|&i| (bounds[i] - along(&rows[i], &start)).into());
        let Some(multipliers) = eliminated(matrix.collect(), right.collect(), 1e-4) else { continue };
        let multipliers: Vec<f64> = multipliers.into_iter().map(Dd::to_f64).collect();
        if multipliers.iter().any(|&m| m < -1e-9) {
            continue;
        }
        let mut x = start.clone();
        for (&i, m) in chosen.iter().zip(&multipliers) {
            for c in 0..size {
                x[c] += m * weight(c) * rows[i][c];
            }
        }
        if rows.iter().zip(&bounds).all(|(row, bound)| along(row, &x) >= bound - 1e-5) {
            return (0..bodies).map(|k| DVec2::new(x[2 * k], x[2 * k + 1])).collect();
        }
    }
    panic!("nothing found for {velocities:?}, {touches:?}");
}

#[test]
fn it_is_what_brute_force_finds() {
    let mut rng = Rng::new(12);
    let (mut gave, mut partly) = (0, 0);
    let count = cases(400);
    for case in 0..count {
        let (velocities, touches) = scene(&mut rng);
        let found = solved(&velocities, &touches);
        let expected = by_brute_force(&velocities, &touches);
        for (a, b) in found.iter().zip(&expected) {
            assert!(a.distance(*b) < 1e-3, "case {case}: {found:?} {expected:?} {velocities:?} {touches:?}");
        }
        gave += u64::from(found != velocities);
        partly += u64::from(found != velocities && found.iter().any(|v| *v != DVec2::ZERO));
    }
    assert!(gave > count / 10 && partly > count / 12, "{gave} gave way, {partly} in part, of {count}");
}

#[test]
fn no_order_and_no_side_shows() {
    let mut rng = Rng::new(13);
    for case in 0..cases(2000) {
        let (velocities, touches) = scene(&mut rng);
        let found = solved(&velocities, &touches);
        let mut shuffled: Vec<_> = rng.permutation(touches.len()).into_iter().map(|k| touches[k]).collect();
        for (ends, normal, _) in &mut shuffled {
            if rng.chance(50) {
                ends.swap(0, 1);
                *normal = -*normal;
            }
        }
        assert_eq!(solved(&velocities, &shuffled), found, "case {case}");
        let mirror = |v: DVec2| DVec2::new(-v.y, v.x);
        let turned: Vec<_> = touches.iter().map(|&(ends, n, part)| (ends, mirror(n), part)).collect();
        let velocities: Vec<DVec2> = velocities.into_iter().map(mirror).collect();
        let expected: Vec<DVec2> = found.into_iter().map(mirror).collect();
        assert_eq!(solved(&velocities, &turned), expected, "case {case}, turned");
    }
}
