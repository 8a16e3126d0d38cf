//! Impacts of two balls.

use crate::support::{assert_near, disc, ideal, now, plain, spinning, throw, until_impact};
use carom_billiards::{
    Ball, BallState, Coefficients, Friction, Game, Layout, PairModel, Place, Table, energy,
};
use carom_engine::DVec2;
use carom_engine::glam::DVec3;
use core::f64::consts::FRAC_PI_2;

/// Ball 1 moves along y and cuts ball 2 at an angle: their line of centres is that far to the left of y.
fn cut(table: &Table, balls: [Ball; 2], angle: f64, speed: f64, state: BallState) -> Game {
    let apart = 2.0 * (balls[0].radius * balls[1].radius).sqrt();
    let at = DVec2::new(50.0, 50.0);
    let other = at + DVec2::new(-angle.sin(), angle.cos()) * apart + DVec2::new(0.0, 1e-9);
    let layout = Layout::new().with("cue", balls[0], at).with("1", balls[1], other);
    let mut game = layout.build(table).unwrap();
    throw(&mut game, "cue", DVec2::new(0.0, speed), state);
    until_impact(&mut game);
    game
}

/// The 30° rule: a rolling ball goes off at `tan θ = sin φ cos φ/(sin² φ + 2/5)` from its line after a cut by
/// φ without friction, 33.7° for the half-ball hit (Alciatore, TP A-4; TP 3.3).
#[test]
fn thirty_degree_rule() {
    for (cut_angle, degrees) in [(30.0_f64, 33.67), (20.0, 31.87), (45.0, 29.05)] {
        let phi = cut_angle.to_radians();
        let table = plain(PairModel::FrictionlessElastic);
        let mut game = cut(&table, [ideal(); 2], phi, 2.0, BallState::rolling());
        // Until both roll.
        for _ in 0..2 {
            game.world_mut().step_event();
        }
        let (_, velocity, _) = now(&game, "cue");
        let tan = phi.sin() * phi.cos() / (phi.sin().powi(2) + 0.4);
        // The start is a nanometre away, and rolls there.
        assert_near(velocity.x / velocity.y, tan, 1e-6);
        assert_near((velocity.x / velocity.y).atan().to_degrees(), degrees, 0.01);
    }
}

/// Throw of a stun shot: the object ball leaves the line of centres by `tan θ = min(μ(v sin φ), tan φ/7)`
/// (TP A-14), with e = 1: 4.7°, 3.5° and 1.7° of a half-ball hit at 1, 3 and 7 mph.
#[test]
fn throw_of_a_half_ball_hit() {
    let phi = 30.0_f64.to_radians();
    for (speed, degrees) in [(0.447, 4.72), (1.341, 3.55), (3.129, 1.70)] {
        let game = cut(&plain(PairModel::default()), [ideal(); 2], phi, speed, BallState::default());
        let (_, velocity, _) = now(&game, "1");
        let line = DVec2::new(-phi.sin(), phi.cos());
        let tan = line.perp_dot(velocity).abs() / line.dot(velocity);
        let mu = Friction::ALCIATORE.at(speed * phi.sin());
        assert_near(tan, mu.min(phi.tan() / 7.0), 1e-6);
        assert_near(tan.atan().to_degrees(), degrees, 0.01);
    }
}

/// Gearing english, `R ω_z = v sin φ`, throws nothing (TP A-14), and a full hit with side spin throws by 1/7
/// of the speed of the edge while that grips.
#[test]
fn english_throws() {
    let (phi, radius) = (30.0_f64.to_radians(), ideal().radius);
    let state = spinning(0.0, 0.0, phi.sin() / radius);
    let game = cut(&plain(PairModel::default()), [ideal(); 2], phi, 1.0, state);
    let (_, velocity, _) = now(&game, "1");
    assert_near(DVec2::new(-phi.sin(), phi.cos()).perp_dot(velocity), 0.0, 1e-7);

    let rate = 3.0;
    let game = cut(&plain(PairModel::default()), [ideal(); 2], 0.0, 2.0, spinning(0.0, 0.0, rate));
    let (_, velocity, spin) = now(&game, "1");
    assert_near(velocity.x.abs(), radius * rate / 7.0, 1e-7);
    // A gear turns the other way, with 5/14 of the spin.
    assert_near(spin.z, -rate * 5.0 / 14.0, 1e-6);
}

