//! Sliding, rolling, spinning: closed forms, after Coriolis (1835).

use crate::support::{assert_near, ideal, now, one, plain, spinning, throw};
use carom_billiards::{BallState, Coefficients, Motion, PairModel, slip};
use carom_engine::{DVec2, StopReason};

const G: f64 = 9.81;

/// A ball without spin rolls after 2 v/(7 μ g), with 5/7 of its velocity, 12 v²/(49 μ g) further.
#[test]
fn five_sevenths() {
    for speed in [0.01, 1.0, 7.0] {
        let mut game = one(&plain(PairModel::default()), ideal(), [50.0, 50.0]);
        throw(&mut game, "cue", DVec2::new(0.6 * speed, 0.8 * speed), BallState::default());
        let next = game.world_mut().next_event().unwrap().time.as_secs();
        assert_near(next, 2.0 * speed / (7.0 * 0.2 * G), 4e-16 * next.max(1.0));
        game.world_mut().step_event();
        let (at, velocity, spin) = now(&game, "cue");
        assert_near(velocity.length(), 5.0 / 7.0 * speed, 1e-15 * speed);
        assert_near(at.length(), 12.0 * speed * speed / (49.0 * 0.2 * G), 1e-14 * at.length().max(1.0));
        assert!(slip(ideal().radius, velocity, spin).length() < 1e-15 * speed);
    }
}

/// It comes to rest v²/(2 μ_r g) further, with velocity and spin of exactly 0.
#[test]
fn rest_is_exact() {
    let mut game = one(&plain(PairModel::default()), ideal(), [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::new(0.3, -0.4), BallState::rolling());
    game.world_mut().advance(100.0).unwrap();
    let (at, velocity, spin) = now(&game, "cue");
    assert_near(at.length(), 0.25 / (2.0 * 0.01 * G), 1e-14);
    assert_eq!((velocity, spin.abs().max_element()), (DVec2::ZERO, 0.0));
    assert_eq!(game.energy(), 0.0);
    assert_eq!(game.world_mut().next_event(), None);
}

/// With topspin and no velocity a ball starts to roll: it keeps 2/7 of the speed of its edge.
#[test]
fn topspin_starts_a_ball() {
    let (ball, rate) = (ideal(), 30.0);
    let mut game = one(&plain(PairModel::default()), ball, [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::ZERO, spinning(0.0, rate, 0.0));
    game.world_mut().step_event();
    let (_, velocity, _) = now(&game, "cue");
    assert_near(velocity.x, 2.0 / 7.0 * ball.radius * rate, 1e-15);
    assert_eq!(velocity.y, 0.0);
}

/// Massé: the path is a parabola while the ball slides, and the final direction is that of `5 v/7 + 2 (ω ×
/// R ẑ)/7`, whatever the friction (Coriolis).
#[test]
fn masse_after_coriolis() {
    for friction in [0.05, 0.2, 0.4] {
        let mut ball = ideal();
        ball.coefficients.sliding = friction;
        let mut game = one(&plain(PairModel::default()), ball, [50.0, 50.0]);
        let (velocity, spin) = (DVec2::new(1.5, 0.2), spinning(80.0, -60.0, 40.0));
        throw(&mut game, "cue", velocity, spin);
        game.world_mut().step_event();
        let rolling = DVec2::new(spin.spin.y, -spin.spin.x) * ball.radius;
        let expected = (velocity * 5.0 + rolling * 2.0) / 7.0;
        let (at, found, _) = now(&game, "cue");
        assert!(found.abs_diff_eq(expected, 1e-14), "{found} {expected}");
        // A parabola: the chord is the mean velocity times the time.
        let t = game.world().now().as_secs();
        assert!(at.abs_diff_eq((velocity + expected) * (0.5 * t), 1e-14));
    }
}

/// `ω_z` falls linearly at `5 μ_sp g/(2R)` whatever else happens, and stays 0 once there.
#[test]
fn spin_about_the_vertical() {
    let (ball, rate) = (ideal(), 20.0);
    let falls = 2.5 * ball.coefficients.spinning * G / ball.radius;
    let mut game = one(&plain(PairModel::default()), ball, [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::new(2.0, 0.0), spinning(0.0, 0.0, -rate));
    for t in [0.1, 0.9, 1.5] {
        game.world_mut().advance_to(t).unwrap();
        assert_near(now(&game, "cue").2.z, -(rate - falls * t), 1e-13);
    }
    game.world_mut().advance_to(rate / falls + 0.1).unwrap();
    assert_eq!(now(&game, "cue").2.z, 0.0);
    // Alone it is a motion of its own, that ends.
    let mut game = one(&plain(PairModel::default()), ball, [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::ZERO, spinning(0.0, 0.0, rate));
    let extra = |game: &carom_billiards::Game| game.world().get(game.discs()[0]).unwrap().extra();
    assert_eq!(extra(&game).motion(ball.radius, DVec2::ZERO), Motion::Spinning);
    assert_near(game.world_mut().next_event().unwrap().time.as_secs(), rate / falls, 1e-14);
    game.world_mut().advance(10.0).unwrap();
    assert_eq!(extra(&game).motion(ball.radius, DVec2::ZERO), Motion::Resting);
}

/// Frames, single events and one long call give the same bits.
#[test]
fn frames_change_nothing() {
    let start = || {
        let mut game = one(&plain(PairModel::default()), ideal(), [50.0, 50.0]);
        throw(&mut game, "cue", DVec2::new(1.5, 0.2), spinning(80.0, -60.0, 40.0));
        game
    };
    let (mut whole, mut frames) = (start(), start());
    assert_eq!(whole.world_mut().advance_to(5.0).unwrap().end, StopReason::Reached);
    for k in 1..=500 {
        frames.world_mut().advance_to(0.01 * f64::from(k)).unwrap();
    }
    assert_eq!(whole.world().diff(frames.world()), None);
}

/// Without friction on the cloth a ball slides on for ever.
#[test]
fn ice() {
    let mut ball = ideal();
    ball.coefficients = Coefficients { sliding: 0.0, ..ball.coefficients };
    let mut game = one(&plain(PairModel::default()), ball, [50.0, 50.0]);
    throw(&mut game, "cue", DVec2::new(1.0, 0.0), BallState::default());
    assert_eq!(game.world_mut().advance(10.0).unwrap().events, 0);
    assert_eq!(now(&game, "cue").0, DVec2::new(10.0, 0.0));
}
