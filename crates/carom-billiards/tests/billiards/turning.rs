//! How balls turn along their paths.

use crate::support::{ideal, one, spinning, throw};
use carom_billiards::{Ball, BallState, PairModel, Scene, Shot, Table, Turning};
use carom_engine::DVec2;
use carom_engine::glam::{DQuat, DVec3};

fn assert_turned(found: DQuat, expected: DQuat, off: f64) {
    // A quaternion and its negative are the same turn.
    let apart = (found - expected).length().min((found + expected).length());
    assert!(apart < off, "{found} is not {expected}");
}

/// Law: a ball that rolls straight turns by the length of its way over its radius about the level axis across
/// it; one that spins in its place by the integral of a rate that falls evenly. Both axes stay, so the
/// integration is exact.
#[test]
fn balls_that_keep_their_axis_turn_by_closed_forms() {
    let table = Table { width: 100.0, length: 100.0, ..Table::carom_10ft() };
    let gravity = table.physics.gravity;
    let mut game = one(&table, ideal(), [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::new(0.6, 0.8), BallState::rolling());
    let recording = game.record_until(None, f64::INFINITY).unwrap();
    let ball = ideal();
    let mut turning = Turning::new(&recording.paths[0], &ball, gravity);
    for time in [0.0, 0.013, 0.5, 3.0, 50.0] {
        let slows = 0.01 * gravity;
        let t = f64::min(time, 1.0 / slows);
        let way = t - 0.5 * slows * t * t;
        let axis = DVec3::new(-0.8, 0.6, 0.0);
        let angle = way / Ball::POOL.radius;
        assert_turned(turning.at(time), DQuat::from_axis_angle(axis, angle), 1e-10);
    }
    let mut game = one(&table, ideal(), [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::ZERO, spinning(0.0, 0.0, -40.0));
    let recording = game.record_until(None, f64::INFINITY).unwrap();
    let falls = 2.5 * ball.coefficients.spinning * gravity / ball.radius;
    let rest = 40.0 / falls;
    let mut turning = Turning::new(&recording.paths[0], &ball, gravity);
    let half = 40.0 * 0.5 * rest - 0.5 * falls * (0.5 * rest) * (0.5 * rest);
    assert_turned(turning.at(0.5 * rest), DQuat::from_rotation_z(-half), 1e-10);
    assert_turned(turning.at(rest + 1.0), DQuat::from_rotation_z(-20.0 * rest), 1e-10);
}

/// Law: how a ball has turned does not depend on how often one looks, except for the error of the steps; and
/// many short turns by the angular velocity in their middle come to the same, where the axis wanders: a
/// massé.
#[test]
fn a_wandering_axis_is_followed() {
    let scene = Scene::named("masse-shot").unwrap();
    let (game, recording) = scene.record().unwrap();
    let (gravity, ball) = (game.table().physics.gravity, game.table().ball);
    let path = &recording.paths[0];
    let end = recording.outcome.first_hit_at.unwrap();
    let once = Turning::new(path, &ball, gravity).at(end);
    let mut often = Turning::new(path, &ball, gravity);
    let looks: Vec<DQuat> = (1..=977).map(|k| often.at(end * f64::from(k) / 977.0)).collect();
    assert_turned(looks[976], once, 1e-6);
    let steps = 200_000;
    let mut naive = DQuat::IDENTITY;
    for k in 0..steps {
        let time = end * (f64::from(k) + 0.5) / f64::from(steps);
        let piece = &path[path.partition_point(|piece| piece.start <= time) - 1];
        let by = piece.state(&ball, gravity, time).spin * (end / f64::from(steps));
        naive = (DQuat::from_scaled_axis(by) * naive).normalize();
    }
    assert_turned(naive, once, 1e-6);
}

/// Law: the state on a piece ends as the next piece begins, where no impact is between: at a change of motion
/// nothing jumps.
#[test]
fn states_on_a_piece_are_those_of_the_path() {
    let table = crate::support::plain(PairModel::FrictionlessElastic);
    let mut game = one(&table, Ball::POOL, [50.0, 50.0]);
    let recording = game.record(&Shot::new(3.0).with_offset(0.3, -0.3)).unwrap();
    let path = &recording.paths[0];
    assert!(path.len() >= 3);
    for pair in path.windows(2) {
        let end = pair[0].state(&Ball::POOL, 9.81, pair[1].start);
        let apart =
            (end.position - pair[1].at.position).length() + (end.velocity - pair[1].at.velocity).length();
        assert!(apart < 1e-9 && (end.spin - pair[1].at.spin).length() < 1e-7, "{end:?} {:?}", pair[1].at);
    }
}
