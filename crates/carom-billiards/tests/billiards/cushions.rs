//! Impacts with cushions.

use crate::support::{assert_near, disc, ideal, now, one, spinning, throw, until_impact, with_cushion};
use carom_billiards::{Ball, BallState, Billiards, Coefficients, CushionModel, Surface, Table, energy};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, Disc, Settings, Wall, World};

/// Meets the cushion at x = 0 of a table; the velocity and angular velocity after it.
fn hit(table: &Table, ball: Ball, velocity: DVec2, state: BallState) -> (DVec2, DVec3) {
    let mut game = one(table, ball, [ball.radius + 1e-9, 50.0]);
    throw(&mut game, "cue", velocity, state);
    until_impact(&mut game);
    let (_, v, w) = now(&game, "cue");
    (v, w)
}

/// A mirror, and a mirror with restitution: nothing but the normal component, spin stays.
#[test]
fn plain_cushions() {
    for (model, e) in [(CushionModel::Mirror, 1.0), (CushionModel::Restitution, 0.85)] {
        let state = spinning(3.0, -4.0, 5.0);
        let (v, w) = hit(&with_cushion(model), ideal(), DVec2::new(-2.0, 1.0), state);
        assert!(v.abs_diff_eq(DVec2::new(2.0 * e, 1.0), 1e-6) && w.abs_diff_eq(state.spin, 1e-5));
    }
}

/// At a cushion mass cancels: a tracer leaves it as a ball of 1 kg does, to the last bit, in every model.
#[test]
fn tracers_leave_cushions_as_all_balls_do() {
    for model in CushionModel::ALL {
        let after = |mass: f64| {
            let mut game = one(&with_cushion(model), ideal(), [ideal().radius + 1e-9, 50.0]);
            let cue = disc(&game, "cue");
            game.world_mut().set_mass(cue, mass).unwrap();
            throw(&mut game, "cue", DVec2::new(-2.0, 1.0), spinning(3.0, -4.0, 5.0));
            until_impact(&mut game);
            now(&game, "cue")
        };
        assert_eq!(after(0.0), after(1.0), "{model:?}");
    }
}

/// With the nose at the height of the centre a head-on ball without spin bounces with e, in every model.
#[test]
fn head_on_at_the_height_of_the_centre() {
    for model in CushionModel::ALL {
        let table = Table { nose: ideal().radius, ..with_cushion(model) };
        let (v, w) = hit(&table, ideal(), DVec2::new(-2.0, 0.0), BallState::default());
        let e = if model == CushionModel::Mirror { 1.0 } else { 0.85 };
        assert_near(v.x, 2.0 * e, 1e-6);
        assert!(v.y.abs() < 1e-15 && w.abs_diff_eq(DVec3::ZERO, 1e-4), "{model:?} {w}");
    }
}

/// At that height, spin about the vertical alone: friction gives `v_t′ = v_t − min(2/7 |c|, f (1 + e) v_n)`
/// with `c = v_t + R ω_z` up to a sign (Coulomb). The compliant nose gives the same where it slips to the
/// end; where it sticks it swings back.
#[test]
fn friction_at_the_height_of_the_centre() {
    let radius = ideal().radius;
    let models = [CushionModel::Han2005, CushionModel::ImpulseFrictional, CushionModel::Mathavan2010];
    for (rate, speed) in [(5.0, 0.5), (-60.0, 0.5), (100.0, 2.0)] {
        // At the cushion on the left the point of contact moves at v_y − R ω_z.
        let c = speed - radius * rate;
        let expected = speed - c.signum() * (2.0 / 7.0 * c.abs()).min(0.2 * 1.85 * 2.0);
        for model in models {
            let table = Table { nose: ideal().radius, ..with_cushion(model) };
            let (v, _) = hit(&table, ideal(), DVec2::new(-2.0, speed), spinning(0.0, 0.0, rate));
            assert_near(v.y, expected, 1e-5);
        }
    }
    let table = Table { nose: ideal().radius, ..with_cushion(CushionModel::StrongeCompliant) };
    let (v, _) = hit(&table, ideal(), DVec2::new(-2.0, 0.5), spinning(0.0, 0.0, -150.0));
    assert_near(v.y, 0.5 - 0.2 * 1.85 * 2.0, 1e-6);
}

