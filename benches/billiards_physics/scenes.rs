//! One impact, one cushion, one path: what is measured on the engine.

use carom::DVec2;
use carom_billiards::{
    Ball, BallState, Billiards, CushionModel, Error, Game, Layout, Motion, PairModel, Shot, Table,
};

pub(crate) const BALL: Ball = Ball::POOL;

/// A table so large that nothing reaches its cushions.
pub(crate) fn wide(physics: Billiards) -> Table {
    // Without pockets, but with the nose that belongs to the balls of pool.
    Table { width: 100.0, length: 100.0, nose: Table::POOL_NOSE, physics, ..Table::carom_10ft() }
}

pub(crate) fn throw(game: &mut Game, velocity: DVec2, state: BallState) -> Result<(), Error> {
    let id = game.discs()[0];
    game.world_mut().set_extra(id, state)?;
    Ok(game.world_mut().set_velocity(id, velocity)?)
}

/// The velocities of both balls after a cut by an angle: the first moves along y, and the line of centres is
/// that far to the left of y; `until_rolling` as both roll, else after the impact.
pub(crate) fn cut(
    pair: PairModel,
    ball: Ball,
    angle: f64,
    velocity: f64,
    state: BallState,
    until_rolling: bool,
) -> Result<[DVec2; 2], Error> {
    let at = DVec2::splat(50.0);
    let other = at + DVec2::new(-angle.sin(), angle.cos()) * (2.0 * ball.radius) + DVec2::new(0.0, 1e-9);
    let layout = Layout::new().with(Layout::CUE, ball, at).with("1", ball, other);
    let mut game = layout.build(&wide(Billiards { pair, ..Billiards::default() }))?;
    throw(&mut game, DVec2::new(0.0, velocity), state)?;
    game.world_mut().advance_until_event(10.0, |event| event.impact().is_some())?;
    let slides = |game: &Game| {
        let balls = game.discs().iter().filter_map(|&id| game.world().get(id));
        balls.into_iter().any(|ball| ball.extra().motion(ball.radius(), ball.velocity()) == Motion::Sliding)
    };
    while until_rolling && slides(&game) {
        game.world_mut().step_event();
    }
    let velocity = |k: usize| game.world().get(game.discs()[k]).map_or(DVec2::NAN, |ball| ball.velocity());
    Ok([velocity(0), velocity(1)])
}

/// The velocity of a ball after a cushion: it comes at an angle to the normal, which is −x.
pub(crate) fn rebound(cushion: CushionModel, velocity: DVec2, state: BallState) -> Result<DVec2, Error> {
    let table = wide(Billiards { cushion, ..Billiards::default() });
    let mut game = Layout::new().with(Layout::CUE, BALL, [BALL.radius + 1e-9, 50.0]).build(&table)?;
    throw(&mut game, velocity, state)?;
    game.world_mut().advance_until_event(10.0, |event| event.impact().is_some())?;
    Ok(game.world().get(game.discs()[0]).map_or(DVec2::NAN, |ball| ball.velocity()))
}

/// Places, velocities and the speeds of a ball's edge after a stroke, at times.
pub(crate) fn path(shot: &Shot, times: &[f64]) -> Result<Vec<(DVec2, DVec2, f64)>, Error> {
    let at = DVec2::splat(50.0);
    let mut game = Layout::new().with(Layout::CUE, BALL, at).build(&wide(Billiards::default()))?;
    let strike = shot.strike(&BALL)?;
    throw(&mut game, strike.velocity, BallState::turning(strike.spin))?;
    let mut found = Vec::new();
    for &time in times {
        game.world_mut().advance_to(time)?;
        if let Some(ball) = game.world().get(game.discs()[0]) {
            let spin = ball.extra().angular_velocity(BALL.radius, ball.velocity());
            found.push((ball.position(), ball.velocity(), spin.truncate().length() * BALL.radius));
        }
    }
    Ok(found)
}
