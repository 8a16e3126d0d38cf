//! Formulas in circulation, and what they lose against the ones used here.

use std::f64::consts::TAU;

use carom_math::{DVec2, toi};
use carom_testkit::rng::Rng;

use crate::cases::{oriented, unit};
use crate::oracle::{Big, Quadratic, U};

fn coefficients(d: DVec2, v: DVec2, reach: f64) -> (f64, f64, f64) {
    (v.dot(v), d.dot(v), d.dot(d) - reach * reach)
}

/// Root and discriminant from `b² − a c`, and the root as `(−b − √)/a`.
fn textbook(d: DVec2, v: DVec2, reach: f64) -> Option<f64> {
    let (a, b, c) = coefficients(d, v, reach);
    let disc = b * b - a * c;
    (b < 0.0 && disc > 0.0).then(|| (-b - disc.sqrt()) / a)
}

/// 1500 discs of reach 1 at a distance of 1000, which hit with a relative discriminant of 10⁻¹² to 10⁻⁹.
fn grazing_from_afar() -> Vec<(DVec2, DVec2)> {
    let mut rng = Rng::new(1);
    let mut cases = Vec::new();
    while cases.len() < 1500 {
        let along = unit(TAU * rng.unit());
        let short = 10f64.powf(-12.0 + 3.0 * rng.unit());
        let d = oriented(along, 1000.0, 1.0 - short / 2.0);
        let v = -along * (0.5 + rng.unit());
        let q = Quadratic::new(&d.into(), &v.into(), &Big::new(1.0));
        // What rounding the input has moved out of the range is not counted.
        if q.steepness().powi(2) > 1e-12 {
            cases.push((d, v));
        }
    }
    cases
}

#[test]
fn b2_minus_ac_loses_grazing_hits_from_afar() {
    let cases = grazing_from_afar();
    let lost = |hit: &dyn Fn(DVec2, DVec2) -> bool| cases.iter().filter(|(d, v)| !hit(*d, *v)).count();
    let bad = lost(&|d, v| textbook(d, v, 1.0).is_some());
    let good = lost(&|d, v| toi::disc_disc(d, v, 1.0).is_some());
    println!(
        "grazing hits lost at |d|/R = 1000: {bad} of {} by b² − a c, {good} by a R² − (d × v)²",
        cases.len()
    );
    assert_eq!(good, 0);
    assert!(bad > 300, "{bad}");
}

/// `(−b − √disc)/a` subtracts two nearly equal numbers when the gap is small against the path through.
#[test]
fn minus_b_minus_root_loses_the_digits_of_a_short_time() {
    let mut rng = Rng::new(2);
    let mut worst = [0.0f64; 2];
    for _ in 0..1000 {
        let along = unit(TAU * rng.unit());
        // A gap of 10⁻¹² R, met at up to 60° from the normal.
        let d = along * (1.0 + 1e-12);
        let slant = TAU / 3.0 * (rng.unit() - 0.5);
        let v = oriented(along, -slant.cos(), slant.sin());
        let exact = Quadratic::new(&d.into(), &v.into(), &Big::new(1.0)).first();
        let error = |t: f64| exact.distance(t) / exact.f64();
        worst[0] = worst[0].max(error(textbook(d, v, 1.0).unwrap()));
        worst[1] = worst[1].max(error(toi::disc_disc(d, v, 1.0).unwrap()));
    }
    println!("relative error for a gap of 1e-12: {:e} by (−b − √)/a, {:e} by c/(−b + √)", worst[0], worst[1]);
    assert!(worst[0] > 1e-5, "{worst:?}");
    // s ≥ 1/2, so the bound of 16 U/s² is 64 U.
    assert!(worst[1] < 64.0 * U, "{worst:?}");
}

/// Component form in circulation: the coefficients are written out, and `− R²` is forgotten in `c`. It finds
/// the centres' meeting, if any, not that of the edges.
fn without_reach(d: DVec2, v: DVec2) -> Option<f64> {
    let a = v.x * v.x + v.y * v.y;
    let b = 2.0 * (d.x * v.x + d.y * v.y);
    let c = d.x * d.x + d.y * d.y;
    let disc = b * b - 4.0 * a * c;
    (disc >= 0.0).then(|| (-b - disc.sqrt()) / (2.0 * a))
}

#[test]
fn forgetting_the_reach_is_wrong() {
    // Head-on at distance 5 with reach 2: contact after 3, not 5.
    let (d, v) = (DVec2::new(5.0, 0.0), DVec2::new(-1.0, 0.0));
    assert_eq!((without_reach(d, v), toi::disc_disc(d, v, 2.0)), (Some(5.0), Some(3.0)));
    // Off centre, where its discriminant is −(d × v)², it misses every hit.
    let mut rng = Rng::new(3);
    let (mut hits, mut found) = (0, 0);
    for _ in 0..1000 {
        let d = DVec2::new(5.0, 4.0 * rng.unit() - 2.0);
        let exact = Quadratic::new(&d.into(), &v.into(), &Big::new(2.0));
        if exact.discriminant.is_positive() {
            hits += 1;
            found += usize::from(without_reach(d, v).is_some());
            assert!(toi::disc_disc(d, v, 2.0).is_some());
        }
    }
    assert!(hits > 900 && found == 0, "{found} of {hits}");
}

/// Inside a circle it is the other way round: there `b² − a c` adds, and `a R² − (d × v)²` cancels for a disc
/// that skims along the wall.
#[test]
fn inside_a_circle_the_sum_of_squares_is_the_stable_one() {
    let mut rng = Rng::new(4);
    let mut worst = [0.0f64; 2];
    for _ in 0..1000 {
        let along = unit(TAU * rng.unit());
        let d = along * (1.0 - 1e-13);
        // 10⁻⁷ rad from tangential.
        let v = oriented(along, -1e-7f64.sin(), 1e-7f64.cos());
        let exact = Quadratic::new(&d.into(), &v.into(), &Big::new(1.0)).last();
        let (a, b, _) = coefficients(d, v, 1.0);
        let cross = d.perp_dot(v);
        let by_cross = ((a - cross * cross).max(0.0).sqrt() - b) / a;
        let room = carom_math::Circle { center: DVec2::ZERO, radius: 1.0 };
        let disc = toi::Motion::new(d, v, 0.0);
        let got = toi::disc_circle_inside(&disc, &room, toi::Memory::None).unwrap();
        worst[0] = worst[0].max(exact.distance(by_cross) / exact.f64());
        worst[1] = worst[1].max(exact.distance(got) / exact.f64());
    }
    println!("skimming inside: {:e} by a R² − (d × v)², {:e} by b² − a c", worst[0], worst[1]);
    assert!(worst[0] > 1e-5 && worst[1] < 1e-8, "{worst:?}");
}
