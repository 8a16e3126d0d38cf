//! Run, turn all velocities round, run back: what is missing at the start is what the scene's chaos makes of
//! rounding.
//!
//! Let J(t) be the derivative of the motion from the start to t. An error δ made at t, on the way out or
//! back, comes home as J(t)⁻¹ δ. Elastic motion is symplectic, so the largest stretch of J⁻¹ is that of J: no
//! more than what the same motion makes of a deviation at the start. With M impacts out and M back, each off
//! by at most c ulp,
//!
//!     return error ≤ 2 M c ulp · max over t of |J(t)|
//!
//! and max |J| is measured in the same run, by starts that are off by an ulp.

use super::scene::{Ball, Scene};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Settings, StopReason, Wall, World};

/// Half an ulp of 1.
const U: f64 = f64::EPSILON / 2.0;

/// Turns all velocities round.
fn reverse(world: &mut World) {
    let ids: Vec<DiscId> = world.ids().collect();
    for id in ids {
        let v = world.get(id).unwrap().velocity();
        world.set_velocity(id, -v).unwrap();
    }
}

/// The largest difference of a position or, with the second as unit of time, of a velocity.
fn deviation(a: &World, b: &World, sign: f64) -> f64 {
    let pairs = a.discs().zip(b.discs());
    pairs.fold(0.0, |largest: f64, ((_, p), (_, q))| {
        let apart = (p.position - q.position).abs().max_element();
        largest.max(apart).max((p.velocity - sign * q.velocity).abs().max_element())
    })
}

fn until(world: &mut World, time: f64) -> u64 {
    world.set_budget(1_000_000);
    let advance = world.advance_to(time).unwrap();
    assert_eq!(advance.end, StopReason::Reached);
    advance.events
}

/// A coordinate or velocity, off by an ulp either way.
fn off_by_an_ulp(x: f64, rng: &mut Rng) -> f64 {
    let bits = x.to_bits();
    f64::from_bits(if rng.chance(50) { bits + 1 } else { bits - 1 })
}

fn perturbed(scene: &Scene, rng: &mut Rng) -> Scene {
    let mut off = |v: DVec2| DVec2::new(off_by_an_ulp(v.x, rng), off_by_an_ulp(v.y, rng));
    let balls = scene.balls.iter();
    let balls = balls.map(|b| Ball { position: off(b.position), velocity: off(b.velocity), ..*b }).collect();
    Scene { balls, ..scene.clone() }
}

/// Chaotic worlds, as far out as a deviation of an ulp needs to become 10⁻⁸, which is where it is no longer
/// small.
///
/// c: a disc is stored with half an ulp of each coordinate, moved there with as much, and late by up to 12 U
/// |d|/s, 6 ulp/s (docs/derivations/disc-disc.md); s is the cosine of the angle at which it hits, and J has
/// 1/s too. So c = 7. As not all errors are the worst, nor point the worst way, half of the worlds return as
/// if the start alone was off by an ulp.
#[test]
fn chaotic_worlds_return_as_their_chaos_allows() {
    const C: f64 = 7.0;
    let mut ratios = Vec::new();
    for seed in 1..=cases(60) {
        let mut rng = Rng::new(seed);
        let scene = Scene::random(&mut rng, [0.02, 0.4], 1.0);
        let start = scene.world(0.0);
        let mut world = start.clone();
        let mut others: Vec<World> = (0..4).map(|_| perturbed(&scene, &mut rng).world(0.0)).collect();
        let (mut time, mut impacts, mut largest) = (0.0, 0, 0.0_f64);
        while largest < 1e-8 && time < 400.0 {
            time += 0.25;
            impacts += until(&mut world, time);
            for other in &mut others {
                until(other, time);
                largest = largest.max(deviation(&world, other, 1.0));
            }
        }
        reverse(&mut world);
        let back = until(&mut world, 2.0 * time);
        assert_eq!(back, impacts, "seed {seed}: another way back");
        let error = deviation(&world, &start, -1.0);
        let ratio = error / largest;
        let allowed = 2.0 * impacts as f64 * C;
        assert!(ratio <= allowed, "seed {seed}: an ulp has become {largest:e}, returned to {error:e}");
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let median = ratios[ratios.len() / 2];
    println!("return error over the largest deviation: median {median:.3}, largest {:.3?}", ratios.last());
    assert!(median <= 1.0, "{median}");
}

/// Impacts on the way out, and the error after the way back, in units of U times the size of the scene.
fn there_and_back(mut world: World, time: f64, size: f64) -> (f64, f64) {
    let start = world.clone();
    let out = until(&mut world, time);
    reverse(&mut world);
    let back = until(&mut world, 2.0 * time);
    assert_eq!(out, back, "another way back");
    let pairs = world.discs().zip(start.discs());
    let error = pairs.map(|((_, p), (_, q))| (p.position - q.position).length()).fold(0.0, f64::max);
    (out as f64, error / (U * size))
}

/// One disc in a box: its velocity is reflected exactly, so only places are rounded, and errors add up.
///
/// At each impact: p + v dt twice rounded, 2 U L; dt off by 3 U dt, so that the disc turns round that far
/// from the wall, and what it misses counts twice: 6 U L; the reversal once more. At most 10 U L for each of
/// 2 M impacts, hence 20 M.
#[test]
fn a_disc_in_a_box_returns_linearly() {
    let mut rng = Rng::new(1);
    let mut worst = 0.0_f64;
    for case in 0..cases(200) {
        let size = DVec2::new(rng.range(3.0, 9.0), rng.range(3.0, 9.0));
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::ZERO, size)).unwrap();
        let disc = Disc::new(size * 0.5 + rng.vector(0.5), rng.unit()).with_velocity(rng.vector(2.0));
        world.insert(disc).unwrap();
        let time = 10.0_f64.powf(rng.range(1.0, 4.0));
        let (impacts, error) = there_and_back(world, time, size.length());
        worst = worst.max(error / impacts.max(1.0));
        assert!(error <= 20.0 * impacts + 20.0, "case {case}: {error} after {impacts}");
    }
    println!("error at most {worst:.3} U L an impact");
    assert!(worst > 0.0);
}