/// A nose at one height takes more from a smaller ball: with the line of contact at `sin θ = (h − R)/(R + ρ)`
/// that of `Han2005` keeps `(1 + e) cos² θ − 1` of a head-on speed without friction; the others have
/// `tan θ = (h − R)/(R + ρ)`.
#[test]
fn smaller_balls_keep_less_at_the_same_nose() {
    for (radius, rounding) in [(0.0225, 0.0), (0.028575, 0.0), (0.03075, 0.0), (0.028575, 0.006)] {
        let coefficients = Coefficients { cushion_friction: 0.0, ..Coefficients::POOL };
        let ball = Ball { radius, coefficients, ..Ball::POOL };
        let rise = (0.0365 - radius) / (radius + rounding);
        let cos_squared = [1.0 - rise * rise, 1.0 / (1.0 + rise * rise)];
        let models = [CushionModel::Han2005, CushionModel::ImpulseFrictional];
        for (model, cos_squared) in models.into_iter().zip(cos_squared) {
            let table = Table { nose: 0.0365, rounding, ball, ..with_cushion(model) };
            let (v, _) = hit(&table, ball, DVec2::new(-2.0, 0.0), BallState::default());
            assert_near(v.x, 2.0 * (1.85 * cos_squared - 1.0), 1e-6);
        }
    }
}

/// Han 2005 by its own equations for a rolling ball at 45°: the numbers of a run of the paper's formulas,
/// term by term.
#[test]
fn han_term_by_term() {
    let (ball, v) = (ideal(), DVec2::new(-1.0, 1.0));
    let (found, spin) = hit(&with_cushion(CushionModel::Han2005), ball, v, BallState::rolling());
    // In the paper's frame x is towards the cushion: here −x, and y with it −y.
    let (radius, sin) = (ball.radius, Table::CAROM_NOSE / ball.radius - 1.0);
    let cos = (1.0 - sin * sin).sqrt();
    let (vx, vy, wx, wy) = (1.0, -1.0, 1.0 / radius, 1.0 / radius);
    let (sx, sy) = (vx * sin + radius * wy, -vy + radius * wx * sin);
    let pe = 1.85 * vx * cos;
    let s = f64::hypot(sx, sy);
    let k = (2.0 / 7.0_f64).min(0.2 * pe / s);
    let (px, py) = (k * sx, k * sy);
    let (ix, iz) = (-px * sin - pe * cos, px * cos - pe * sin);
    let expected = DVec2::new(-(vx + ix), -(vy + py));
    assert!(found.abs_diff_eq(expected, 1e-6), "{found} {expected}");
    let turn = 2.5 / radius;
    let turned = DVec3::new(-(wx - py * sin * turn), -(wy + (ix * sin - iz * cos) * turn), py * cos * turn);
    assert!(spin.abs_diff_eq(turned, 1e-4), "{spin} {turned}");
}