/// TP A-14's equations for equal balls, term by term, against the form for general masses.
#[test]
fn general_masses_reduce_to_equal_ones() {
    let (phi, radius) = (0.4_f64, ideal().radius);
    let state = spinning(12.0, -30.0, 25.0);
    let game = cut(&plain(PairModel::default()), [ideal(); 2], phi, 3.0, state);
    let (_, v1, w1) = now(&game, "cue");
    let n = DVec3::new(-phi.sin(), phi.cos(), 0.0);
    let before = DVec3::new(0.0, 3.0, 0.0);
    let (j, c) = (before.dot(n), before + state.spin.cross(n) * radius);
    let c = c - n * c.dot(n);
    let d = -c.normalize() * (Friction::ALCIATORE.at(c.length()) * j).min(c.length() / 7.0);
    let expected = before - n * j + d;
    assert_near(v1.x, expected.x, 1e-6);
    assert_near(v1.y, expected.y, 1e-6);
    let turned = state.spin + n.cross(d) * (2.5 / radius);
    assert!(w1.abs_diff_eq(turned, 1e-4), "{w1} {turned}");
}

/// A tracer bounces as a ball of next to no mass, in every model, and what it meets goes on as it was.
#[test]
fn tracers_bounce_as_the_lightest_balls() {
    let (small, large) = (Ball { radius: 0.02, ..ideal() }, ideal());
    let apart = 2.0 * (small.radius * large.radius).sqrt();
    let places = [DVec2::new(50.0, 50.0), DVec2::new(49.99, 50.0 + apart)];
    for model in PairModel::ALL {
        for labels in [["light", "heavy"], ["heavy", "light"]] {
            let after = |mass: f64| {
                let balls = [("light", small), ("heavy", large)];
                let layout = labels.iter().zip(places).fold(Layout::new(), |layout, (&label, at)| {
                    let ball = balls.iter().find(|ball| ball.0 == label).expect("one of two").1;
                    layout.with(label, ball, at)
                });
                let mut game = layout.build(&plain(model)).unwrap();
                let light = disc(&game, "light");
                game.world_mut().set_mass(light, mass).unwrap();
                throw(&mut game, labels[0], DVec2::new(0.0, 2.0), spinning(12.0, -30.0, 25.0));
                until_impact(&mut game);
                [now(&game, "light"), now(&game, "heavy")]
            };
            for ((_, v, w), (_, v_limit, w_limit)) in after(0.0).into_iter().zip(after(1e-10)) {
                assert!(v.abs_diff_eq(v_limit, 1e-6), "{model:?} {labels:?}: {v} {v_limit}");
                assert!(w.abs_diff_eq(w_limit, 1e-4), "{model:?} {labels:?}: {w} {w_limit}");
            }
        }
    }
}

/// Of unequal masses momentum stays, each ball's angular momentum about the point of contact stays, energy
/// falls, and where friction grips the surfaces move together afterwards.
#[test]
fn unequal_masses() {
    let heavy = Ball { mass: 0.3, ..ideal() };
    for friction in [0.02, 0.9] {
        let rough = |ball: Ball| {
            let mut ball = ball;
            ball.coefficients.friction = Friction::Constant(friction);
            ball
        };
        let balls = [rough(heavy), rough(ideal())];
        let (phi, speed, state) = (0.6_f64, 2.0, spinning(20.0, 5.0, -30.0));
        for model in PairModel::ALL {
            let game = cut(&plain(model), balls, phi, speed, state);
            let ([_, v1, v2], [w1, w2]) = {
                let ((_, v1, w1), (_, v2, w2)) = (now(&game, "cue"), now(&game, "1"));
                ([DVec2::ZERO, v1, v2], [w1, w2])
            };
            let left = energy(&balls[0], v1, w1) + energy(&balls[1], v2, w2);
            let had = energy(&balls[0], DVec2::new(0.0, speed), state.spin);
            assert!(left <= had * (1.0 + 1e-9), "{model:?}: {left} {had}");
            if model == PairModel::FrictionalMathavan {
                // The cloth takes part.
                continue;
            }
            let momentum = v1 * heavy.mass + v2 * ideal().mass;
            assert!(momentum.abs_diff_eq(DVec2::new(0.0, speed * heavy.mass), 1e-8), "{model:?}");
            if model == PairModel::FrictionalInelastic && friction == 0.9 {
                let n = DVec3::new(-phi.sin(), phi.cos(), 0.0);
                let radius = ideal().radius;
                let c = v1.extend(0.0) - v2.extend(0.0) + (w1 + w2).cross(n) * radius;
                let across = c - n * c.dot(n);
                // The vertical part is the table's.
                assert_near(across.dot(DVec3::new(n.y, -n.x, 0.0)), 0.0, 1e-6);
            }
        }
    }
}

