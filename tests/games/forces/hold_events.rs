//! The events of held contacts: when they come, that they alternate, and what edits do to them.

use super::scene::{KINDS, heap, under, world};
use crate::common::rng::{Rng, cases};
use carom_engine::{DVec2, Disc, DiscId, Event, Forces, Hold, Partner, Standstill, StopReason, Wall, World};
use std::collections::HashSet;

type Pair = (DiscId, Partner);

/// The contacts that are held, as events have it.
#[derive(Default)]
struct Reported {
    held: HashSet<Pair>,
    begun: u32,
    ended: u32,
}

impl Reported {
    /// Checks that what begins was not held, and that what ends was.
    fn take(&mut self, event: &Event<Standstill>) {
        match event {
            Event::Held(hold) => {
                self.begun += 1;
                assert!(self.held.insert((hold.a, hold.b)), "{event} a second time");
            }
            Event::LetGo(hold) => {
                self.ended += 1;
                assert!(self.held.remove(&(hold.a, hold.b)), "{event}, which was not held");
            }
            _ => {}
        }
    }

    fn assert_is_of(&self, world: &World<Forces>, what: &str) {
        let held = |id| world.held_to(id).map(move |with| (id, with));
        let all: HashSet<Pair> = world.ids().flat_map(held).collect();
        // A pair of discs stands with both.
        let mirrored = |&(a, b): &Pair| b.disc().map(|b| (b, Partner::Disc(a)));
        let reported: HashSet<Pair> =
            self.held.iter().copied().chain(self.held.iter().filter_map(mirrored)).collect();
        assert_eq!(reported, all, "{what}");
    }
}

fn gravity(g: f64) -> Forces {
    Forces::new().with_gravity([0.0, -g]).unwrap()
}

fn on_a_floor(e: f64) -> (World<Forces>, DiscId) {
    let mut world = under([0.0, -9.81]);
    world.add_wall(Wall::half_plane([0.0, 0.0], [0.0, 1.0]).with_restitution(e)).unwrap();
    let ball = world.insert(Disc::new([0.0, 1.5], 0.5).with_restitution(e)).unwrap();
    (world, ball)
}

fn holds_of(world: &World<Forces>) -> Vec<(bool, Hold)> {
    let of = |event: &Event<Standstill>| match event {
        Event::Held(hold) => Some((true, *hold)),
        Event::LetGo(hold) => Some((false, *hold)),
        _ => None,
    };
    world.events().iter().filter_map(of).collect()
}

/// A ball that falls from 1 m comes to rest at √(2h/g) (1 + e)/(1 − e), the sum of its bounces.
#[test]
fn a_ball_is_held_when_its_bounces_end() {
    for e in [0.0, 0.5, 0.9] {
        let (mut world, ball) = on_a_floor(e);
        world.advance(100.0).unwrap();
        let [(true, hold)] = holds_of(&world)[..] else { panic!("e = {e}: {:?}", holds_of(&world)) };
        let expected = (2.0_f64 / 9.81).sqrt() * (1.0 + e) / (1.0 - e);
        assert!((hold.time.as_secs() - expected).abs() < 1e-6, "e = {e}: {hold:?}, not {expected}");
        assert_eq!((hold.a, hold.normal), (ball, DVec2::NEG_Y));
        assert!(hold.b.wall().is_some() && hold.point.length() < 1e-12, "{hold:?}");
        assert_eq!(world.events().last().map(Event::time), Some(hold.time));
    }
}

/// What holds a ball is removed: the next call reports that it is let go, at the time of the edit. So it is
/// if the world was asked for its next event in between, or the ball is removed.
#[test]
fn what_an_edit_ends_is_reported_by_the_next_call() {
    for k in 0..6 {
        let (mut world, ball) = on_a_floor(0.0);
        world.advance(10.0).unwrap();
        let floor = world.walls().next().unwrap().0;
        match k % 3 {
            0 => drop(world.remove_wall(floor).unwrap()),
            1 => drop(world.remove(ball).unwrap()),
            _ => world.set_position(ball, [0.0, 1.0]).unwrap(),
        }
        if k > 2 {
            world.next_event();
        }
        world.advance(0.0).unwrap();
        let [(false, hold)] = holds_of(&world)[..] else { panic!("{k}: {:?}", holds_of(&world)) };
        assert_eq!((hold.a, hold.b), (ball, Partner::Wall { wall: floor, part: 0 }), "{k}");
        assert_eq!((hold.time, hold.normal), (world.now(), DVec2::NEG_Y), "{k}");
        world.advance(0.0).unwrap();
        assert!(world.events().is_empty());
    }
}

