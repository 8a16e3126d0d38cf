//! Bond-orientational order of lattices, of random points, and under turns.

use crate::voronoi::scattered;
use crate::{lattice, rectangle};
use carom_math::{DVec2, Periods};
use carom_observe::{BondOrder, Weights};
use carom_scene::{Generator, Random};

/// The order of random or regular places, and of what is turned over the diagonal.
fn over_the_diagonal(places: &[DVec2], sides: DVec2, weights: Weights) -> [BondOrder; 2] {
    let over = |v: &DVec2| DVec2::new(v.y, v.x);
    let turned: Vec<DVec2> = places.iter().map(over).collect();
    [(places, sides), (&turned, over(&sides))]
        .map(|(places, sides)| BondOrder::new(places, rectangle(sides), 6, weights).unwrap())
}

/// The distance of the rows of a triangular lattice of spacing 1, √3/2.
const TRIANGULAR: f64 = 0.866_025_403_784_438_6;

/// Places up to 10² are rounded to 10⁻¹⁴, and directions with them; six times.
const ROUNDING: f64 = 1e-12;

#[test]
fn a_triangular_lattice_has_order_1() {
    let (places, sides) = lattice(100, 120, TRIANGULAR);
    for weights in [Weights::Equal, Weights::Length] {
        let [order, turned] = over_the_diagonal(&places, sides, weights);
        assert!(order.neighbours().iter().all(|&count| count == 6));
        assert!(order.local().iter().all(|psi| (*psi - DVec2::X).length() < ROUNDING));
        // Turned by 90°, which is 30° for the lattice.
        assert!((turned.global() + DVec2::X).length() < ROUNDING);
        assert!((turned.mean_size() - 1.0).abs() < ROUNDING);
    }
}

/// The phase is six times the angle by which the lattice is turned; in the middle of a piece of it, where no
/// edge is near.
#[test]
fn the_phase_is_the_orientation() {
    let (places, sides) = lattice(30, 30, TRIANGULAR);
    for angle in [0.1, 0.3, 0.5, 1.0] {
        let turned: Vec<DVec2> = places.iter().map(|p| DVec2::from_angle(angle).rotate(*p)).collect();
        let order = BondOrder::new(&turned, Periods::NONE, 6, Weights::Equal).unwrap();
        let mut inner = 0;
        for (place, psi) in places.iter().zip(order.local()) {
            let middle = (*place - 0.5 * sides).abs();
            if middle.x < 0.35 * sides.x && middle.y < 0.35 * sides.y {
                assert!((*psi - DVec2::from_angle(6.0 * angle)).length() < ROUNDING, "{angle}: {psi}");
                inner += 1;
            }
        }
        assert!(inner > 300);
    }
}

/// Four neighbours at right angles: exp(6iθ) is 1, −1, 1, −1 and exp(4iθ) is 1 for each. Those at √2 touch in
/// corners only.
#[test]
fn a_square_lattice_has_order_0_sixfold_and_1_fourfold() {
    let (places, sides) = lattice(20, 20, 1.0);
    let places: Vec<DVec2> = places.into_iter().map(|place| place * 0.3).collect();
    let periods = rectangle(sides * 0.3);
    for weights in [Weights::Equal, Weights::Length] {
        let six = BondOrder::new(&places, periods, 6, weights).unwrap();
        assert!(six.neighbours().iter().all(|&count| count == 4));
        assert!(six.mean_size() < 1e-8, "{}", six.mean_size());
        let four = BondOrder::new(&places, periods, 4, weights).unwrap();
        assert!((four.global() - DVec2::X).length() < 1e-8);
    }
}

/// Turned by 90° the random points have the opposite ψ₆, disc by disc; and ψ of all has the size of a random
/// walk.
#[test]
fn random_points_have_no_global_order() {
    let sides = DVec2::new(100.0, 80.0);
    let mut random = Random::new(Generator::default(), 9);
    let places = scattered(20_000, sides, &mut random);
    let [order, turned] = over_the_diagonal(&places, sides, Weights::Length);
    // A walk of N steps of mean square s is at a mean square distance sN, with an exponential distribution;
    // neighbours, which share bonds, may triple it. e⁻¹⁶ is the chance of being farther than 4 such
    // distances.
    let square = order.local().iter().map(|psi| psi.length_squared()).sum::<f64>() / 20_000.0;
    assert!(order.global().length() < 4.0 * (3.0 * square / 20_000.0).sqrt());
    assert!(order.mean_size() > 0.2 && order.local().iter().all(|psi| psi.length() <= 1.0));

    for (psi, turned) in order.local().iter().zip(turned.local()) {
        // Swapping the axes is a reflection, too: exp(6i(90° − θ)) = −exp(−6iθ). Lengths of facets have the
        // rounding of circles through three points nearly on a line.
        assert!((DVec2::new(-psi.x, psi.y) - *turned).length() < 1e-8);
    }
}

#[test]
fn few_discs() {
    let order = BondOrder::new(&[], Periods::NONE, 6, Weights::Equal).unwrap();
    assert_eq!((order.global(), order.mean_size()), (DVec2::ZERO, 0.0));
    let order = BondOrder::new(&[DVec2::ONE], Periods::NONE, 6, Weights::Equal).unwrap();
    assert_eq!((order.local(), order.neighbours()), (&[DVec2::ZERO][..], &[0][..]));
    // One disc in a period is its own neighbour, four times.
    let square = rectangle(DVec2::ONE);
    let order = BondOrder::new(&[DVec2::ONE], square, 4, Weights::Equal).unwrap();
    assert_eq!(order.neighbours(), [4]);
    assert!((order.global() - DVec2::X).length() < ROUNDING);
    for fold in [0, 25] {
        assert!(BondOrder::new(&[DVec2::ONE], square, fold, Weights::Equal).is_err());
    }
    assert!(BondOrder::new(&[DVec2::NAN], square, 6, Weights::Equal).is_err());
}
