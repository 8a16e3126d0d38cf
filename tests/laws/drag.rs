//! The laws in worlds with drag, which run on a clock that slows down.

use crate::common::record::{Seen, assert_same, note};
use crate::common::rng::{Rng, cases};
use crate::common::stored::advance_with_loaded;
use carom_engine::{DVec2, Disc, Settings, Smooth, Wall, World};

/// In some seconds the clock is renewed never, at times, and all the time.
const RATES: [f64; 4] = [0.3, 3.0, 20.0, 300.0];

/// A room of discs that are kicked now and then.
fn kicked<W>(mut advance: impl FnMut(World, f64) -> (World, W), seed: u64) -> Vec<W> {
    let mut rng = Rng::new(seed);
    let settings = Settings::default().with_drag(rng.pick(&RATES)).with_start(rng.pick(&[0.0, 77.7]));
    let mut world = World::with_settings(settings).unwrap();
    world.add_wall(Wall::container([-6.0, -6.0], [6.0, 6.0]).with_restitution(0.9)).unwrap();
    while world.len() < 20 {
        let disc = Disc::new(rng.vector(5.0), rng.range(0.2, 0.6)).with_velocity(rng.vector(40.0));
        let _ = world.insert(disc.with_restitution(rng.pick(&[1.0, 0.5])));
    }
    let mut seen = Vec::new();
    for _ in 0..12 {
        for id in world.ids().collect::<Vec<_>>() {
            if rng.chance(30) {
                world.set_velocity(id, rng.vector(40.0)).unwrap();
            }
        }
        let (next, what) = advance(world, rng.pick(&[0.01, 0.1, 1.0, 30.0]));
        world = next;
        seen.push(what);
    }
    seen
}

fn seen_in(world: &World) -> Vec<Seen> {
    let mut seen = vec![Seen::edit(world.ledger())];
    note(&mut seen, world.events(), world);
    seen
}

fn advanced(mut world: World, dt: f64) -> (World, Vec<Seen>) {
    world.advance(dt).unwrap();
    let seen = seen_in(&world);
    (world, seen)
}

/// A clone, and one that overwrites another world, go on as the world itself.
#[test]
fn clones_go_on_with_the_same_bits() {
    for seed in 71_000..71_000 + cases(20) {
        let mut other = World::new();
        let cloned = |world: World, dt| {
            other.clone_from(&world);
            advanced(other.clone(), dt)
        };
        assert_same(&kicked(advanced, seed).concat(), &kicked(cloned, seed).concat(), &format!("{seed}"));
    }
}

#[test]
fn snapshots_go_on_with_the_same_bits() {
    for seed in 72_000..72_000 + cases(20) {
        let saved = |mut world: World, dt: f64| {
            // In the middle of the call, with velocities on the slow clock, and what drag has taken.
            advance_with_loaded(&mut world, 0.4 * dt, &format!("{seed}"));
            advance_with_loaded(&mut world, 0.6 * dt, &format!("{seed}"));
            (world, ())
        };
        kicked(saved, seed);
    }
}

#[test]
fn snapshots_that_contradict_themselves_are_refused() {
    use serde_json::{Value, json};

    let mut world = World::with_settings(Settings::default().with_drag(1.0)).unwrap();
    world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([1.0, 0.0])).unwrap();
    let at_start = serde_json::to_value(&world).unwrap();
    world.advance(2.0).unwrap();
    let later = serde_json::to_value(&world).unwrap();
    for (saved, place, value, part) in [
        (&at_start, "/settings/drag", json!(0.0), "drag is there, allowed is null without a rate"),
        (&later, "/settings/drag", json!(-1.0), "settings.drag is -1"),
        (&later, "/drag", Value::Null, "drag is null"),
        (&later, "/drag/half_life", json!(1_u64 << 61), "drag.half_life"),
        (&later, "/drag/half_life", json!(3), "drag.now"),
        (&later, "/drag/energy/share", json!("x"), "expected"),
        (&later, "/now/epoch_start", json!(1.0), "now is 1 "),
        (&later, "/growth/rate", json!(0.5), "growth.rate is 0.5, allowed is 0 beside drag"),
    ] {
        let mut changed = saved.clone();
        *changed.pointer_mut(place).unwrap_or_else(|| panic!("{place} in {saved}")) = value;
        let refused = serde_json::from_value::<World>(changed).unwrap_err().to_string();
        assert!(refused.contains(part), "{place}: {refused}");
    }
    for saved in [at_start, later] {
        assert!(serde_json::from_value::<World>(saved).is_ok());
    }
}