/// Mathavan, Jackson and Parkin 2010 by their equations (their frame: y towards the cushion), by plain steps.
#[test]
fn mathavan_by_the_equations_of_the_paper() {
    let ball = ideal();
    let (radius, sin) = (ball.radius, Table::CAROM_NOSE / ball.radius - 1.0);
    let cos = (1.0 - sin * sin).sqrt();
    let (mu_w, mu_s, e) = (0.2, 0.2, 0.85_f64);
    let (mut vx, mut vy, mut w) = (0.8_f64, 1.5_f64, [-20.0_f64, 35.0, 40.0]);
    // The table's frame is theirs turned so that +y becomes −x: x = −y′, y = x′.
    let state = spinning(-w[1], w[0], w[2]);
    let (v, spin) = hit(&with_cushion(CushionModel::Mathavan2010), ball, DVec2::new(-vy, vx), state);
    let dp = vy / cos / 20_000.0;
    let (mut work, mut wanted) = (0.0, f64::INFINITY);
    while work < wanted {
        let (ix, iy) = (vx + w[1] * radius * sin - w[2] * radius * cos, -vy * sin + w[0] * radius);
        let (cx, cy) = (vx - w[1] * radius, vy + w[0] * radius);
        let (is, cs) = (f64::hypot(ix, iy), f64::hypot(cx, cy));
        let (cos_i, sin_i, cos_c, sin_c) = (ix / is, iy / is, cx / cs, cy / cs);
        let press = mu_s * (sin + mu_w * sin_i * cos).max(0.0);
        let before = vy;
        vx -= (mu_w * cos_i + cos_c * press) * dp;
        vy -= (cos - mu_w * sin * sin_i + sin_c * press) * dp;
        let turn = 2.5 / radius * dp;
        w[0] -= turn * (mu_w * sin_i + sin_c * press);
        w[1] -= turn * (mu_w * cos_i * sin - cos_c * press);
        w[2] += turn * mu_w * cos_i * cos;
        work += 0.5 * dp * (before + vy).abs();
        if before > 0.0 && vy <= 0.0 {
            wanted = work + e * e * work;
        }
    }
    assert!(v.abs_diff_eq(DVec2::new(-vy, vx), 1e-3), "{v} {vx} {vy}");
    assert!(spin.abs_diff_eq(DVec3::new(-w[1], w[0], w[2]), 0.1), "{spin} {w:?}");
}

/// Law: in every model energy falls, and the ball leaves the cushion or goes along it.
#[test]
fn energy_falls() {
    let ball = ideal();
    for model in CushionModel::ALL {
        for (k, angle) in [2.0_f64, 20.0, 45.0, 80.0].into_iter().enumerate() {
            for spin in [[0.0, 0.0, 0.0], [40.0, 90.0, -60.0], [-40.0, -90.0, 60.0], [0.0, 0.0, 150.0]] {
                let direction = DVec2::new(-angle.to_radians().sin(), angle.to_radians().cos());
                let velocity = direction * (0.5 + k as f64);
                let state = spinning(spin[0], spin[1], spin[2]);
                let (v, w) = hit(&with_cushion(model), ball, velocity, state);
                let (had, left) = (energy(&ball, velocity, state.spin), energy(&ball, v, w));
                assert!(left <= had * (1.0 + 1e-6), "{model:?} {angle} {spin:?}: {had} {left}");
                assert!(v.x >= 0.0, "{model:?} {angle} {spin:?}: {v}");
            }
        }
    }
}

/// Law: what impacts make of a ball is a state that is taken, and so can be saved. Friction turns a ball of
/// radius 10⁻⁷ that meets a cushion at 1 m/s along it and into it by 5/2 · 0.2 · (1 + 0.85)/10⁻⁷ radians a
/// second.
#[test]
fn spins_of_the_smallest_balls_are_taken() {
    let mut world = World::with_physics(Billiards::default(), Settings::default()).unwrap();
    let cushion =
        Wall::half_plane(DVec2::ZERO, DVec2::X).with_surface(Surface::Cushion { nose: 1e-7, rounding: 0.0 });
    world.add_wall(cushion).unwrap();
    let ball = Disc::new([2e-7, 0.0], 1e-7).with_velocity([-1.0, 1.0]).with_body(Coefficients::POOL);
    let ball = world.insert(ball.with_extra(BallState::turning(DVec3::ZERO))).unwrap();
    world.advance(1e-6).unwrap();
    let state = world.get(ball).unwrap().extra();
    assert!(state.spin.z.abs() > 1e6, "{state:?}");
    world.set_extra(ball, state).unwrap();
}