/// Balls of unequal radii meet as their centres are 2√(R₁R₂) apart on the cloth, and part.
#[test]
fn unequal_radii() {
    let large = Ball { radius: 0.04, ..ideal() };
    for model in PairModel::ALL {
        let game = cut(&plain(model), [large, ideal()], 0.3, 2.0, BallState::default());
        let ((p, v, _), (q, w, _)) = (now(&game, "cue"), now(&game, "1"));
        assert_near((p - q).length(), 2.0 * (0.04 * ideal().radius).sqrt(), 1e-12);
        assert!((w - v).dot(q - p) > 0.0);
    }
}

/// Without friction and with e = 1 the integration over the impulse is the elastic impact; with friction it
/// converges to Coulomb's law where the cloth has no part in it: spin about the vertical alone.
#[test]
fn integration_has_its_limits() {
    let smooth = |friction: f64| {
        let mut ball = ideal();
        ball.coefficients.friction = Friction::Constant(friction);
        ball
    };
    let ways = |model: PairModel, friction: f64| {
        let game = cut(&plain(model), [smooth(friction); 2], 0.5, 2.0, spinning(0.0, 0.0, 40.0));
        (now(&game, "cue"), now(&game, "1"))
    };
    for friction in [0.0, 0.05, 0.5] {
        let (a, b) = ways(PairModel::FrictionalMathavan, friction);
        let (c, d) = ways(PairModel::FrictionalInelastic, friction);
        for (found, expected) in [(a, c), (b, d)] {
            assert!(found.1.abs_diff_eq(expected.1, 1e-6), "{friction}: {} {}", found.1, expected.1);
            assert!(found.2.abs_diff_eq(expected.2, 1e-4), "{friction}: {} {}", found.2, expected.2);
        }
    }
}

/// A ball with this friction at others.
fn rubbing(friction: Friction) -> Ball {
    let coefficients = Coefficients { friction, ..ideal().coefficients };
    Ball { coefficients, ..ideal() }
}

/// Balls that touch stand in a straight row, except for the last one, whose line of centres makes the angle φ
/// with the row. The cue ball comes along the row, and hits the first one centrally. Returns the tangent of
/// the angle of throw of the last ball, and its speed along its line of centres.
fn thrown(row: &[Ball], phi: f64, speed: f64) -> [f64; 2] {
    let table = plain(PairModel::default());
    let at = DVec2::new(50.0, 50.0);
    let mut layout = Layout::new().with("0", row[0], at - DVec2::new(0.0, 2.0 * row[0].radius));
    layout = layout.with("1", row[1], at);
    for k in 2..row.len() {
        let direction = FRAC_PI_2 + if k + 1 == row.len() { phi } else { 0.0 };
        let place = Place::FrozenToBall { ball: (k - 1).to_string(), direction };
        let at = layout.find(&k.to_string(), &row[k], &place, &table).unwrap();
        layout = layout.with(k.to_string(), row[k], at);
    }
    let mut game = layout.build(&table).unwrap();
    throw(&mut game, "0", DVec2::new(0.0, speed), BallState::default());
    until_impact(&mut game);
    let (_, velocity, _) = now(&game, &(row.len() - 1).to_string());
    let line = DVec2::new(-phi.sin(), phi.cos());
    [velocity.perp_dot(line) / line.dot(velocity), line.dot(velocity)]
}