/// Edits after which a ball is held as before are no events; nor is what one takes back, or what is seen by
/// a call without a sink.
#[test]
fn what_an_edit_leaves_as_it_was_is_not_reported() {
    let (mut world, ball) = on_a_floor(0.0);
    world.advance(10.0).unwrap();
    let resting = world.get(ball).unwrap().position();
    world.set_physics(gravity(5.0)).unwrap();
    world.next_event();
    world.set_mass(ball, 3.0).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(holds_of(&world), []);
    world.set_position(ball, resting + DVec2::Y).unwrap();
    world.next_event();
    world.set_position(ball, resting).unwrap();
    world.advance(1.0).unwrap();
    assert_eq!(holds_of(&world), []);
    assert_eq!(world.held_to(ball).count(), 1);
    world.set_physics(Forces::new()).unwrap();
    world.advance(1.0).unwrap();
    assert!(matches!(holds_of(&world)[..], [(false, _)]));
    // A second ball is put beside it, on the floor.
    let other = world.insert(Disc::new(resting + DVec2::X, 0.5)).unwrap();
    world.set_physics(gravity(9.81)).unwrap();
    world.advance(1.0).unwrap();
    let parties: Vec<_> = holds_of(&world).iter().map(|&(begins, hold)| (begins, hold.a)).collect();
    assert_eq!(parties, [(true, ball), (true, other)]);
}

/// A sink may stop a run at such an event.
#[test]
fn a_run_can_stop_where_a_ball_is_held() {
    let (mut world, _) = on_a_floor(0.5);
    let ended = world.advance_until_event(100.0, |event| matches!(event, Event::Held(_))).unwrap();
    assert_eq!(ended.end, StopReason::Stopped);
    assert!((ended.time.as_secs() - 3.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-6);
}

/// For each pair the two events alternate, and what they report is what is held: in random worlds, with edits
/// between calls.
#[test]
fn beginnings_and_ends_alternate() {
    let (mut begun, mut ended) = (0, 0);
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed ^ 0x401d);
        let mut reported = Reported::default();
        let mut world = match seed % 3 {
            0 => heap(seed, 7, 0.5),
            1 => heap(seed, 3, 0.2),
            _ => world(seed, KINDS[4], 12),
        };
        for step in 0..40 {
            world.advance_with(rng.range(0.0, 1.5), &mut |event: &Event<_>| reported.take(event)).unwrap();
            let what = format!("seed {seed}, step {step}");
            reported.assert_is_of(&world, &what);
            let ids: Vec<_> = world.ids().collect();
            let id = rng.pick(&ids);
            match rng.below(8) {
                0 => world.set_velocity(id, rng.vector(3.0)).unwrap(),
                1 => world.set_mass(id, rng.range(0.2, 5.0)).unwrap(),
                2 if ids.len() > 2 => drop(world.remove(id).unwrap()),
                3 => world.set_physics(world.physics().with_gravity(rng.vector(2.0)).unwrap()).unwrap(),
                4 => _ = world.next_event(),
                5 if step > 30 && world.walls().count() > 0 => {
                    let wall = world.walls().next().unwrap().0;
                    drop(world.remove_wall(wall).unwrap());
                }
                _ => {}
            }
        }
        (begun, ended) = (begun + reported.begun, ended + reported.ended);
    }
    assert!(begun > 250 && ended > 250, "{begun} begun, {ended} ended");
}

/// What an edit has ended is in a snapshot until it is reported; and what is gone is no part of it.
#[test]
fn what_is_not_reported_yet_is_saved() {
    use crate::common::stored::FORMATS;
    for format in FORMATS {
        let (mut world, ball) = on_a_floor(0.0);
        world.advance(10.0).unwrap();
        world.remove(ball).unwrap();
        let mut loaded: World<Forces> = format.load(&format.save(&world)).unwrap();
        for world in [&mut world, &mut loaded] {
            world.advance(1.0).unwrap();
            assert!(matches!(holds_of(world)[..], [(false, Hold { a, .. })] if a == ball));
        }
    }
}
