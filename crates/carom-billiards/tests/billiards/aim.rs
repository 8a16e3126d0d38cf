//! Aim help: geometry against closed forms, candidates against a search over all directions.

use crate::scripted::place;
use crate::support::{self, assert_near};
use carom_billiards::aim::{Pot, Rail, Route, Stroke, Wish};
use carom_billiards::{
    Ball, Billiards, Error, Game, Hole, Layout, Nose, Outcome, Outline, PairModel, Shot, Table,
};
use carom_engine::DVec2;
use carom_testkit::rng::{Rng, cases};
use core::f64::consts::{FRAC_PI_2, FRAC_PI_6, PI};

/// Balls of a pool table by label and place.
fn lay(balls: &[(&str, [f64; 2])]) -> Game {
    let table = Table::pool_9ft();
    support::lay(&table, balls.iter().copied()).build(&table).unwrap()
}

/// A cut of 30° is half a ball: the ghost ball is half a diameter beside the line.
#[test]
fn ghost_balls() {
    let game = lay(&[("cue", [0.4, 0.5]), ("1", [0.4, 1.0])]);
    let diameter = 2.0 * game.table().ball.radius;
    let straight = game.aim_at("cue", "1", [0.4, 2.0]).unwrap().unwrap();
    assert_near(straight.direction, FRAC_PI_2, 1e-15);
    assert_near(straight.cut, 0.0, 1e-15);
    assert_near(straight.distance, 0.5 - diameter, 1e-15);
    assert!((straight.ghost - DVec2::new(0.4, 1.0 - diameter)).length() < 1e-15);
    for (side, target) in
        [(1.0, DVec2::new(-0.5, 3f64.sqrt() / 2.0)), (-1.0, DVec2::new(0.5, 3f64.sqrt() / 2.0))]
    {
        let aim = game.aim_at("cue", "1", DVec2::new(0.4, 1.0) + target * 0.3).unwrap().unwrap();
        let ghost = DVec2::new(0.4, 1.0) - target * diameter;
        assert!((aim.ghost - ghost).length() < 1e-15);
        let aside = (ghost - DVec2::new(0.4, 0.5)).to_angle();
        assert_near(aim.direction, aside, 1e-14);
        assert_near(aim.cut, side * (2.0 * FRAC_PI_6 * 0.5 + (aside - FRAC_PI_2).abs()), 1e-14);
    }
    // Behind the ball, on it, at itself.
    assert_eq!(game.aim_at("cue", "1", [0.4, 0.2]).unwrap(), None);
    assert_eq!(game.aim_at("cue", "1", [0.4, 1.0]).unwrap(), None);
    assert!(matches!(game.aim_at("cue", "9", [0.4, 2.0]), Err(Error::NoSuchBall { .. })));
    assert!(game.clone().aim_at("cue", "1", [f64::NAN, 0.0]).unwrap().is_none());
}

/// Balls of different radii touch where their centres are 2√(R₁R₂) apart, and the shot meets there.
#[test]
fn ghost_balls_of_other_sizes() {
    let table = Table { width: 3.0, length: 3.0, ..Table::carom_10ft() };
    let small = Ball { radius: 0.02, mass: 0.1, ..Ball::CAROM };
    let layout = Layout::new().with("cue", small, [0.5, 0.5]).with("1", Ball::CAROM, [1.5, 1.2]);
    let game = layout.build(&table).unwrap();
    let reach = 2.0 * (0.02 * Ball::CAROM.radius).sqrt();
    let aim = game.aim_at("cue", "1", [2.5, 1.5]).unwrap().unwrap();
    assert_near((aim.ghost - DVec2::new(1.5, 1.2)).length(), reach, 1e-15);
    let met = game.first_contact(&Shot::new(1.0).aimed_at(aim.direction)).unwrap().unwrap();
    assert!((table.from_world(met.cue_ball[0].position) - aim.ghost).length() < 1e-12);
    assert_near(met.cut, aim.cut, 1e-12);
}

