//! Tables for one shot or one impact.

use carom_billiards::{
    Ball, BallState, Billiards, Coefficients, CushionModel, Game, Layout, PairModel, Rack, Table,
};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, DiscId, StopReason};

/// A table so large that nothing reaches its cushions.
pub(crate) fn plain(pair: PairModel) -> Table {
    let physics = Billiards { pair, ..Billiards::default() };
    Table { width: 100.0, length: 100.0, physics, ..Table::carom_10ft() }
}

pub(crate) fn with_cushion(cushion: CushionModel) -> Table {
    let physics = Billiards { cushion, ..Billiards::default() };
    Table { width: 100.0, length: 100.0, physics, ..Table::carom_10ft() }
}

/// A ball of 1 kg without losses at others.
pub(crate) fn ideal() -> Ball {
    let coefficients = Coefficients { restitution: 1.0, ..Coefficients::POOL };
    Ball { coefficients, ..Ball::POOL }
}

pub(crate) fn one(table: &Table, ball: Ball, at: [f64; 2]) -> Game {
    Layout::new().with(Layout::CUE, ball, at).build(table).unwrap()
}

/// Balls of a table by label and place.
pub(crate) fn lay<L, P>(table: &Table, balls: impl IntoIterator<Item = (L, P)>) -> Layout
where
    L: Into<String>,
    P: Into<DVec2>,
{
    balls.into_iter().fold(Layout::new(), |layout, (label, at)| layout.with(label, table.ball, at))
}

/// A rack with gaps of this size, set up by a seed.
pub(crate) fn racked(rack: Rack, gap: f64, table: &Table, seed: u64) -> Game {
    rack.with_gap(gap).unwrap().place(table, seed).unwrap().build(table).unwrap()
}

pub(crate) fn disc(game: &Game, label: &str) -> DiscId {
    game.discs()[game.index_of(label).unwrap()]
}

/// Sets a ball in motion.
pub(crate) fn throw(game: &mut Game, label: &str, velocity: DVec2, state: BallState) {
    let id = disc(game, label);
    game.world_mut().set_extra(id, state).unwrap();
    game.world_mut().set_velocity(id, velocity).unwrap();
}

pub(crate) fn spinning(x: f64, y: f64, z: f64) -> BallState {
    BallState::turning(DVec3::new(x, y, z))
}

/// Position, velocity and angular velocity of a ball, at the present.
pub(crate) fn now(game: &Game, label: &str) -> (DVec2, DVec2, DVec3) {
    let ball = game.world().get(disc(game, label)).unwrap();
    let spin = ball.extra().angular_velocity(ball.radius(), ball.velocity());
    (ball.position(), ball.velocity(), spin)
}

/// Runs until an impact has happened, and stops there.
pub(crate) fn until_impact(game: &mut Game) {
    let world = game.world_mut();
    let ended = world.advance_until_event(1000.0, |event| event.impact().is_some()).unwrap();
    assert_eq!(ended.end, StopReason::Stopped);
}

pub(crate) fn assert_near(found: f64, expected: f64, off: f64) {
    assert!((found - expected).abs() <= off, "{found} is not {expected} to {off}");
}
