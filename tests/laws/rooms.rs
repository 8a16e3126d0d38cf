//! Rooms with round ends are closed: discs that slide or land on walls pass every joint of them.

use carom_engine::{DVec2, Disc, Event, Sink, Smooth, StopReason, Turn, Wall, World};
use carom_testkit::at as v;
use core::ops::ControlFlow;

/// How far a centre is outside the places that a stadium about the origin leaves it, given the radius of its
/// ends.
fn outside_stadium(at: DVec2, half_length: f64, room: f64) -> f64 {
    DVec2::new((at.x.abs() - half_length).max(0.0), at.y).length() - room
}

/// A disc that slides exactly along the straight of a stadium goes round its ends, and so does a plastic
/// point that lands on it.
#[test]
fn a_slide_along_a_straight_goes_on_round_the_bend() {
    let sliding = Disc::new(v(0., 0.375), 0.125).with_velocity(v(1., 0.));
    let landing = Disc::new(v(0., 0.), 0.0).with_velocity(v(0.5, 1.)).with_restitution(0.);
    for (disc, lands, speed, error) in [(sliding, 0.0, 1.0, 1e-15), (landing, 0.5, 0.5, 1e-12)] {
        let mut w = World::new();
        w.add_wall(Wall::stadium(v(0., 0.), 0.5, 0.5)).unwrap();
        let id = w.insert(disc).unwrap();
        w.advance(lands).unwrap();
        for _ in 0..300 {
            let end = w.advance(0.1).unwrap();
            assert_eq!(end.end, StopReason::Reached);
            let now = w.get(id).unwrap();
            let outside = outside_stadium(now.position(), 0.5, 0.5 - disc.radius);
            assert!(outside < 1e-15 && outside > -1e-6, "{disc:?} is at {}, {outside:e}", now.position());
            assert!((now.velocity().length() - speed).abs() < error, "{disc:?} at {}", now.velocity());
        }
        // 30 s at speed 1 are 6.8 rounds, each with two half circles: where it enters one there may be an
        // impact of approach 0.
        let (rounds, counters) = (7.0 * speed, w.counters());
        assert!((counters.slides as f64) < rounds * 4600.0, "{counters:?}");
        assert!(counters.wall_impacts as f64 <= 2.0 * rounds, "{counters:?}");
    }
}

/// The plastic disc that lands on the straight, and the table corner of a segment, a quarter arc and a
/// segment.
#[test]
fn a_plastic_disc_that_lands_and_a_corner_of_a_table() {
    let mut w = World::new();
    w.add_wall(Wall::stadium(v(0., 0.), 1.0, 0.7)).unwrap();
    let id = w.insert(Disc::new(v(0., 0.), 0.125).with_velocity(v(1., 1.)).with_restitution(0.)).unwrap();
    w.advance(30.0).unwrap();
    let outside = outside_stadium(w.get(id).unwrap().position(), 1.0, 0.575);
    assert!(outside < 1e-15 && outside > -1e-6, "{outside:e}");

    let mut w = World::new();
    w.add_wall(Wall::segment(v(0., 1.), v(2., 1.))).unwrap();
    w.add_wall(Wall::arc(v(2., 0.), 1.0, 0.0, core::f64::consts::FRAC_PI_2)).unwrap();
    w.add_wall(Wall::segment(v(3., 0.), v(3., -9.))).unwrap();
    let id = w.insert(Disc::new(v(0., 0.875), 0.125).with_velocity(v(1., 0.))).unwrap();
    w.advance(4.0).unwrap();
    let at = w.get(id).unwrap().position();
    assert!((at.x - 2.875).abs() < 1e-6 && at.y < 0.0, "{at}");
}

/// What does not bounce slides round a round room: 10⁷ impacts in 5 s without that, here one and at most 2300
/// chords a turn.
#[test]
fn a_plastic_disc_slides_round_a_round_room() {
    let mut w = World::new();
    w.add_wall(Wall::circle(v(0., 0.), 10.0)).unwrap();
    let id = w.insert(Disc::new(v(3., 0.), 0.5).with_velocity(v(0.6, 0.588)).with_restitution(0.)).unwrap();
    w.advance(5000.0).unwrap();
    let turns = 5000.0 * 0.84 / (core::f64::consts::TAU * 9.5);
    let counters = w.counters();
    assert_eq!(counters.wall_impacts, 1);
    assert!(counters.slides > 0 && (counters.slides as f64) < 2300.0 * turns, "{counters:?}");
    let outside = w.get(id).unwrap().position().length() - 9.5;
    assert!(outside < 1e-14 && outside > -9.5e-6, "{outside:e}");
}

/// A sink is given each chord of a slide with the state that is stored then: the disc is on it until the
/// next.
#[test]
fn sinks_are_given_the_chords_of_slides() {
    #[derive(Default)]
    struct Turns(Vec<Turn>);
    impl Sink<Smooth> for Turns {
        fn event(&mut self, _: &Event) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
        fn turn(&mut self, turn: &Turn) {
            self.0.push(*turn);
        }
    }
    let mut w = World::new();
    w.add_wall(Wall::stadium(v(0., 0.), 0.5, 0.5)).unwrap();
    let id = w.insert(Disc::new(v(0., 0.375), 0.125).with_velocity(v(1., 0.))).unwrap();
    let mut turns = Turns::default();
    for _ in 0..200 {
        w.advance_with(0.0171, &mut turns).unwrap();
        let (Some(last), disc) = (turns.0.last(), w.get(id).unwrap()) else { continue };
        assert_eq!((last.disc, last.velocity), (id, disc.velocity()));
        let expected = last.position + last.velocity * w.now().since(last.time);
        assert!((disc.position() - expected).length() < 1e-15, "{expected} {}", disc.position());
    }
    assert_eq!(turns.0.len() as u64, w.counters().slides);
    assert!(turns.0.len() > 1000);
}
