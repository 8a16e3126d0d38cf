//! Against closed forms.

use super::scene::{KINDS, under, world};
use crate::common::rng::Rng;
use carom_engine::{DVec2, Disc, Partner, Wall};

/// A disc that falls from rest at height `h` above a floor and bounces elastically is at the floor at
/// `√(2h/g) (2k − 1)`.
#[test]
fn an_elastic_ball_bounces_on_time() {
    let (g, h) = (9.81, 1.3);
    let mut world = under([0.0, -g]);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0])).unwrap();
    let ball = world.insert(Disc::new([0.0, h + 0.25], 0.25)).unwrap();
    let fall = (2.0 * h / g).sqrt();
    for k in 1..=10_000 {
        let step = world.step_event();
        let expected = fall * (2.0 * f64::from(k) - 1.0);
        let off = (step.time.as_secs() - expected).abs() / expected;
        assert!(off <= 1e-12, "bounce {k} at {} instead of {expected}", step.time.as_secs());
    }
    assert_eq!(world.counters().wall_impacts, 10_000);
    assert!(world.get(ball).unwrap().position().y > 0.24);
}

/// Energy, kinetic and potential, of an elastic gas under gravity: to 1e-11 over 10⁵ impacts (10⁶ in a
/// campaign).
#[test]
fn energy_is_kept_under_gravity() {
    let mut world = world(3, KINDS[0], 16);
    let before = world.energy();
    let mut impacts = 0;
    while impacts < crate::common::rng::cases(100_000) {
        impacts += world.advance(10.0).unwrap().events;
    }
    let off = (world.energy() - before).abs() / world.kinetic_energy();
    assert!(off <= 1e-11, "off by {off}");
}

/// The ledger accounts for the kinetic energy, forces included.
#[test]
fn the_ledger_closes() {
    for (seed, kind) in (0..50).zip(KINDS.into_iter().cycle()) {
        let mut world = world(seed, kind, 9);
        let scale = world.kinetic_energy().max(100.0);
        for _ in 0..20 {
            world.advance(0.1).unwrap();
            let off = (world.ledger().total - world.kinetic_energy()).abs() / scale;
            assert!(off <= 1e-12, "seed {seed}, {kind:?}: off by {off}");
        }
    }
}

/// One disc that falls from 1 m onto a floor: `n` bounces, the last of which would be no higher than what
/// counts as touching, `h eⁿ² = 4 ulp`, and at rest after `√(2h/g) (1 + e)/(1 − e)`.
#[test]
fn a_bouncing_disc_comes_to_rest_when_it_should() {
    for (e, bounces) in [(0.5_f64, 25), (0.9, 164), (0.98, 858)] {
        let mut world = under([0.0, -9.81]);
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(e)).unwrap();
        let ball = world.insert(Disc::new([0.0, 1.01], 0.01).with_restitution(e)).unwrap();
        world.advance(1000.0).unwrap();
        let expected = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        let ball = world.get(ball).unwrap();
        let at = ball.state_time().as_secs();
        assert!((at - expected).abs() <= 1e-6, "e = {e}: at rest at {at}, {expected} expected");
        assert_eq!(ball.velocity(), DVec2::ZERO);
        let counted = world.counters().wall_impacts;
        // What counts as touching is that at the floor, where coordinates are a hundred times smaller.
        let most = bounces + (100.0_f64.ln() / (-2.0 * e.ln())).ceil() as u64 + 1;
        assert!((bounces - 1..=most).contains(&counted), "e = {e}: {counted} bounces");
        assert!(world.next_event().is_none());
    }
}

