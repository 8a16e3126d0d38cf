//! The state of a disc between its last event and the world's next one.

use crate::common::program::build;
use crate::common::rng::{Rng, cases};
use crate::scene::{KINDS, world};
use carom_engine::broadphase::{CellGrid, PairTable, Scheduler};
use carom_engine::{Physics, Settings, Smooth, World};

/// Compares states with those of a clone that is advanced; returns how many.
fn check<P: Physics, S: Scheduler>(world: &mut World<P, S>, rng: &mut Rng, what: &str) -> usize {
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

fn smooth<S: Scheduler>(seed: u64, drag: f64) -> usize {
    let mut rng = Rng::new(seed);
    let settings = Settings::default().with_budget(300).with_drag(drag);
    let mut world: World<Smooth, S> = World::with_physics(Smooth, settings).unwrap();
    build(&mut world, &mut rng, &mut Vec::new());
    world.advance(rng.range(0.0, 1.0)).unwrap();
    check(&mut world, &mut rng, &format!("seed {seed}, drag {drag}"))
}

#[test]
fn states_are_those_of_a_world_that_is_advanced() {
    let mut compared = 0;
    for seed in 0..cases(60) {
        for drag in [0.0, 0.8] {
            compared += smooth::<PairTable>(seed, drag) + smooth::<CellGrid>(seed, drag);
        }
    }
    assert!(compared > 2000, "{compared}");
}

#[test]
fn states_on_bent_paths_are_those_of_a_world_that_is_advanced() {
    let mut compared = 0;
    for seed in 0..cases(40) {
        let mut world = world::<PairTable>(seed, KINDS[seed as usize % KINDS.len()], 8);
        let mut rng = Rng::new(seed);
        world.advance(rng.range(0.0, 3.0)).unwrap();
        compared += check(&mut world, &mut rng, &format!("seed {seed}"));
    }
    assert!(compared > 400, "{compared}");
}
