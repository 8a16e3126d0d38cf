//! Random shots on all tables: a campaign with
//! `CAROM_CASES=1000 cargo test --release -p carom-billiards --test billiards campaign -- --nocapture`.

use carom_billiards::{CushionModel, Game, Happening, PairModel, PocketModel, Rack, Shot, Table};
use carom_engine::{DVec2, StopReason};
use carom_testkit::rng::{Rng, cases};
use core::f64::consts::TAU;

/// What is counted over all shots.
#[derive(Debug, Default)]
struct Counted {
    /// Impacts and changes of motion of each shot with e ≤ 0.95, and its pieces.
    events: Vec<u64>,
    pieces: Vec<u64>,
    deepest: f64,
    deepest_held: f64,
    worst_ledger: f64,
    most_held: f64,
    look_again: f64,
    /// Balls that came over a lip, and those that came back from there.
    over_a_lip: usize,
    back: usize,
}

/// A table with balls and models by chance.
fn table_and_game(rng: &mut Rng, seed: u64) -> (Table, Game, f64) {
    let rack = Rack::named(rng.pick(&Rack::NAMES)).unwrap().with_gap(rng.pick(&[0.0, 1e-5, 1e-3])).unwrap();
    let pool = rng.pick(&["pool-7ft", "pool-8ft", "pool-9ft"]);
    let name = if rack.usual_table() == "pool-9ft" { pool } else { rack.usual_table() };
    let mut table = Table::named(name).unwrap();
    // The integrated models take as long as all the rest.
    let pairs = if rng.chance(10) { &PairModel::ALL[3..] } else { &PairModel::ALL[..3] };
    table.physics.pair = rng.pick(pairs);
    table.physics.cushion = rng.pick(&CushionModel::ALL);
    table.physics.pocket = if seed % 4 == 3 { PocketModel::Lip } else { PocketModel::Mouth };
    let mut layout = rack.place(&table, seed).unwrap();
    let [any, other] = [rng.range(0.5, 1.0), rng.range(0.5, 1.0)];
    let e = rng.pick(&[0.5, 0.8, 0.9, 0.95, 0.95, 1.0, any]);
    let e_c = rng.pick(&[0.85, 0.5, 1.0, other]);
    for placed in &mut layout.balls {
        placed.ball.coefficients.restitution = e;
        placed.ball.coefficients.cushion_restitution = e_c;
    }
    let game = layout.build(&table).unwrap();
    let ideal =
        [table.physics.pair == PairModel::FrictionlessElastic, table.physics.cushion == CushionModel::Mirror];
    (table, game, if ideal[0] || ideal[1] { 1.0 } else { e.max(e_c) })
}

fn random_shot(rng: &mut Rng) -> Shot {
    let (offset, way) = (rng.range(0.0, 0.45), rng.range(0.0, TAU));
    let off_centre = if rng.chance(50) { DVec2::from_angle(way) * offset } else { DVec2::ZERO };
    let elevation = rng.pick(&[0.0, 0.05, 0.3, 1.2]);
    let shot =
        Shot { side: off_centre.x, height: off_centre.y, elevation, ..Shot::new(rng.range(0.1, 12.0)) };
    // Half of them straight at the rack, where several balls meet at an instant.
    shot.aimed_at(if rng.chance(50) { TAU / 4.0 } else { rng.range(0.0, TAU) })
}

/// How deep the balls on the table are in each other, and the furthest that one is outside of the noses.
fn overlap_and_distance(table: &Table, game: &Game) -> (f64, f64) {
    let balls: Vec<_> = game.discs().iter().filter_map(|&id| game.world().get(id)).collect();
    let (mut deepest, mut outside) = (0.0_f64, f64::NEG_INFINITY);
    for (k, a) in balls.iter().enumerate().filter(|(_, ball)| ball.is_enabled()) {
        let beyond = a.position().abs() - table.centre();
        outside = outside.max(beyond.x.max(beyond.y));
        for b in balls[..k].iter().filter(|ball| ball.is_enabled()) {
            deepest = deepest.max(a.radius() + b.radius() - (a.position() - b.position()).length());
        }
    }
    (deepest, outside)
}