/// A disc that slides off a fixed one leaves it at `cos θ = (2 cos θ₀ + v₀²/(g (r₁ + r₂)))/3`.
#[test]
fn a_disc_slides_off_another_and_leaves_it_in_time() {
    for (angle, speed) in [(0.1_f64, 0.0), (0.5, 0.3), (0.02, 0.5)] {
        let mut world = under([0.0, -1.0]);
        let post = world.insert(Disc::new([0.0, 0.0], 1.0).with_mass(f64::INFINITY)).unwrap();
        let place = DVec2::new(angle.sin(), angle.cos()) * 2.0;
        let tangent = DVec2::new(angle.cos(), -angle.sin());
        let disc = Disc::new(place, 1.0).with_velocity(tangent * speed).with_restitution(0.0);
        let ball = world.insert(disc).unwrap();
        let mut last = 0.0;
        assert!(world.next_event().is_some());
        while world.held_to(ball).any(|partner| partner == Partner::Disc(post)) {
            assert!(world.step_event().events == 1, "it stays");
            let at = world.get(ball).unwrap().position();
            assert!((at.length() - 2.0).abs() <= 1e-9, "off by {}", at.length() - 2.0);
            last = at.y / at.length();
        }
        let expected = (2.0 * angle.cos() + speed * speed / 2.0) / 3.0;
        assert!((last - expected).abs() <= 1e-4, "left at cos {last}, {expected} expected");
    }
}

/// A disc that swings in a bowl keeps its energy: 100 swings, to 1e-9 of that of the swing.
#[test]
fn a_disc_swings_in_a_bowl() {
    let mut world = under([0.0, -1.0]);
    let bowl = Wall::arc([0.0, 0.0], 10.0, std::f64::consts::PI, std::f64::consts::TAU);
    world.add_wall(bowl.with_restitution(0.0)).unwrap();
    let angle = 1.0_f64;
    let place = DVec2::new(angle.sin(), -angle.cos()) * 9.0;
    let ball = world.insert(Disc::new(place, 1.0).with_restitution(0.0)).unwrap();
    let before = world.energy();
    // 100 swings of 6.7 √(R/g) each.
    for _ in 0..crate::common::rng::cases(10) {
        world.advance(201.0).unwrap();
    }
    let off = (world.energy() - before).abs() / (9.0 * (1.0 - angle.cos()));
    let at = world.get(ball).unwrap().position();
    assert!(off <= 1e-9, "off by {off}");
    assert!((at.length() - 9.0).abs() <= 1e-8, "off by {}", at.length() - 9.0);
    assert!(world.counters().wall_impacts <= 1 && world.counters().pieces > 1000);
}

/// A disc that slides down a straight plane without friction, along `s(t) = ½ g sin φ t²` from rest, leaves
/// it where its foot is at the end, with the speed `√(2 g sin φ s)`, and then falls freely: its last event is
/// the end of the plane, at `√(2s/(g sin φ))`.
#[test]
fn a_disc_slides_off_the_end_of_a_plane() {
    let rng = &mut Rng::new(5);
    for case in 0..200 {
        let (slope, length) = (rng.range(0.1, 1.4), rng.range(0.5, 5.0));
        // So small that it does not roll over the end: `v² > r g cos φ`.
        let most = (1.6 * length * slope.tan()).min(0.5);
        let (start, radius) = (rng.vector(4.0), rng.range(0.01, 0.9) * most);
        let down = DVec2::new(slope.cos(), -slope.sin());
        let mut world = under([0.0, -1.0]);
        // Downwards, so that its left, the front, is above.
        let end = start + down * length;
        world.add_wall(Wall::segment(start, end).with_restitution(0.0)).unwrap();
        let place = start + down * 0.2 * length + down.perp() * radius;
        let mass = rng.pick(&[0.0, 1.0]);
        let disc = world.insert(Disc::new(place, radius).with_mass(mass).with_restitution(0.0)).unwrap();
        let way = (end - place).dot(down);
        let expected = (2.0 * way / slope.sin()).sqrt();
        let mut last = 0.0;
        while world.next_event().is_some_and(|next| next.time.as_secs() < 20.0) {
            last = world.step_event().time.as_secs();
            assert!(world.counters().pieces < 1000, "case {case}: no end of pieces at {last}");
        }
        assert!((last - expected).abs() <= 1e-9 * expected, "case {case}: {last} in place of {expected}");
        world.advance_to(expected + 1.0).unwrap();
        let fallen = world.get(disc).unwrap().velocity();
        let at_end = down * (2.0 * slope.sin() * way).sqrt();
        let off = (fallen - (at_end - DVec2::Y)).length();
        assert!(off <= 1e-8 * (1.0 + at_end.length()), "case {case}: speed off by {off:e}");
    }
}