/// The final direction of the cue ball after a frictionless elastic impact: rolling it is deflected by θ with
/// `tan θ = sin φ cos φ/(sin² φ + 2/5)` for a cut of φ (Alciatore, TP A-4: the 30° rule), sliding without
/// spin it goes along the tangent line, with 5/7 of its speed in the end.
#[test]
fn the_cue_ball_after_the_first_contact() {
    let physics = Billiards { pair: PairModel::FrictionlessElastic, ..Billiards::default() };
    let table = Table { width: 20.0, length: 20.0, physics, ..Table::carom_10ft() };
    let game = |apart: f64| {
        support::lay(&table, [("cue", [10.0 - apart, 10.0]), ("1", [10.0, 10.0])]).build(&table).unwrap()
    };
    let far = game(6.0);
    for offset in [-1.5, -1.0, -0.5, 0.4, 1.0, 1.6_f64] {
        let sine = offset / 2.0;
        let direction = (sine * 2.0 * table.ball.radius / 6.0).asin();
        let met = far.first_contact(&Shot::new(2.5).aimed_at(direction)).unwrap().unwrap();
        let cut = (-sine).asin();
        assert_near(met.cut, cut, 1e-12);
        let expected = (cut.sin() * cut.cos() / (cut.sin().powi(2) + 0.4)).atan();
        assert_near(met.deflection(), -expected, 1e-9);
        assert_eq!(met.ball, "1");
    }
    // At once, with the tip in the centre: stun.
    let radius = table.ball.radius;
    let near = game(2.5 * radius);
    let met = near.first_contact(&Shot::new(4.0).aimed_at((1.0_f64 / 2.5).asin())).unwrap().unwrap();
    assert_near(met.cut, -FRAC_PI_6, 1e-12);
    let ([before, after], [_, object]) = (met.cue_ball, met.object_ball);
    assert!(after.velocity.dot(object.velocity).abs() < 1e-9 * before.velocity.length_squared());
    // It has begun to roll a little on the way.
    assert_near(met.deflection(), PI / 3.0, 0.05);
    assert_near(met.rolling[1].length(), object.velocity.length() * 5.0 / 7.0, 1e-12);
    assert_eq!(near.first_contact(&Shot::new(1.0).aimed_at(3.0)).unwrap(), None);
}

fn routes(pots: &[Pot]) -> Vec<(&str, usize, &Route)> {
    pots.iter().map(|pot| (pot.ball.as_str(), pot.pocket, &pot.route)).collect()
}

