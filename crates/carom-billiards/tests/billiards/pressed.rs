//! Balls that press on each other: held by the engine, with the friction of the cloth.

use crate::support::{assert_near, ideal, now, plain, spinning, throw};
use carom_billiards::{Ball, BallState, Game, Layout, PairModel};
use carom_engine::{DVec2, StopReason};
use carom_testkit::rng::{Rng, cases};

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
    // The first rolls, up to the slip below which a ball counts as rolling. The other gets no more of that.
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
        // Mirrored about the line between them, up to the slip below which a ball counts as rolling: one
        // comes to it before the other.
        assert_near(v.x + w.x, 0.0, 1e-8);
        assert_near(p.y, q.y, 1e-8);
        assert!(game.gap("cue", "1").unwrap() > -1e-9);
    }
    assert!(held && game.energy() == 0.0);
}

/// Balls of 10-ft tables in a row, frozen to each other and to the far cushion, with these offsets across the
/// row in metres; the first of them turn about the x axis at these rates, in radians a second: less than 0
/// drives them to the cushion. Impacts and changes of motion to rest, at most 1000 of them and of pieces.
fn row_at_a_cushion(offsets: &[f64], rates: &[f64], restitution: f64) -> u64 {
    let table = carom_billiards::Table::carom_10ft();
    let mut ball = Ball::CAROM;
    ball.coefficients.restitution = restitution;
    let mut layout = Layout::new();
    for (k, off) in offsets.iter().enumerate() {
        let y = table.length - ball.radius * (2.0 * (offsets.len() - 1 - k) as f64 + 1.0);
        layout = layout.with(format!("{k}"), ball, [0.6 + off, y]);
    }
    let mut game = layout.build(&table).unwrap();
    for (k, &rate) in rates.iter().enumerate() {
        throw(&mut game, &format!("{k}"), DVec2::ZERO, spinning(rate, 0.0, 0.0));
    }
    game.world_mut().set_budget(1000);
    let run = game.world_mut().advance(60.0).unwrap();
    let case = format!("{offsets:?} {rates:?} {:?}", game.world().counters());
    assert_eq!((run.end, game.energy()), (StopReason::Reached, 0.0), "{case}");
    for k in 1..offsets.len() {
        let gap = game.gap(&format!("{}", k - 1), &format!("{k}")).unwrap();
        assert!(gap > -1e-9, "{case}: {gap}");
    }
    let counted = game.world().counters();
    counted.disc_impacts + counted.wall_impacts + counted.changes
}

/// Law: balls that are pressed on each other and on a cushion, off a straight row by as little as rounding or
/// by more, come to rest after few events. What is pressed askew is pushed aside at 10⁻²⁰ to 10⁻¹³ m/s, of
/// which a ball that the cloth holds rests; the end of its motion takes no others out of the row's holds.
/// Each of these had hundreds of thousands of changes when it did, some for ever.
#[test]
fn rows_at_a_cushion_come_to_rest() {
    let rows: [(&[f64], &[f64]); 5] = [
        (&[0.0, 1e-12], &[-60.0]),
        (&[7.4e-12, -8.1e-11, -3.2e-11], &[-63.0, -38.6, -38.7]),
        (&[8.4e-10, -3.8e-10, 2.8e-10], &[-1.5, -51.0, -4.2]),
        (&[6.4e-10, -2.3e-10, 1.5e-10], &[-76.7, -77.8]),
        (&[-3.3e-10, 4.8e-10, 7.6e-10, 9.7e-11], &[-52.4, -54.4, -70.2, -9.2]),
    ];
    for (offsets, rates) in rows {
        let events = row_at_a_cushion(offsets, rates, 0.5653);
        assert!(events < 200, "{offsets:?} {rates:?}: {events}");
    }
    let mut rng = Rng::new(1);
    for _ in 0..cases(300) {
        let (count, size) = (rng.range(2.0, 5.0) as usize, rng.pick(&[1e-13, 1e-12, 1e-11, 1e-10, 1e-9]));
        let offsets: Vec<f64> = (0..count).map(|_| rng.range(-size, size)).collect();
        let driven = rng.range(1.0, count as f64 + 1.0) as usize;
        let rates: Vec<f64> = (0..driven).map(|_| rng.range(-80.0, 0.0)).collect();
        row_at_a_cushion(&offsets, &rates, rng.pick(&[0.5, 0.5653, 0.95]));
    }
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
