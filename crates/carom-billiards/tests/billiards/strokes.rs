//! The cue.

use crate::support::{assert_near, ideal, lay, one, plain};
use carom_billiards::{Ball, Billiards, Cue, CushionModel, Error, PairModel, Shot, Table, Tip};
use carom_engine::{DVec2, StopReason};
use core::f64::consts::FRAC_PI_2;

/// TP A-30 and TP A-31 by their formulas, along +y.
#[test]
fn stroke_and_squirt() {
    let ball = Ball::POOL;
    let (a, b, theta, speed) = (0.3, -0.2, 0.35_f64, 4.0);
    let shot = Shot::new(speed).aimed_at(FRAC_PI_2).with_offset(a, b).with_elevation(theta);
    let strike = shot.strike(&ball).unwrap();
    let c = (1.0 - a * a - b * b).sqrt();
    let (sin, cos) = theta.sin_cos();
    let arm = a * a + (b * cos).powi(2) + (c * sin).powi(2) - 2.0 * b * c * sin * cos;
    let v = 2.0 * speed / (1.0 + ball.mass / 0.567 + 2.5 * arm);
    assert_near(strike.velocity.length(), v * cos, 1e-14);
    assert_near(strike.downwards, v * sin, 1e-14);
    let squirt = (2.5 * a * (1.0 - a * a).sqrt()).atan2(1.0 + 30.0 + 2.5 * (1.0 - a * a));
    // A tip on the right sends the ball to the left: −x along +y.
    assert_near((-strike.velocity.x).atan2(strike.velocity.y), squirt, 1e-14);
    assert_near(strike.spin.z, 2.5 * v * a * cos / ball.radius, 1e-11);
    let across = DVec2::new(squirt.cos(), squirt.sin());
    assert_near(strike.spin.truncate().dot(across), 2.5 * v * (c * sin - b * cos) / ball.radius, 1e-11);
    assert_near(strike.spin.truncate().dot(across.perp()), 2.5 * v * a * sin / ball.radius, 1e-11);
}

/// A level stroke 2/5 R above the centre makes a ball roll at once (Coriolis).
#[test]
fn two_fifths_rolls() {
    let strike = Shot::new(2.0).with_offset(0.0, 0.4).strike(&Ball::POOL).unwrap();
    let slip = carom_billiards::slip(Ball::POOL.radius, strike.velocity, strike.spin);
    assert!(slip.length() < 1e-15);
}

/// A stroke keeps the energy of cue and ball (the coefficient 2 of TP A-30 is a restitution of 1).
#[test]
fn stroke_keeps_energy() {
    let (ball, cue) = (Ball::POOL, Cue { end_mass: Some(1e-6), ..Cue::POOL });
    let shot = Shot { cue, ..Shot::new(3.0).with_offset(0.2, 0.4) };
    let strike = shot.strike(&ball).unwrap();
    let left = cue.mass * shot.speed - ball.mass * strike.velocity.length();
    let energy = carom_billiards::energy(&ball, strike.velocity, strike.spin) + 0.5 * left * left / cue.mass;
    assert_near(energy, 0.5 * cue.mass * 9.0, 1e-12);
}

/// What is no stroke is refused with field, value and what is allowed, and leaves the game as it was.
#[test]
fn refusals() {
    let mut game = one(&plain(PairModel::default()), ideal(), [50.0, 50.0]);
    let before = game.world().clone();
    let refused = game.shoot(&Shot::new(3.0).with_offset(0.4, 0.4)).unwrap_err();
    assert!(
        matches!(refused, Error::Miscue { offset, allowed: 0.5 } if (offset - 0.32_f64.sqrt()).abs() < 1e-15)
    );
    for (shot, field) in [
        (Shot::new(f64::NAN), "speed"),
        (Shot::new(31.0), "speed"),
        (Shot::new(1.0).aimed_at(f64::INFINITY), "direction"),
        (Shot::new(1.0).with_elevation(-0.1), "elevation"),
        (Shot::new(1.0).with_offset(f64::NAN, 0.0), "side"),
    ] {
        let refused = game.shoot(&shot).unwrap_err();
        assert!(matches!(refused, Error::OutOfRange { field: found, .. } if found == field), "{refused}");
    }
    let unknown = game.shoot(&Shot::new(1.0).of_ball("9")).unwrap_err();
    assert!(matches!(&unknown, Error::NoSuchBall { label, .. } if label == "9"), "{unknown}");
    assert!(
        unknown.to_string().starts_with("there is no ball \"9\" on the table; there are cue"),
        "{unknown}"
    );
    assert_eq!(game.world().diff(&before), None);
}