/// One ball in the open is potted straight; with others in the way off a cushion, by combination, by carom.
#[test]
fn every_way_to_pot() {
    let stroke = Stroke::new(2.5);
    let open = lay(&[("cue", [0.635, 0.6]), ("1", [0.9, 1.9])]);
    let pots = open.pots(&Wish::pot(&["1"]), stroke).unwrap();
    assert!(routes(&pots).contains(&("1", 5, &Route::Direct)), "{pots:?}");
    assert!(pots.iter().any(|pot| matches!(pot.route, Route::Bank(_) | Route::Kick(_))), "{pots:?}");
    // Another ball right before the pocket, and one before the cue ball.
    let balls = [("cue", [0.635, 0.6]), ("1", [0.9, 1.9])];
    let plugged = lay(&[balls[0], balls[1], ("2", [1.14, 2.38])]);
    let pots = plugged.pots(&Wish::pot(&["1"]), stroke).unwrap();
    assert!(!routes(&pots).contains(&("1", 5, &Route::Direct)), "{pots:?}");
    let hidden = lay(&[balls[0], balls[1], ("2", [0.67, 0.72])]);
    let pots = hidden.pots(&Wish::pot(&["1"]).meeting_first(&["1"]), stroke).unwrap();
    let is_kick = |pot: &Pot| matches!(pot.route, Route::Kick(_) | Route::Several { kicks: 1.., .. });
    assert!(!pots.is_empty() && pots.iter().all(is_kick), "{pots:?}");
    // In a row to the corner.
    let row = lay(&[("cue", [0.6, 1.2]), ("1", [0.85, 1.7]), ("2", [1.06, 2.12])]);
    let wish = Wish::pot(&["2"]).meeting_first(&["1"]);
    let pots = row.pots(&wish, stroke).unwrap();
    assert!(routes(&pots).contains(&("2", 5, &Route::Combination("1".into()))), "{pots:?}");
    assert!(pots.iter().all(|pot| pot.route != Route::Direct));
    // A ball in the jaws, and one from which the cue ball goes there.
    let carom = lay(&[("cue", [0.5, 1.6]), ("1", [0.75, 2.2]), ("2", [1.22, 2.47])]);
    let pots = carom.pots(&Wish::pot(&["2"]).meeting_first(&["1"]), stroke).unwrap();
    assert!(routes(&pots).contains(&("2", 5, &Route::Carom("1".into()))), "{pots:?}");
    assert!(open.pots(&Wish::pot(&[]), stroke).unwrap().is_empty());
    assert!(matches!(open.pots(&Wish::pot(&["7"]), stroke), Err(Error::NoSuchBall { .. })));
    assert!(matches!(open.pots(&Wish::pot(&["1"]), Stroke::new(-1.0)), Err(Error::OutOfRange { .. })));
}

/// Whether a ball fell straight: the cue ball met it first, without a cushion of either before.
fn falls_straight(outcome: &Outcome) -> Option<(String, usize)> {
    let first = outcome.first_hit.clone()?;
    let potted = outcome.potted.iter().find(|potted| potted.ball == first)?;
    let of = |ball: &str, until: f64| outcome.cushions.iter().any(|hit| hit.ball == ball && hit.time < until);
    let hits = outcome.hits.iter().filter(|hit| hit.balls.contains(&first) && hit.time < potted.time).count();
    let is_straight = hits == 1 && !of("cue", outcome.first_hit_at?) && !of(&first, potted.time);
    is_straight.then_some((first, potted.pocket))
}

/// Whatever falls straight in a search over all directions is found, and everything found falls.
#[test]
fn straight_pots_are_all_found() {
    let table = Table::pool_9ft();
    let (mut straight, mut found) = (0, 0);
    for seed in 0..cases(8) {
        let rng = &mut Rng::new(seed);
        let mut layout = Layout::new();
        for label in ["cue", "1", "2", "3"] {
            layout = layout.with(label, table.ball, [rng.range(0.05, 1.22), rng.range(0.05, 2.49)]);
        }
        let Ok(game) = layout.build(&table) else { continue };
        let stroke = Stroke::new(2.5);
        let pots = game.pots(&Wish::pot(&["1", "2", "3"]), stroke).unwrap();
        for pot in &pots {
            let outcome = game.clone().shoot(&pot.shot).unwrap();
            assert!(outcome.potted.iter().any(|p| (&p.ball, p.pocket) == (&pot.ball, pot.pocket)), "{pot:?}");
            let ghost = game.table().to_world(pot.ghost);
            if pot.route == Route::Direct {
                found += 1;
                let line = ghost - place(&game, "cue");
                let beside = line.perp_dot(DVec2::from_angle(pot.shot.direction)).abs();
                // Throw and swerve of the ball ask for some degrees of its way: millimetres at the ghost
                // ball.
                assert!(beside < 0.01, "{beside} {pot:?}");
            }
        }
        let mut last = (None, 0);
        for k in 0..4000 {
            let aim = 2.0 * PI * f64::from(k) / 4000.0;
            let outcome = game.clone().shoot(&Shot::new(2.5).aimed_at(aim)).unwrap();
            let falls = falls_straight(&outcome);
            last = (falls.clone(), if falls == last.0 { last.1 + 1 } else { 1 });
            // Three directions side by side: not by chance.
            if let ((Some((ball, pocket)), 3), false) = (&last, outcome.potted.is_empty()) {
                // Cuts of lines up to 83° are tried; friction throws the ball by some degrees.
                let met = game.first_contact(&Shot::new(2.5).aimed_at(aim)).unwrap().unwrap();
                if met.cut.abs() > 1.3 {
                    continue;
                }
                straight += 1;
                let is_found = pots.iter().any(|pot| {
                    (pot.ball.as_str(), pot.pocket, &pot.route) == (ball, *pocket, &Route::Direct)
                });
                assert!(is_found, "seed {seed}: {ball} into {pocket} at {aim}");
            }
        }
    }
    assert!(straight >= cases(8) && found >= straight, "{straight} of {found}");
}