/// A row of n discs on a line between two walls. With equal masses they swap velocities exactly, and errors
/// of place add up; with unequal ones velocities are rounded as well, at most 4 U v at each impact, and each
/// such error carries a disc away for the rest of the time. In coordinates scaled by √m the motion is a
/// straight line reflected by planes: nothing is stretched, but by the √ of the ratio of masses on the way
/// into these coordinates and out.
#[test]
fn a_row_on_a_line_returns_linearly_or_quadratically() {
    let mut rng = Rng::new(2);
    let (mut linear, mut quadratic) = (0.0_f64, 0.0_f64);
    for case in 0..cases(100) {
        let n = 2 + rng.below(6);
        let equal = case % 2 == 0;
        let size = 3.0 * n as f64;
        let mut world = World::new();
        world.add_wall(Wall::container(DVec2::new(0.0, -2.0), DVec2::new(size, 2.0))).unwrap();
        for k in 0..n {
            let at = DVec2::new(3.0 * k as f64 + 1.5 + rng.range(-0.5, 0.5), 0.0);
            let mass = if equal { 1.0 } else { rng.range(0.5, 2.0) };
            let velocity = DVec2::new(rng.range(-1.0, 1.0), 0.0);
            world.insert(Disc::new(at, rng.range(0.5, 0.9)).with_mass(mass).with_velocity(velocity)).unwrap();
        }
        let time = 10.0_f64.powf(rng.range(1.0, 3.0));
        let (impacts, error) = there_and_back(world, time, size);
        if equal {
            // As in the box: 10 U L each, for 2 M impacts.
            assert!(error <= 20.0 * impacts + 20.0, "case {case}: {error} after {impacts}");
            linear = linear.max(error / impacts.max(1.0));
        } else {
            // 2 M impacts, 4 U v each, for as long as 2 M impacts take, L/v each at most; twice, for √(mass
            // ratio).
            let bound = 20.0 * impacts + 2.0 * 4.0 * (2.0 * impacts).powi(2) + 20.0;
            assert!(error <= bound, "case {case}: {error} after {impacts}");
            quadratic = quadratic.max(error / (impacts * impacts).max(1.0));
        }
    }
    println!("equal: at most {linear:.3} U L M; unequal: at most {quadratic:.4} U L M²");
}

/// One disc in a round room. Its angle α to the tangent is the same at each impact, and rounding turns it by
/// some U/s each time, s = sin α; the place on the wall is a sum of these angles, so its error is at most
/// quadratic: with 2 M impacts and 32 U/s each (18 for the time of impact, the rest for place, normal and
/// velocity), 2 · 32/s · (2 M)²/2.
#[test]
fn a_disc_in_a_circle_returns_quadratically() {
    let mut rng = Rng::new(3);
    let mut worst = 0.0_f64;
    for case in 0..cases(200) {
        let (room, radius) = (rng.range(2.0, 5.0), rng.unit());
        let mut world = World::with_settings(Settings::default()).unwrap();
        world.add_wall(Wall::circle(DVec2::ZERO, room)).unwrap();
        let place = rng.vector(0.5 * (room - radius));
        let velocity = rng.vector(2.0);
        world.insert(Disc::new(place, radius).with_velocity(velocity)).unwrap();
        let time = 10.0_f64.powf(rng.range(1.0, 3.5));
        let (impacts, error) = there_and_back(world, time, room);
        let sine = (1.0 - (place.perp_dot(velocity.normalize()) / (room - radius)).powi(2)).sqrt();
        let bound = 32.0 / sine * (2.0 * impacts).powi(2) + 20.0 * impacts + 20.0;
        assert!(error <= bound, "case {case}: {error} after {impacts}");
        worst = worst.max(error * sine / (impacts * impacts).max(1.0));
    }
    println!("error at most {worst:.4} U R M²/s");
    assert!(worst > 0.0);
}
