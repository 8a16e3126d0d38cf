//! A group is what touches, whichever contact is found first.

use carom_engine::{Disc, DiscId, Settings, StopReason, World};
use carom_testkit::at;

/// The discs after some time, inserted in this order, by their first order; none if the world stops before.
fn after(discs: &[Disc], order: &[usize], until: f64) -> Option<Vec<[u64; 4]>> {
    let mut world = World::with_settings(Settings::default().with_budget(10_000)).unwrap();
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
    let first = after(&discs, &[0, 1, 2, 3], 5.0).unwrap();
    let [x, y] = [0, 1].map(|k| f64::from_bits(first[1][k]));
    assert!(at(x, y).length() > 6.0, "{x} {y}");
    for order in permutations(4) {
        assert_eq!(after(&discs, &order, 5.0).unwrap(), first, "{order:?}");
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
        let states = after(&discs, &order, 1.5).unwrap();
        assert_eq!(f64::from_bits(states[1][2]), -2.0, "{order:?}");
    }
    let discs = [
        Disc::new(at(0.0, 0.0), 1.0).with_mass(f64::INFINITY),
        Disc::new(at(-4.0, 0.0), 1.0).with_velocity(at(2.0, 0.0)),
        Disc::new(at(4.0, 0.0), 1.0).with_velocity(at(-2.0, 0.0)).with_restitution(0.0),
    ];
    for order in permutations(3) {
        let states = after(&discs, &order, 1.5).unwrap();
        assert_eq!([states[1][2], states[2][2]].map(f64::from_bits), [-2.0, 0.0], "{order:?}");
    }
}