/// Balls that lie frozen to a rail, or near it, go along it into the corner: along the left rail, where a cue
/// ball in the open can reach a cut of at most 60°.
#[test]
fn pots_along_a_rail() {
    let table = Table::pool_9ft();
    for gap in [0.0, 0.01, 0.03] {
        for up in [1.5, 1.7, 2.0] {
            let lies = [table.ball.radius + gap, up];
            let game = lay(&[("cue", [0.45, up - 0.4]), ("1", lies)]);
            let pots = game.pots(&Wish::pot(&["1"]), Stroke::new(2.5)).unwrap();
            let is_along = |pot: &&Pot| matches!(pot.route, Route::AlongRail(Rail::Left) | Route::Direct);
            assert!(pots.iter().filter(is_along).any(|pot| pot.pocket == 2), "{gap} {up} {pots:?}");
        }
    }
}

/// Of the balls and pockets that a fan of directions finds, 9 of 10 are found, whatever cushions and balls
/// take part.
#[test]
fn most_pots_are_found() {
    let (mut known, mut found) = (0, 0);
    for seed in 0..cases(2) {
        let rng = &mut Rng::new(seed);
        // Places at which balls would overlap are drawn again.
        let game = core::iter::repeat_with(|| {
            let balls = ["cue", "1", "2", "3"];
            let places = balls.map(|label| (label, [rng.range(0.05, 1.22), rng.range(0.05, 2.49)]));
            let table = Table::pool_9ft();
            support::lay(&table, places).build(&table)
        });
        let game = game.filter_map(Result::ok).next().unwrap();
        let pots = game.pots(&Wish::pot(&["1", "2", "3"]), Stroke::new(2.5)).unwrap();
        let mut fan = std::collections::BTreeMap::new();
        for k in 0..6000 {
            let aim = 2.0 * PI * f64::from(k) / 6000.0;
            let outcome = game.clone().shoot(&Shot::new(2.5).aimed_at(aim)).unwrap();
            for fell in outcome.potted.into_iter().filter(|fell| fell.ball != "cue") {
                // Two directions side by side: not by chance.
                let (last, is_wide) = fan.entry((fell.ball, fell.pocket)).or_insert((k, false));
                (*is_wide, *last) = (*is_wide || k == *last + 1, k);
            }
        }
        let wide: Vec<_> = fan.into_iter().filter(|(_, (_, is_wide))| *is_wide).map(|(pot, _)| pot).collect();
        known += wide.len();
        let is_found = |(ball, pocket): &&(String, usize)| {
            pots.iter().any(|pot| (&pot.ball, pot.pocket) == (ball, *pocket))
        };
        found += wide.iter().filter(is_found).count();
    }
    assert!(known >= 10 && 10 * found >= 9 * known, "{found} of {known}");
}

