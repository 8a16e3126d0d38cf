//! A group is what touches, whichever contact is found first.

use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Settings, StopReason, Wall, World};
use carom_testkit::at;

/// The discs after some time, inserted in this order, by their first order; none if the world stops before.
fn after(discs: &[Disc], order: &[usize], walls: &[Wall], until: f64) -> Option<Vec<[u64; 4]>> {
    let mut world = World::with_settings(Settings::default().with_budget(10_000)).unwrap();
    for wall in walls {
        world.add_wall(wall.clone()).unwrap();
    }
    let mut ids = vec![None; discs.len()];
    for &k in order {
        ids[k] = Some(world.insert(discs[k].with_overlap()).unwrap());
    }
    if world.advance(until).unwrap().end != StopReason::Reached {
        return None;
    }
    let bits = |id: Option<DiscId>| {
        let disc = world.get(id.unwrap()).unwrap().to_disc();
        [disc.position.x, disc.position.y, disc.velocity.x, disc.velocity.y].map(|x| (x + 0.0).to_bits())
    };
    Some(ids.into_iter().map(bits).collect())
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![vec![]];
    }
    let shorter = permutations(n - 1);
    let with = |p: &Vec<usize>, k: usize| {
        let mut p = p.clone();
        p.insert(k, n - 1);
        p
    };
    shorter.iter().flat_map(|p| (0..n).map(move |k| with(p, k))).collect()
}

/// A tracer that flies at a fixed disc which it touches, when a third disc that touches both is hit: it
/// bounces, whatever the order of insertion.
#[test]
fn a_tracer_and_a_fixed_disc_keep_their_contact() {
    let discs = [
        Disc::new(at(0.0, 0.0), 3.0).with_mass(f64::INFINITY),
        Disc::new(at(0.0, 6.0), 3.0).with_mass(0.0).with_velocity(at(-0.25, -1.0)),
        Disc::new(at(4.0, 3.0), 2.0),
        Disc::new(at(8.0, 3.0), 2.0).with_velocity(at(-0.05, 0.0)),
    ];
    let first = after(&discs, &[0, 1, 2, 3], &[], 5.0).unwrap();
    let [x, y] = [0, 1].map(|k| f64::from_bits(first[1][k]));
    assert!(at(x, y).length() > 6.0, "{x} {y}");
    for order in permutations(4) {
        assert_eq!(after(&discs, &order, &[], 5.0).unwrap(), first, "{order:?}");
    }
}

/// Two discs that hit a fixed one from opposite sides at one instant do so each with its own restitution: 1
/// and ¼ (combined √(1 · 1/16)), as if they came one after the other.
#[test]
fn restitution_does_not_act_across_a_fixed_disc() {
    let e = 0.25;
    let discs = [
        Disc::new(at(0.0, 0.0), 1.0).with_mass(f64::INFINITY),
        Disc::new(at(-4.0, 0.0), 1.0).with_velocity(at(2.0, 0.0)),
        Disc::new(at(2.0, 0.0), 1.0).with_restitution(e),
        Disc::new(at(6.0, 0.0), 1.0).with_velocity(at(-2.0, 0.0)).with_restitution(e),
    ];
    for order in permutations(4) {
        let states = after(&discs, &order, &[], 1.5).unwrap();
        assert_eq!(f64::from_bits(states[1][2]), -2.0, "{order:?}");
    }
    let discs = [
        Disc::new(at(0.0, 0.0), 1.0).with_mass(f64::INFINITY),
        Disc::new(at(-4.0, 0.0), 1.0).with_velocity(at(2.0, 0.0)),
        Disc::new(at(4.0, 0.0), 1.0).with_velocity(at(-2.0, 0.0)).with_restitution(0.0),
    ];
    for order in permutations(3) {
        let states = after(&discs, &order, &[], 1.5).unwrap();
        assert_eq!([states[1][2], states[2][2]].map(f64::from_bits), [-2.0, 0.0], "{order:?}");
    }
}

/// Discs on a lattice of whole numbers, so that much happens at one instant, across fixed discs and with
/// tracers.
fn crowd(rng: &mut Rng) -> Vec<Disc> {
    let mut discs: Vec<Disc> = Vec::new();
    for _ in 0..3 + rng.below(6) {
        let radius = rng.pick(&[1.0, 1.0, 2.0]);
        let position = at(rng.below(9) as f64 * 2.0, rng.below(9) as f64 * 2.0);
        let apart = |other: &Disc| other.position.distance(position) >= other.radius + radius;
        if discs.iter().all(apart) {
            let mass = rng.pick(&[1.0, 1.0, 1.0, 2.0, 0.5, 0.0, f64::INFINITY]);
            let velocity = at(rng.pick(&[0.0, 1.0, -1.0, 2.0]), rng.pick(&[0.0, 0.0, 1.0, -1.0]));
            // What is infinite rests, so that nothing is crushed.
            let velocity = if mass == f64::INFINITY { DVec2::ZERO } else { velocity };
            let e = rng.pick(&[1.0, 1.0, 0.5, 0.25, 0.0]);
            discs.push(
                Disc::new(position, radius).with_mass(mass).with_velocity(velocity).with_restitution(e),
            );
        }
    }
    discs
}

/// Neither the order of insertion nor an exchange of x and y changes a bit of random crowds.
#[test]
fn no_order_shows_in_crowds() {
    let mut rng = Rng::new(5);
    let walls = [Wall::container(at(-2.0, -2.0), at(18.0, 18.0))];
    let mut stopped = 0;
    for case in 0..cases(1500) {
        let discs = crowd(&mut rng);
        let order: Vec<usize> = (0..discs.len()).collect();
        // A tracer may be crushed between what does not give way: which events of that instant still happen
        // is a matter of their order.
        let Some(first) = after(&discs, &order, &walls, 3.0) else {
            stopped += 1;
            continue;
        };
        for _ in 0..2 {
            let order = rng.permutation(discs.len());
            assert_eq!(after(&discs, &order, &walls, 3.0).as_ref(), Some(&first), "case {case}, {order:?}");
        }
        let mirrored: Vec<Disc> = discs
            .iter()
            .map(|disc| {
                disc.with_position(at(disc.position.y, disc.position.x))
                    .with_velocity(at(disc.velocity.y, disc.velocity.x))
            })
            .collect();
        let mut expected = first;
        for state in &mut expected {
            *state = [state[1], state[0], state[3], state[2]];
        }
        assert_eq!(after(&mirrored, &order, &walls, 3.0), Some(expected), "case {case}, mirrored");
    }
    println!("{stopped} stopped");
    assert!(stopped < cases(1500) / 20, "{stopped}");
}
