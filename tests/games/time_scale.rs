//! Slow motion, fast motion and pause. That a scale multiplies the time that passes, to the last bit, and is
//! kept by clones and snapshots, random games show (`crates/carom-fuzz/tests/games.rs`).

use crate::common::record::state_bits;
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

#[test]
fn a_bad_scale_of_a_saved_world_is_refused() {
    let saved = serde_json::to_string(&room(0.125)).unwrap();
    let bad = saved.replace("\"time_scale\":0.125", "\"time_scale\":-1.0");
    assert!(bad != saved);
    let error = serde_json::from_str::<World>(&bad).unwrap_err().to_string();
    assert!(error.contains("time_scale is -1"), "{error}");
}