/// What is a mirror image of another world about an axis through the origin stays one to the last bit.
#[test]
fn mirrored_worlds_stay_mirrored() {
    let mirrors: [fn(DVec2) -> DVec2; 3] =
        [|p| DVec2::new(-p.x, p.y), |p| DVec2::new(p.x, -p.y), |p| DVec2::new(p.y, p.x)];
    for seed in 73_000..73_000 + cases(40) {
        let mut rng = Rng::new(seed);
        let rate = rng.pick(&RATES);
        let settings = Settings::default().with_drag(rate);
        let mirror = rng.pick(&mirrors);
        let mut worlds: [World<Smooth>; 2] =
            core::array::from_fn(|_| World::with_settings(settings.clone()).unwrap());
        let room = Wall::container([-8.0, -8.0], [8.0, 8.0]).with_restitution(0.8);
        worlds.iter_mut().for_each(|world| _ = world.add_wall(room.clone()).unwrap());
        while worlds[0].len() < 16 {
            let (position, velocity) = (rng.vector(7.0).round(), rng.vector(90.0).round());
            let disc = Disc::new(position, 0.75).with_velocity(velocity).with_restitution(0.9);
            let mut image = disc;
            (image.position, image.velocity) = (mirror(position), mirror(velocity));
            assert_eq!(worlds[0].insert(disc).is_ok(), worlds[1].insert(image).is_ok());
        }
        for _ in 0..20 {
            let dt = rng.pick(&[0.01, 0.1, 0.5]);
            worlds.iter_mut().for_each(|world| _ = world.advance(dt).unwrap());
            for ((_, disc), (_, image)) in worlds[0].discs().zip(worlds[1].discs()) {
                assert_eq!((image.position, image.velocity), (mirror(disc.position), mirror(disc.velocity)));
            }
        }
    }
}

/// The time of the next event is exact to the last bit, however many half-lives away, and it does come.
#[test]
fn predicted_events_happen() {
    let mut at_late_times = 0;
    for seed in 74_000..74_000 + cases(20) {
        let predicted = |mut world: World, dt: f64| {
            let until = world.clock().after(world.now(), dt);
            while let Some(next) = world.next_event().filter(|next| next.time <= until) {
                let before = world.now();
                let step = world.step_event();
                assert_eq!((step.time, step.events, world.now()), (next.time, 1, next.time));
                assert!(next.time >= before);
                at_late_times += u32::from(next.time.since(before) > 1.0);
            }
            assert_eq!(world.advance_to(until).unwrap().events, 0);
            world.assert_well_formed();
            (world, ())
        };
        kicked(predicted, seed);
    }
    assert!(at_late_times > 5, "{at_late_times}");
}

/// A disc goes v/k before it stands still: what is farther away is never reached, and the table says so.
#[test]
fn the_table_has_no_time_for_what_drag_does_not_let_happen() {
    let mut world = World::with_settings(Settings::default().with_drag(2.0)).unwrap();
    let [a, b] = [0.0, 6.0].map(|x| world.insert(Disc::new([x, 0.0], 1.0)).unwrap());
    for (speed, is_reached) in [(7.99, false), (8.01, true), (1e-300, false)] {
        world.set_velocity(a, [speed, 0.0]).unwrap();
        let next = world.next_event();
        let entry = world.table_entry(a, b).unwrap().unwrap();
        assert_eq!((next.is_some(), !entry.is_never()), (is_reached, is_reached), "{speed}");
        assert!(next.is_none_or(|next| next.time == entry));
    }
}