/// The mirror image of a table has the mirrored pots.
#[test]
fn pots_of_a_mirrored_table() {
    let width = Table::pool_9ft().width;
    let balls = [("cue", [0.45, 0.8]), ("1", [0.95, 1.5]), ("2", [0.6, 2.1])];
    let mirrored = balls.map(|(label, [x, y])| (label, [width - x, y]));
    let pots =
        |balls: &[(&str, [f64; 2])]| lay(balls).pots(&Wish::pot(&["1", "2"]), Stroke::new(2.0)).unwrap();
    let swap = |rail: Rail| match rail {
        Rail::Left => Rail::Right,
        Rail::Right => Rail::Left,
        same => same,
    };
    let mut expected: Vec<_> =
        pots(&balls).iter().map(|pot| (pot.ball.clone(), pot.pocket, pot.route.clone())).collect();
    let mut found: Vec<_> = pots(&mirrored)
        .into_iter()
        .map(|pot| {
            let route = match pot.route {
                Route::Bank(rail) => Route::Bank(swap(rail)),
                Route::Kick(rail) => Route::Kick(swap(rail)),
                route => route,
            };
            (pot.ball, (pot.pocket + 3) % 6, route)
        })
        .collect();
    let key = |pot: &(String, usize, Route)| format!("{pot:?}");
    expected.sort_by_key(key);
    found.sort_by_key(key);
    assert!(!found.is_empty());
    assert_eq!(found, expected);
}

/// On a table whose cushions and pockets are placed one by one: a square with a hole in its middle.
#[test]
fn pots_in_an_outline() {
    let corners = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(DVec2::from);
    let nose = |k: usize| Nose {
        from: corners[k],
        to: corners[(k + 1) % 4],
        height: Table::POOL_NOSE,
        rounding: 0.0,
    };
    let hole = Hole { center: DVec2::ONE, radius: 0.08 };
    let outline = Outline { noses: (0..4).map(nose).collect(), jaws: Vec::new(), holes: vec![hole] };
    let table = Table { width: 2.0, length: 2.0, outline: Some(outline), ..Table::pool_9ft() };
    let layout = support::lay(&table, [("cue", [0.3, 0.4]), ("1", [0.6, 0.65])]);
    let pots = layout.build(&table).unwrap().pots(&Wish::pot(&["1"]), Stroke::new(1.0)).unwrap();
    assert_eq!(pots[0].route, Route::Direct);
    // The fan finds what cushions do, whose numbers are those of the outline.
    assert!(pots[1..].iter().all(|pot| matches!(pot.route, Route::Several { .. })), "{pots:?}");
}

/// Law: each way that is found for given numbers of rails has these numbers when it is played: the cue ball
/// before its first ball, and the ball before it falls. Cushions below 6 are noses.
#[test]
fn pots_off_given_numbers_of_rails() {
    let game = lay(&[("cue", [0.5, 0.8]), ("1", [0.9, 1.1])]);
    let stroke = Stroke { elevation: 0.05, ..Stroke::new(3.0) };
    for (kicks, banks) in [(0, 0), (0, 1), (0, 2), (1, 0), (0, 3)] {
        let wish = Wish::pot(&["1"]).off_cushions(Some(kicks), Some(banks));
        let pots = game.pots(&wish, stroke).unwrap();
        assert!(!pots.is_empty(), "{kicks} {banks}");
        for pot in pots {
            let outcome = game.clone().shoot(&pot.shot).unwrap();
            assert_eq!(pot.shot.elevation, 0.05);
            let fell = outcome.potted.iter().find(|fell| fell.ball == "1" && fell.pocket == pot.pocket);
            let (first, fell) = (outcome.first_hit_at.unwrap(), fell.unwrap().time);
            let met = |ball: &str, until: f64| {
                let noses = outcome.cushions.iter().filter(|hit| hit.ball == ball && hit.cushion < 6);
                noses.filter(|hit| hit.time < until).count()
            };
            assert_eq!((met("cue", first), met("1", fell)), (kicks, banks), "{pot:?}");
        }
    }
}
