//! Slow motion, fast motion and pause.

use crate::common::record::{event_bits, state_bits};
use carom_engine::{Command, DVec2, Disc, Error, Event, Settings, StopReason, Wall, World};

/// A room with a few discs, a timer and a command at times of the world.
fn room(scale: f64) -> World {
    let mut world = World::with_settings(Settings::default().with_time_scale(scale)).unwrap();
    world.add_wall(Wall::container([-3.0, -3.0], [3.0, 3.0])).unwrap();
    let discs = [([0.0, 0.0], [5.0, 1.3]), ([1.5, 0.3], [-2.0, 3.1]), ([-1.7, 1.0], [0.5, -4.0])];
    for (place, velocity) in discs {
        world.insert(Disc::new(place, 0.5).with_velocity(velocity)).unwrap();
    }
    let first = world.ids().next().unwrap();
    world.set_timer(0.7, 9).unwrap();
    world.command_at(0.9, Command::SetVelocity(first, DVec2::new(-3.0, 0.1))).unwrap();
    world
}

/// So many calls of `dt`, and the bits of all events and of the discs at the end.
fn play(mut world: World, dt: f64, calls: u32) -> (Vec<Vec<u64>>, Vec<u64>) {
    let mut events = Vec::new();
    for _ in 0..calls {
        assert_eq!(world.advance(dt).unwrap().end, StopReason::Reached);
        events.extend(world.events().iter().map(event_bits));
    }
    (events, state_bits(&world))
}

/// A second of a caller is `scale` seconds of the world, with its bits; timers and commands are at times of
/// the world.
#[test]
fn a_scale_multiplies_the_time_that_passes() {
    let plain = play(room(1.0), 1.0 / 64.0, 128);
    assert!(plain.0.len() > 5);
    for (scale, calls) in [(0.25, 512), (0.5, 256), (2.0, 64), (16.0, 8)] {
        assert!(play(room(scale), 1.0 / 64.0, calls) == plain, "{scale}");
    }
    // No power of two: as if the caller had multiplied, and rounded.
    let (scale, dt) = (0.3, 1.0 / 60.0);
    assert!(play(room(scale), dt, 400) == play(room(1.0), dt * scale, 400));
}

/// In all three ways to say how long, and not in `advance_to`, `set_timer`, or where an event is waited for.
#[test]
fn what_is_scaled() {
    let never = |_: &Event| false;
    for way in 0..4 {
        let mut world = room(0.5);
        match way {
            0 => world.advance(0.5).unwrap(),
            1 => world.advance_with(0.5, &mut |_: &Event| {}).unwrap(),
            2 => world.advance_until_event(0.5, never).unwrap(),
            _ => world.advance_to(0.25).unwrap(),
        };
        assert_eq!(world.now().as_secs(), 0.25, "{way}");
        world.set_timer(0.125, 1).unwrap();
        assert_eq!(world.timers().next().unwrap().1.as_secs(), 0.375);
    }
}

/// At 0 the world stands still, does what is due at the present, and goes on where it was.
#[test]
fn a_pause() {
    let mut world = room(1.0);
    world.advance(0.25).unwrap();
    let paused = world.clone();
    world.set_time_scale(0.0).unwrap();
    for dt in [0.0, 1.0, 1e300] {
        let advance = world.advance(dt).unwrap();
        assert_eq!((advance.end, advance.events, advance.time), (StopReason::Reached, 0, paused.now()));
    }
    world.set_timer(0.0, 5).unwrap();
    assert_eq!(world.advance(1.0).unwrap().events, 1);
    assert!(world.advance(-1.0).is_err() && world.advance(f64::NAN).is_err());
    let difference = world.diff(&paused).unwrap();
    assert_eq!(difference.field, "settings.time_scale");
    world.set_time_scale(1.0).unwrap();
    assert_eq!(state_bits(&world), state_bits(&paused));
}

/// With drag it is the true time that is scaled: slow motion is not less drag.
#[test]
fn drag_knows_no_scale() {
    let run = |scale: f64, calls: u32| {
        let settings = Settings::default().with_drag(0.5).with_time_scale(scale);
        let mut world = World::with_settings(settings).unwrap();
        let id = world.insert(Disc::new([0.0, 0.0], 0.5).with_velocity([3.0, 0.0])).unwrap();
        (0..calls).for_each(|_| _ = world.advance(0.25).unwrap());
        (world.now(), world.get(id).unwrap().position(), world.get(id).unwrap().velocity())
    };
    assert_eq!(run(1.0, 8), run(0.25, 32));
}

#[test]
fn bad_scales_are_refused() {
    let mut world = room(0.5);
    for bad in [-1.0, -1e-300, 1.1e15, f64::INFINITY, f64::NAN] {
        let refused = [
            world.set_time_scale(bad).unwrap_err(),
            World::with_settings(Settings::default().with_time_scale(bad)).map(drop).unwrap_err(),
        ];
        for error in refused {
            let Error::OutOfRange { field: "time_scale", value, .. } = error else { panic!("{error:?}") };
            assert_eq!(value.to_bits(), bad.to_bits());
        }
    }
    assert_eq!(world.settings().time_scale, 0.5);
    // A time that the scale takes beyond the horizon of the clock is refused as a long one is.
    world.set_time_scale(1e15).unwrap();
    let before = state_bits(&world);
    for dt in [1e3, 1e300] {
        assert!(matches!(world.advance(dt), Err(Error::Inconsistent { field: "dt", .. })), "{dt}");
    }
    assert_eq!(state_bits(&world), before);
}

/// Clones and saved worlds keep it.
#[test]
fn it_is_kept() {
    let mut world = room(0.125);
    world.advance(1.0).unwrap();
    let saved = serde_json::to_string(&world).unwrap();
    let mut loaded: World = serde_json::from_str(&saved).unwrap();
    let mut clone = world.clone();
    for other in [&mut loaded, &mut clone] {
        assert_eq!(other.diff(&world), None);
        other.advance(1.0).unwrap();
        assert_eq!(other.now().as_secs(), 0.25);
    }
    let bad = saved.replace("\"time_scale\":0.125", "\"time_scale\":-1.0");
    assert!(bad != saved);
    let error = serde_json::from_str::<World>(&bad).unwrap_err().to_string();
    assert!(error.contains("time_scale is -1"), "{error}");
}
