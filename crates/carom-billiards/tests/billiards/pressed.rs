//! Balls that press on each other: held by the engine, with the friction of the cloth.

use crate::support::{assert_near, ideal, now, plain, spinning, throw};
use carom_billiards::{Ball, BallState, Game, Layout, PairModel};
use carom_engine::{DVec2, StopReason};

const G: f64 = 9.81;

/// Two balls that touch, the second at an angle from the x axis.
fn touching(ball: Ball, angle: f64) -> Game {
    let (at, way) = (DVec2::new(50.0, 50.0), DVec2::new(angle.cos(), angle.sin()));
    let layout = Layout::new().with("cue", ball, at).with("1", ball, at + way * (2.0 * ball.radius));
    layout.build(&plain(PairModel::default())).unwrap()
}

/// Topspin that drives a ball into one at rest: friction `μ_s m g` on the first pushes the second, which
/// rolls with 7/5 of its mass against `μ_r`: `a = (μ_s − 7/5 μ_r) g/(12/5)`, until the first rolls after
/// `s/(a + 5/2 μ_s g)` of a slip `s`; from then on both roll at one speed, and press no more.
#[test]
fn topspin_pushes_a_resting_ball() {
    let (ball, rate) = (ideal(), 40.0);
    let mut game = touching(ball, 0.0);
    throw(&mut game, "cue", DVec2::ZERO, spinning(0.0, rate, 0.0));
    let (sliding, rolling) = (ball.coefficients.sliding * G, ball.coefficients.rolling * G);
    let a = (sliding - 1.4 * rolling) / 2.4;
    let grips = ball.radius * rate / (a + 2.5 * sliding);
    game.world_mut().advance_to(0.5 * grips).unwrap();
    for label in ["cue", "1"] {
        assert_near(now(&game, label).1.x, 0.5 * a * grips, 1e-9);
    }
    game.world_mut().advance_to(grips * (1.0 + 1e-6)).unwrap();
    // The first rolls to within the slip that is none; that the other gets no more.
    assert_near(now(&game, "cue").1.x, a * grips, 1e-6);
    assert_near(now(&game, "1").1.x, a * grips, 1e-6);
    let run = game.world_mut().advance(60.0).unwrap();
    assert_eq!((run.end, game.energy(), game.world_mut().next_event()), (StopReason::Reached, 0.0, None));
    let way = 0.5 * a * grips * grips + (a * grips).powi(2) / (2.0 * rolling);
    assert_near(now(&game, "1").0.x, 2.0 * ball.radius + way, 1e-5);
}

/// A resting ball holds while the force on it is at most 7/5 of what slows a rolling one: a push of less
/// moves nothing, and the spin that it comes from dies in its place.
#[test]
fn a_weak_push_holds() {
    let mut ball = ideal();
    // Friction of 0.9 times what holds the second ball.
    ball.coefficients.rolling = 0.05;
    ball.coefficients.sliding = 0.9 * 1.4 * ball.coefficients.rolling;
    let mut game = touching(ball, 0.0);
    throw(&mut game, "cue", DVec2::ZERO, spinning(0.0, 20.0, 0.0));
    let run = game.world_mut().advance(60.0).unwrap();
    assert_eq!((run.end, game.energy(), game.world_mut().next_event()), (StopReason::Reached, 0.0, None));
    for (label, x) in [("cue", 0.0), ("1", 2.0 * ball.radius)] {
        assert_near(now(&game, label).0.x, x, 1e-12);
    }
}

/// Law: spin in any direction beside a touching ball comes to rest, without overlap, and energy never rises
/// beyond what pieces leave. At 1.2 rad it is the smallest hard case.
#[test]
fn spin_beside_a_ball_comes_to_rest() {
    let ball = ideal();
    for angle in [0.0_f64, 0.3, 0.7, 1.2, 1.5, 2.0, 3.0] {
        let mut game = touching(ball, 0.0);
        game.world_mut().set_budget(20_000);
        // Friction along (cos, sin), of a slip of 0.3 m/s against it.
        let rate = 0.3 / ball.radius;
        throw(&mut game, "cue", DVec2::ZERO, spinning(-rate * angle.sin(), rate * angle.cos(), 0.0));
        let (first, mut last) = (game.energy(), game.energy());
        while game.world_mut().next_event().is_some() && game.world().counters().events < 20_000 {
            game.world_mut().step_event();
            assert!(game.gap("cue", "1").unwrap() > -1e-9, "{angle}");
            assert!(game.energy() <= last + 1e-6 * first, "{angle}: {last} {}", game.energy());
            last = game.energy();
        }
        assert_eq!((last, game.world_mut().next_event()), (0.0, None), "{angle}");
    }
}

/// Two touching balls of equal velocity whose spins drive them together press, roll on and part.
#[test]
fn spins_that_drive_balls_together() {
    let ball = ideal();
    let mut game = touching(ball, 0.0);
    let velocity = DVec2::new(0.0, 1.0);
    let (roll, rate) = (-1.0 / ball.radius, 10.0);
    throw(&mut game, "cue", velocity, spinning(roll, rate, 0.0));
    throw(&mut game, "1", velocity, spinning(roll, -rate, 0.0));
    let mut held = false;
    while game.world_mut().next_event().is_some() {
        game.world_mut().step_event();
        held |= game.world().held_to(game.discs()[0]).next().is_some();
        let ((p, v, _), (q, w, _)) = (now(&game, "cue"), now(&game, "1"));
        // Mirrored about the line between them, but for the slip that is none: one takes it before the other.
        assert_near(v.x + w.x, 0.0, 1e-8);
        assert_near(p.y, q.y, 1e-8);
        assert!(game.gap("cue", "1").unwrap() > -1e-9);
    }
    assert!(held && game.energy() == 0.0);
}

/// A ball that rolls along a cushion, and one with spin that presses it there, come to rest at it.
#[test]
fn along_a_cushion() {
    let ball = ideal();
    let table = carom_billiards::Table::carom_10ft();
    for rate in [0.0, 30.0] {
        let layout = Layout::new().with("cue", ball, [ball.radius, 1.0]);
        let mut game = layout.build(&table).unwrap();
        let state = if rate == 0.0 { BallState::rolling() } else { spinning(-0.5 / ball.radius, -rate, 0.0) };
        throw(&mut game, "cue", DVec2::new(0.0, 0.5), state);
        game.world_mut().set_budget(10_000);
        let run = game.world_mut().advance(60.0).unwrap();
        let (at, ..) = now(&game, "cue");
        assert_eq!((run.end, game.energy()), (StopReason::Reached, 0.0), "{rate}");
        assert!((at.x + 0.71 - ball.radius).abs() < 1e-9 && at.y > -0.42, "{rate}: {at}");
    }
}