/// A ball near by: the tip is still on the cue ball as that meets it, or meets the cue ball again as it stops
/// there, unless the ball is far, touched already, or only grazed (WPA, The Rules of Play, 6.7). A straight
/// level stroke leaves the cue at `V′ = V (1 − m/M)/(1 + m/M)`, and the ball stops at `w`: they meet again
/// after a time in which the ball, at its speed `v` before the impact, would go `gap (v − w)/(V′ − w)`. The
/// tip follows through by `V′/v` of that.
#[test]
fn tips_meet_again() {
    let (table, cue) = (Table::carom_10ft(), Cue::POOL);
    let radius = table.ball.radius;
    let tip = |gap: f64, aside: f64, cue: Cue| {
        let reach = 2.0 * radius + gap;
        let at = [0.7 + aside, 1.0 + (reach * reach - aside * aside).sqrt()];
        let mut game = lay(&table, [("cue", [0.7, 1.0]), ("red", at)]).build(&table).unwrap();
        let shot = Shot { cue, ..Shot::new(1.5).aimed_at(FRAC_PI_2) };
        game.shoot(&shot).unwrap().tip
    };
    // 0.5 ms at 2.1 m/s are 1.1 mm.
    for (gap, expected) in [(0.0, Tip::Once), (1e-4, Tip::StaysOn), (0.005, Tip::Again), (0.1, Tip::Once)] {
        assert_eq!(tip(gap, 0.0, cue), expected, "{gap}");
    }
    assert_eq!(tip(0.005, 1.98 * radius, cue), Tip::Once, "grazed");
    assert_eq!(tip(0.005, 0.0, Cue { follow_through: 0.0, ..cue }), Tip::Once);
    assert_eq!(tip(1e-4, 0.0, Cue { contact_time: 0.0, follow_through: 0.0, ..cue }), Tip::Once);
}

/// The head string by the path: a cue ball that comes back to a ball behind it by its spin alone has crossed
/// it, though it has met nothing there (WPA, The Rules of Play, 6.11); recorded likewise.
#[test]
fn spin_brings_the_cue_ball_over_the_head_string_and_back() {
    let table = Table::pool_9ft();
    for (from, crosses) in [(0.6, true), (0.5, false)] {
        let game = lay(&table, [("cue", [0.635, from]), ("1", [0.635, 0.3])]).build(&table).unwrap();
        let up = Shot::new(2.5).aimed_at(FRAC_PI_2);
        let shot = up.with_elevation(1.2).with_offset(0.0, -0.3);
        let outcome = game.clone().shoot(&shot).unwrap();
        assert_eq!(outcome.first_hit.as_deref(), Some("1"), "{outcome:?}");
        assert!(outcome.cushions.iter().all(|hit| hit.time > outcome.first_hit_at.unwrap()));
        let recorded = game.clone().record(&shot).unwrap().outcome;
        let farthest = game.clone().record(&shot).unwrap().paths[0]
            .iter()
            .map(|piece| piece.at.position.y)
            .fold(-9.0, f64::max);
        assert_eq!(
            (outcome.met_behind_string, recorded.met_behind_string),
            (!crosses, !crosses),
            "{farthest}"
        );
        assert!(outcome.from_behind_string);
    }
}

/// Without friction, across the table behind the head string, with a ball there that is never met: it ends by
/// the budget of events.
#[test]
fn what_never_rests_ends() {
    let physics = Billiards { cushion: CushionModel::Mirror, ..Billiards::default() };
    let mut table = Table { physics, ..Table::carom_10ft() };
    let own = &mut table.ball.coefficients;
    (own.sliding, own.rolling, own.spinning) = (0.0, 0.0, 0.0);
    let mut game = lay(&table, [("cue", [0.7, 0.5]), ("red", [0.7, 0.2])]).build(&table).unwrap();
    game.world_mut().set_budget(1000);
    assert_eq!(game.shoot(&Shot::new(2.0)).unwrap().end, StopReason::OutOfBudget);
}
