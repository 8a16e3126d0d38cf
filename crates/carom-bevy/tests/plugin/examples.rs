//! The examples play the same game in frames of any length, and something happens in them.

#[path = "../../examples/air_hockey.rs"]
mod air_hockey;
#[path = "../../examples/asteroids.rs"]
mod asteroids;
#[path = "../../examples/billiards.rs"]
mod billiards;
#[path = "../../examples/breakout.rs"]
mod breakout;
#[path = "../../examples/gas.rs"]
mod gas;
#[path = "../../examples/merge.rs"]
mod merge;
#[path = "../../examples/rollback.rs"]
mod rollback;

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

#[test]
fn asteroids_is_the_same_game_in_all_frames() {
    let games = [8_000, 16_000, 40_000].map(|micros| play::<asteroids::Score>(asteroids::game(), 24, micros));
    assert_eq!((&games[0], &games[0]), (&games[1], &games[2]));
    assert!(games[0].0.hits > 8, "{:?}", games[0].0);
}

#[test]
fn merge_is_the_same_game_in_all_frames() {
    let games = [8_000, 16_000, 40_000].map(|micros| play::<merge::Score>(merge::game(), 8, micros));
    assert_eq!((&games[0], &games[0]), (&games[1], &games[2]));
    let merge::Score { dropped, merged } = games[0].0;
    assert!(dropped == 16 && merged > 4, "{dropped} {merged}");
}

#[test]
fn a_break_is_the_same_in_all_frames() {
    let breaks = [8_000, 16_000, 40_000].map(|micros| play::<billiards::Break>(billiards::game(), 8, micros));
    assert_eq!((&breaks[0], &breaks[0]), (&breaks[1], &breaks[2]));
    assert!(breaks[0].0.impacts > 40, "{:?}", breaks[0].0);
}

/// In equilibrium speeds are distributed as of Maxwell, for which ⟨v⁴⟩ = 2 ⟨v²⟩² in the plane: within four
/// standard errors, 4 √(20/N) of 10⁴ discs, as the variance of (v²/⟨v²⟩)² is 4! − 2² = 20.
#[test]
fn a_gas_comes_to_equilibrium() {
    let (speeds, _) = play::<gas::Speeds>(gas::game(), 1, 40_000);
    assert!((speeds.ratio - 2.0).abs() < 4.0 * (20.0_f64 / 1e4).sqrt(), "{speeds:?}");
}

#[test]
fn peers_agree_by_rollback() {
    let sums = [0, 1].map(|own| {
        let mut app = rollback::game(own);
        app.finish();
        app.cleanup();
        app.update();
        (0..300).for_each(|_| frame(&mut app, 20_000));
        let peer = app.world().resource::<rollback::Peer>();
        assert!(peer.rolled > 40, "{}", peer.rolled);
        peer.sums()
    });
    assert!(sums[0].len() > 290 - rollback::LATE, "{}", sums[0].len());
    assert_eq!(sums[0], sums[1]);
}
