//! Against closed forms.

use super::scene::{under, world};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, Event, Partner, StopReason, Wall};

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
    let mut world = world(5, 16);
    let before = world.energy();
    let mut impacts = 0;
    while impacts < cases(100_000) {
        impacts += world.advance(10.0).unwrap().events;
    }
    let off = (world.energy() - before).abs() / world.kinetic_energy();
    assert!(off <= 1e-11, "off by {off}");
}

/// One disc that falls from 1 m onto a floor: `n` bounces, the last of which would be no higher than what
/// counts as touching, `h eⁿ² = 4 ulp`, and held at rest after `√(2h/g) (1 + e)/(1 − e)`.
#[test]
fn a_bouncing_disc_comes_to_rest_when_it_should() {
    let falls = [(0.0_f64, 1), (0.5, 25), (0.9, 164), (0.98, 858)];
    for ((e, bounces), radius) in falls.into_iter().flat_map(|fall| [(fall, 0.01), (fall, 0.5)]) {
        let mut world = under([0.0, -9.81]);
        world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(e)).unwrap();
        let id = world.insert(Disc::new([0.0, 1.0 + radius], radius).with_restitution(e)).unwrap();
        let ended = world.advance_until_event(1000.0, |event| matches!(event, Event::Held(_))).unwrap();
        assert_eq!(ended.end, StopReason::Stopped, "e = {e}");
        let expected = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        let at = ended.time.as_secs();
        assert!((at - expected).abs() <= 1e-6, "e = {e}: at rest at {at}, {expected} expected");
        let Some(Event::Held(hold)) = world.events().last() else { panic!("{:?}", world.events()) };
        assert_eq!((hold.time, hold.a, hold.normal), (ended.time, id, DVec2::NEG_Y));
        assert!(hold.b.wall().is_some() && hold.point.length() < 1e-12, "{hold:?}");
        let ball = world.get(id).unwrap();
        assert_eq!((ball.velocity(), ball.state_time()), (DVec2::ZERO, ended.time));
        let counted = world.counters().wall_impacts;
        // What counts as touching is that at the floor, where coordinates are a hundred times smaller.
        let most = bounces + (100.0_f64.ln() / (-2.0 * e.ln())).ceil() as u64 + 1;
        assert!((bounces - 1..=most).contains(&counted), "e = {e}: {counted} bounces");
        assert!(world.next_event().is_none());
    }
}

/// A disc that slides off one that moves uniformly, or rests, leaves it where it would leave one at rest,
/// seen from there: at `cos θ = (2 cos θ₀ + v₀²/(g (r₁ + r₂)))/3`, with the speed of the fall.
#[test]
fn a_disc_slides_off_another_and_leaves_it_in_time() {
    for (g, radius, angle, slide, frame) in [
        (1.0, 1.0, 0.1_f64, 0.0, [0.0, 0.0]),
        (1.0, 1.0, 0.5, 0.3, [0.0, 0.0]),
        (1.0, 1.0, 0.02, 0.5, [0.0, 0.0]),
        (9.81, 0.5, 0.1, 0.0, [0.0, 0.0]),
        (9.81, 0.5, 0.1, 0.0, [3.0, 0.0]),
        (9.81, 0.5, 0.1, 0.0, [-1.0, 2.0]),
        (9.81, 0.5, 0.1, 0.0, [0.0, -4.0]),
    ] {
        let (what, reach) = (format!("from {angle} at {slide}, in {frame:?}"), 1.0 + radius);
        let mut world = under([0.0, -g]);
        let post = Disc::new([0.0, 0.0], 1.0).with_mass(f64::INFINITY).with_velocity(frame);
        let post = world.insert(post).unwrap();
        let out = DVec2::new(angle.sin(), angle.cos());
        let velocity = DVec2::from(frame) - out.perp() * slide;
        let disc = Disc::new(out * reach, radius).with_velocity(velocity).with_restitution(0.0);
        let ball = world.insert(disc).unwrap();
        assert!(world.next_event().is_some());
        world.advance(0.0).unwrap();
        let mut last = 0.0;
        while world.held_to(ball).any(|partner| partner == Partner::Disc(post)) {
            assert!(world.step_event().events == 1, "{what}: it stays");
            let d = world.get(ball).unwrap().position() - world.get(post).unwrap().position();
            assert!((d.length() - reach).abs() <= 1e-9, "{what}: off by {}", d.length() - reach);
            last = d.y / d.length();
        }
        let expected = (2.0 * angle.cos() + slide * slide / (g * reach)) / 3.0;
        assert!((last - expected).abs() <= 1e-4, "{what}: left at cos {last}, {expected} expected");
        let speed = (world.get(ball).unwrap().velocity() - DVec2::from(frame)).length();
        let fallen = reach * (angle.cos() - last);
        let off = speed * speed - slide * slide - 2.0 * g * fallen;
        assert!(off.abs() < 1e-9 * g, "{what}: {speed}");
    }
}

/// A disc that swings in a bowl keeps its energy: for each 100 swings, to 1e-9 of that of the swing.
#[test]
fn a_disc_swings_in_a_bowl() {
    let mut world = under([0.0, -1.0]);
    let bowl = Wall::arc([0.0, 0.0], 10.0, std::f64::consts::PI, std::f64::consts::TAU);
    world.add_wall(bowl.with_restitution(0.0)).unwrap();
    let angle = 1.0_f64;
    let place = DVec2::new(angle.sin(), -angle.cos()) * 9.0;
    let ball = world.insert(Disc::new(place, 1.0).with_restitution(0.0)).unwrap();
    let before = world.energy();
    // Ten swings of 6.7 √(R/g) each.
    let tens = cases(10);
    for _ in 0..tens {
        world.advance(201.0).unwrap();
    }
    let off = (world.energy() - before).abs() / (9.0 * (1.0 - angle.cos()));
    let at = world.get(ball).unwrap().position();
    assert!(off <= 1e-10 * tens as f64, "off by {off}");
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

/// A disc that rolls on a floor touches a point that lies there for no time, with the normal of the floor:
/// neither is moved by it, at any speed, also where coordinates are large and both move.
#[test]
fn a_disc_rolls_over_a_point() {
    let mut rng = Rng::new(463_546);
    for case in 0..cases(400) {
        let at = [0.0, 1.0, 1e3, 1e6][case as usize % 4] * rng.range(-1.0, 1.0);
        let (radius, gravity, speed) = (rng.range(0.2, 2.0), rng.range(0.1, 10.0), rng.range(-4.0, 4.0));
        let crosses = rng.range(-4.0, 4.0);
        let mut world = under([0.0, -gravity]);
        world.add_wall(Wall::half_plane([0.0, at], [0.0, 1.0])).unwrap();
        let disc = Disc::new([at, at + radius], radius).with_velocity([speed, 0.0]);
        let point = Disc::new([at + speed - crosses, at], 0.0).with_velocity([crosses, 0.0]);
        let ids = [disc, point].map(|disc| world.insert(disc.with_restitution(0.0)).unwrap());
        world.advance(10.0).unwrap();
        let got = ids.map(|id| world.get(id).unwrap());
        let off = got.each_ref().map(|of| (of.position().y - at - of.radius()).abs());
        let slack = 8.0 * f64::EPSILON * (at.abs() + radius);
        assert!(off.iter().all(|off| *off <= slack), "case {case}: sunk or risen by {off:?}");
        for (of, speed) in got.iter().zip([speed, crosses]) {
            let changed = of.velocity() - DVec2::new(speed, 0.0);
            assert!(changed.length() <= 1e-12, "case {case}: {changed}");
        }
    }
}
