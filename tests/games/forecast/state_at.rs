//! The state of a disc between its last event and the world's next one.

use super::plain;
use crate::common::by::By;
use crate::common::rng::{Rng, cases};
use crate::forces::scene::world;
use carom_engine::{DVec2, Disc, Physics, Settings, StopReason, Wall, World};

/// Compares states with those of a clone that is advanced; returns how many.
fn check<P: Physics>(world: &mut World<P>, rng: &mut Rng, what: &str) -> usize {
    let (ids, now) = (world.ids().collect::<Vec<_>>(), world.now());
    let next = world.next_event().map(|next| next.time);
    let span = next.map_or(1.0, |next| next.since(now));
    let mut compared = 0;
    for id in ids {
        let stored = world.get(id).unwrap().state_time();
        let ahead = world.clock().after(now, rng.range(0.0, span));
        for time in [now, ahead] {
            let mut then = world.clone();
            then.advance_to(time).unwrap();
            if next.is_some_and(|next| time >= next) {
                continue;
            }
            let (state, disc) = (world.state_at(id, time).unwrap(), then.get(id).unwrap());
            assert_eq!(state.position, disc.position(), "{what}, {id:?}");
            assert_eq!((state.velocity, state.extra), (disc.velocity(), disc.extra()), "{what}, {id:?}");
            compared += 1;
        }
        // Before the present: by the same formula, to the last event.
        let age = now.since(stored);
        let past = world.clock().after(stored, rng.range(0.0, age)).min(now);
        let state = world.state_at(id, past).unwrap();
        let expected = world.get(id).unwrap().position() - state.velocity * now.since(past);
        if !P::ACCELERATED && world.settings().drag == 0.0 {
            assert!((state.position - expected).length() < 1e-13, "{what}, {id:?}");
        }
        if let Some(beyond) = next.map(|next| world.clock().after(next, 1e-3)) {
            assert!(world.state_at(id, beyond).is_err(), "{what}, {id:?}");
        }
        if stored.as_secs() > 0.0 {
            let before = world.clock().at(0.5 * stored.as_secs());
            assert!(world.state_at(id, before).is_err(), "{what}, {id:?}");
        }
    }
    compared
}

/// Advances in two steps, and compares states at the end of the first with those that were there then.
fn check_past<P: Physics>(world: &mut World<P>, rng: &mut Rng, what: &str) -> usize {
    let then = world.clock().after(world.now(), rng.range(0.0, 0.5));
    if world.advance_to(then).unwrap().end != StopReason::Reached {
        // Its budget has ended before.
        return 0;
    }
    let seen: Vec<_> = world.discs().collect();
    world.advance(rng.range(0.0, 0.3)).unwrap();
    let mut compared = 0;
    for (id, disc) in seen {
        if world.get(id).unwrap().state_time() <= then {
            let state = world.state_at(id, then).unwrap();
            assert_eq!((state.position, state.velocity), (disc.position, disc.velocity), "{what}, {id:?}");
            compared += 1;
        }
    }
    compared
}

/// At the time of the next event the state is that before it.
#[test]
fn a_state_at_the_next_event_is_that_before_it() {
    let mut world = World::new();
    world.add_wall(Wall::half_plane([0.0, 0.0], [1.0, 0.0])).unwrap();
    let id = world.insert(Disc::new([3.0, 0.0], 1.0).with_velocity([-2.0, 1.0])).unwrap();
    let next = world.next_event().unwrap().time;
    let state = world.state_at(id, next).unwrap();
    assert_eq!((next.as_secs(), state.position, state.velocity), (1.0, DVec2::ONE, DVec2::new(-2.0, 1.0)));
    world.advance_to(next).unwrap();
    assert_eq!(world.state_at(id, next).map(|state| state.velocity), Ok(DVec2::new(2.0, 1.0)));
}

fn smooth(by: By, seed: u64, drag: f64) -> usize {
    let mut rng = Rng::new(seed);
    let mut world = plain(by, &mut rng, Settings::default().with_budget(300).with_drag(drag), 1.0);
    let what = format!("seed {seed}, drag {drag}");
    check(&mut world, &mut rng, &what) + check_past(&mut world, &mut rng, &what)
}

#[test]
fn states_are_those_of_a_world_that_is_advanced() {
    let mut compared = 0;
    for seed in 0..cases(60) {
        for drag in [0.0, 0.8] {
            compared += smooth(By::Table, seed, drag) + smooth(By::Grid, seed, drag);
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn states_on_bent_paths_are_those_of_a_world_that_is_advanced() {
    let mut compared = 0;
    for seed in 0..cases(40) {
        let mut world = world(seed, 8);
        let mut rng = Rng::new(seed);
        world.advance(rng.range(0.0, 3.0)).unwrap();
        compared += check(&mut world, &mut rng, &format!("seed {seed}"));
        compared += check_past(&mut world, &mut rng, &format!("seed {seed}"));
    }
    assert!(compared > 400, "{compared}");
}
