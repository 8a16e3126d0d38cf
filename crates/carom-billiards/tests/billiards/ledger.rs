//! Where the energy of a shot goes, and how much: that the ledger closes is a law of breaks.

use crate::support::{assert_near, ideal, plain, with_cushion};
use carom_billiards::{Ball, Coefficients, CushionModel, Friction, Layout, PairModel, Shot, Table};
use carom_engine::DVec2;

/// A ball that slides without spin hits one at rest at an angle φ: without losses along the line of centres
/// the impulse is `m v cos φ`, and while the balls slip friction takes the work `μJ (c − (7/2) μJ/m)` of a
/// slip that falls from `c = v sin φ` by `7 μJ/m`.
#[test]
fn friction_of_a_cut() {
    let mut ball = ideal();
    ball.coefficients.friction = Friction::Constant(0.03);
    let (cut, at) = (0.7_f64, DVec2::new(50.0, 50.0));
    let contact = at - DVec2::from_angle(cut) * (2.0 * ball.radius);
    // Next to the contact, so that the cloth has no time.
    let start = contact - DVec2::new(1e-9, 0.0);
    let layout = Layout::new().with("cue", ball, start).with("1", ball, at);
    let mut game = layout.build(&plain(PairModel::default())).unwrap();
    let shot = Shot::new(2.0).aimed_at(0.0);
    let v = shot.strike(&ball).unwrap().velocity.x;
    let ledger = game.record(&shot).unwrap().ledger;
    let impulse = 0.03 * ball.mass * v * cut.cos();
    let expected = impulse * (v * cut.sin() - 3.5 * impulse / ball.mass);
    assert_near(ledger.friction, expected, 1e-8);
    assert_near(ledger.restitution, 0.0, 1e-14);
}

/// A ball meets a nose above its centre without friction: along the line of contact, whose horizontal part is
/// `c`, restitution takes `½ m (v c)² (1 − e²)`, and the table what the impulse `(1 + e) m v c` presses it
/// down with.
#[test]
fn what_the_table_takes() {
    let coefficients = Coefficients { cushion_friction: 0.0, sliding: 1e-9, ..Coefficients::POOL };
    let ball = Ball { coefficients, ..Ball::POOL };
    for model in [CushionModel::ImpulseFrictional, CushionModel::StrongeCompliant, CushionModel::Han2005] {
        let table = Table { width: 1.0, length: 1.0, ..with_cushion(model) };
        let mut game = Layout::new().with("cue", ball, [0.5, 0.5]).build(&table).unwrap();
        let id = game.discs()[0];
        let shot = Shot::new(1.0).aimed_at(0.0);
        let v = shot.strike(&ball).unwrap().velocity.x;
        // Until after the first cushion.
        game.world_mut().set_budget(1);
        let recording = game.record(&shot).unwrap();
        assert!(game.world().get(id).unwrap().velocity().x < 0.0, "{recording:?}");
        let (ledger, e) = (recording.ledger, coefficients.cushion_restitution);
        let rise = Table::CAROM_NOSE / ball.radius - 1.0;
        let is_han = model == CushionModel::Han2005;
        let square: f64 = if is_han { 1.0 - rise * rise } else { 1.0 / (1.0 + rise * rise) };
        let along = v * square.sqrt();
        let case = format!("{model:?}");
        assert_near(ledger.restitution, 0.5 * ball.mass * along * along * (1.0 - e * e), 1e-9);
        let lift = (1.0 + e) * along * (1.0 - square).sqrt();
        assert!((ledger.table - 0.5 * ball.mass * lift * lift).abs() < 1e-9, "{case}");
        assert!(ledger.friction.abs() < 1e-12, "{case}");
    }
}

/// Spin that presses a ball against another one, as both have the same velocity after an impact without
/// restitution: the cloth takes it, and what pieces leave is small.
#[test]
fn pressed_balls() {
    let mut ball = ideal();
    ball.coefficients.restitution = 0.0;
    let mut pieces = 0;
    for angle in [0.0_f64, 0.1, 0.2, 1.2] {
        let at = DVec2::new(50.0, 50.0);
        let way = DVec2::from_angle(angle);
        let layout =
            Layout::new().with("cue", ball, at).with("1", ball, at + way * (2.0 * ball.radius + 1e-12));
        let mut game = layout.build(&plain(PairModel::default())).unwrap();
        let shot = Shot { height: 0.4, ..Shot::new(2.0) };
        let recording = game.record(&shot.aimed_at(0.1)).unwrap();
        let ledger = recording.ledger;
        pieces += recording.outcome.pieces;
        assert!(ledger.total().abs() < 1e-12 * ledger.cue, "{angle}: {ledger:?}");
        assert!(ledger.held.abs() < 1e-9 * ledger.cue, "{angle}: {ledger:?}");
    }
    assert!(pieces > 100, "{pieces}");
}
