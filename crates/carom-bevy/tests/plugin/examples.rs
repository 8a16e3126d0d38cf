//! The examples play the same game in frames of any length, and something happens in them.

#[path = "../../examples/air_hockey.rs"]
mod air_hockey;
#[path = "../../examples/breakout.rs"]
mod breakout;

use crate::frame;
use bevy_app::App;
use bevy_ecs::prelude::*;
use carom_bevy::{Position, Refused, Velocity};

/// Scores and places after a number of seconds, in frames of these microseconds.
fn play<S: Resource + Clone>(mut app: App, seconds: u64, micros: u64) -> (S, Vec<u64>) {
    app.finish();
    app.cleanup();
    app.update();
    for _ in 0..seconds * 1_000_000 / micros {
        frame(&mut app, micros);
        let refused = app.world_mut().resource_mut::<Messages<Refused>>().drain().collect::<Vec<_>>();
        assert!(refused.is_empty(), "{refused:?}");
    }
    let mut discs = app.world_mut().query::<(&Position, &Velocity)>();
    let bits = discs.iter(app.world()).flat_map(|(at, v)| [at.0.x.to_bits(), v.0.y.to_bits()]).collect();
    (app.world().resource::<S>().clone(), bits)
}

#[test]
fn breakout_is_the_same_game_in_all_frames() {
    let games = [8_000, 16_000, 40_000].map(|micros| play::<breakout::Score>(breakout::game(), 24, micros));
    assert_eq!((&games[0], &games[0]), (&games[1], &games[2]));
    assert!(games[0].0.bricks > 8, "{:?}", games[0].0);
}

#[test]
fn air_hockey_is_the_same_game_in_all_frames() {
    let games =
        [8_000, 16_000, 40_000].map(|micros| play::<air_hockey::Score>(air_hockey::game(), 24, micros));
    assert_eq!((&games[0], &games[0]), (&games[1], &games[2]));
    assert!(games[0].0.0.iter().sum::<u32>() > 0, "{:?}", games[0].0);
}
