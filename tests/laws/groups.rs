//! A group is what touches, whichever contact is found first.

use crate::symmetry::Case;
use carom_engine::{Disc, Settings};
use carom_testkit::at;

/// The discs after some time, inserted in any order.
fn after(discs: &[Disc], until: f64) -> Vec<[f64; 4]> {
    let discs = discs.iter().map(|disc| disc.with_overlap()).collect::<Vec<_>>();
    let orders = permutations(discs.len());
    let case = Case { discs, walls: Vec::new(), settings: Settings::default(), until };
    let first = case.run(&orders[0], None).unwrap();
    for order in &orders {
        assert_eq!(case.run(order, None).as_ref(), Some(&first), "{order:?}");
    }
    first.into_iter().map(|state| state.map(f64::from_bits)).collect()
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
    let [x, y, ..] = after(&discs, 5.0)[1];
    assert!(at(x, y).length() > 6.0, "{x} {y}");
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
    assert_eq!(after(&discs, 1.5)[1][2], -2.0);
    let discs = [
        Disc::new(at(0.0, 0.0), 1.0).with_mass(f64::INFINITY),
        Disc::new(at(-4.0, 0.0), 1.0).with_velocity(at(2.0, 0.0)),
        Disc::new(at(4.0, 0.0), 1.0).with_velocity(at(-2.0, 0.0)).with_restitution(0.0),
    ];
    let states = after(&discs, 1.5);
    assert_eq!([states[1][2], states[2][2]], [-2.0, 0.0]);
}