/// Plays on, event by event, and looks at all balls after each.
fn look_at_each_event(table: &Table, game: &mut Game, shot: &Shot, counted: &mut Counted, case: &str) {
    let id = game.discs()[0];
    let strike = shot.strike(&game.layout().balls[0].ball).unwrap();
    game.world_mut().set_extra(id, carom_billiards::BallState::turning(strike.spin)).unwrap();
    game.world_mut().set_velocity(id, strike.velocity).unwrap();
    let mut has_held = false;
    while game.world_mut().next_event().is_some() && game.world().counters().events < 50_000 {
        game.world_mut().step_event();
        let (deepest, outside) = overlap_and_distance(table, game);
        // Jaws and facings reach as far outside as the pockets are deep.
        assert!(outside < 0.08, "{case}: {outside}");
        has_held |= game.discs().iter().any(|&id| game.world().held_to(id).next().is_some());
        let most = if has_held { &mut counted.deepest_held } else { &mut counted.deepest };
        *most = most.max(deepest);
    }
}

/// Laws: every shot ends, with all balls at rest, none outside of the table, none in another by more than
/// 10⁻¹² m, and 10⁻⁹ m once some have pressed on each other; the ledger closes to 10⁻¹² of the stroke.
#[test]
fn every_shot_ends() {
    let mut counted = Counted::default();
    for seed in 0..cases(100) {
        let rng = &mut Rng::new(seed);
        let (table, mut game, e) = table_and_game(rng, seed);
        let shot = random_shot(rng);
        let case = format!("{seed}: {:?} {e}, {shot:?}", table.physics);
        if seed % 10 == 0 {
            look_at_each_event(&table, &mut game.clone(), &shot, &mut counted, &case);
        }
        let recording = game.record(&shot).unwrap();
        let (outcome, ledger) = (&recording.outcome, &recording.ledger);
        assert_eq!((outcome.end, game.energy()), (StopReason::Reached, 0.0), "{case}");
        let (deepest, outside) = overlap_and_distance(&table, &game);
        let has_held = recording.moments.iter().any(|moment| moment.what == Happening::Held);
        let most = if has_held { &mut counted.deepest_held } else { &mut counted.deepest };
        *most = most.max(deepest);
        assert!(outside < 0.08, "{case}: {outside}");
        let happened = |what| recording.moments.iter().filter(|moment| moment.what == what).count();
        let over = happened(Happening::OverLip);
        counted.over_a_lip += over;
        if table.physics.pocket == PocketModel::Lip {
            counted.back += over - outcome.potted.len();
        }
        let off = ledger.total().abs() / ledger.cue;
        counted.worst_ledger = counted.worst_ledger.max(off);
        counted.most_held = counted.most_held.max(-ledger.held / ledger.cue);
        counted.look_again += ledger.look_again / ledger.cue;
        let restitution = ledger.restitution / ledger.cue;
        assert!(off <= 1e-12 && restitution > -1e-12, "{case}: {ledger:?}");
        if e <= 0.95 {
            counted.events.push(outcome.impacts + outcome.changes);
            counted.pieces.push(outcome.pieces);
        }
    }
    report(counted);
}

fn report(mut counted: Counted) {
    let [events, pieces] = [&mut counted.events, &mut counted.pieces].map(|counts| {
        counts.sort_unstable();
        let at = |share: f64| counts[((counts.len() - 1) as f64 * share) as usize];
        [0.5, 0.9, 0.995, 1.0].map(at)
    });
    let Counted { deepest, deepest_held, worst_ledger, most_held, look_again, over_a_lip, back, .. } =
        counted;
    println!("impacts and changes, of shots with e ≤ 0.95: median, 90 %, 99.5 %, most: {events:?}");
    println!("pieces likewise: {pieces:?}");
    println!("deepest overlap {deepest:e} m, where balls pressed {deepest_held:e} m");
    println!(
        "ledger {worst_ledger:e}, held adds at most {most_held:e}, look-again takes {look_again:e} in all"
    );
    println!("{over_a_lip} balls came over a lip, {back} of them back");
    assert!(over_a_lip > 10, "{over_a_lip}");
    assert!(deepest <= 1e-12 && deepest_held <= 1e-9, "{deepest:e} {deepest_held:e}");
    assert!(events[2] <= 2000, "{events:?}");
}