/// The last ball of a frozen combination, of one or two before it, is thrown as by one that comes in alone at
/// the same angle and speed: `tan θ = min(μ(v sin φ), tan φ/7)` (TP A-14). What drives it is smooth, so that
/// the law is that of the last contact alone; friction of two is the mean. Places are rounded to 10⁻¹⁴ of a
/// ball.
#[test]
fn a_frozen_ball_is_thrown_as_one_that_is_hit() {
    let Friction::FallsWithSpeed { least, more, fall } = Friction::ALCIATORE else { unreachable!() };
    let twice = rubbing(Friction::FallsWithSpeed { least: 2.0 * least, more: 2.0 * more, fall });
    let smooth = rubbing(Friction::Constant(0.0));
    for degrees in [10.0_f64, 30.0, 45.0, 70.0] {
        for speed in [0.3, 1.0, 3.0] {
            let phi = degrees.to_radians();
            let throw = Friction::ALCIATORE.at(speed * phi.sin()).min(phi.tan() / 7.0);
            for row in [&[smooth, smooth, twice][..], &[smooth, smooth, smooth, twice]] {
                let [got, along] = thrown(row, phi, speed);
                assert_near(got, throw, 2e-13);
                assert_near(along, speed * phi.cos(), 2e-13);
            }
        }
    }
}

/// Where all balls of a frozen combination rub alike, the first is rubbed by the cue ball, too. After the
/// normal impulses it goes on at `v sin φ` across the line of centres, so it slips by that on the last, and
/// by `v sin φ cos φ` on the cue ball. By mass, impulses change the two slips by `(7, A; A, 7)`,
/// `A = 5/2 − cos φ`: both end at `tan θ = tan φ (7 + A cos φ)/(49 − A²)`. Where that is more than μ, the
/// last one is thrown by `tan θ = μ`.
#[test]
fn a_frozen_combination_of_like_balls_is_thrown_by_its_friction() {
    for friction in [0.01, 0.03, 0.06, 0.12, 0.5] {
        for degrees in [5.0_f64, 15.0, 30.0, 45.0, 70.0] {
            let phi = degrees.to_radians();
            let along = 2.5 - phi.cos();
            let ends = phi.tan() * (7.0 + along * phi.cos()) / (49.0 - along * along);
            let [got, _] = thrown(&[rubbing(Friction::Constant(friction)); 3], phi, 1.0);
            assert_near(got, ends.min(friction), 1e-12);
        }
    }
}

/// A ball that is hit full and touches two others at ± φ throws each by the friction at its own contact:
/// `tan θ = μ`, or where the slip ends `tan φ (1 − 2 cos² φ)/(7 + 4 sin² φ)`. By its mass and speed `V`
/// before, it goes on with `(1 − 2 cos² φ)/(1 + 2 cos² φ)`, and gives each `2 cos φ/(1 + 2 cos² φ)`.
#[test]
fn two_frozen_balls_are_thrown_alike() {
    for friction in [0.005, 0.02, 0.06, 0.3] {
        for degrees in [50.0_f64, 60.0, 75.0] {
            let phi = degrees.to_radians();
            let (table, ball) = (plain(PairModel::default()), rubbing(Friction::Constant(friction)));
            let at = DVec2::new(50.0, 50.0);
            let mut layout = Layout::new().with("cue", ball, at - DVec2::new(0.0, 2.0 * ball.radius));
            layout = layout.with("1", ball, at);
            for (label, side) in [("2", 1.0), ("3", -1.0)] {
                let place = Place::FrozenToBall { ball: "1".into(), direction: FRAC_PI_2 + side * phi };
                let at = layout.find(label, &ball, &place, &table).unwrap();
                layout = layout.with(label, ball, at);
            }
            let mut game = layout.build(&table).unwrap();
            throw(&mut game, "cue", DVec2::new(0.0, 1.0), BallState::default());
            until_impact(&mut game);
            let ends = phi.tan() * (1.0 - 2.0 * phi.cos().powi(2)) / (7.0 + 4.0 * phi.sin().powi(2));
            for (label, side) in [("2", 1.0), ("3", -1.0)] {
                let (_, velocity, _) = now(&game, label);
                let line = DVec2::new(-side * phi.sin(), phi.cos());
                let speed = 2.0 * phi.cos() / (1.0 + 2.0 * phi.cos().powi(2));
                assert_near(line.dot(velocity), speed, 1e-12);
                assert_near(side * velocity.perp_dot(line) / line.dot(velocity), ends.min(friction), 1e-12);
            }
        }
    }
}
