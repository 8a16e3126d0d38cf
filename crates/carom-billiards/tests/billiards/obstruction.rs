//! What is in the way of the cue.

use crate::support::{assert_near, lay};
use carom_billiards::{Cue, Game, Layout, Nose, Obstacle, Outline, RoundNose, Shot, Table};
use carom_engine::DVec2;
use core::f64::consts::FRAC_PI_2;

/// Half of the angle of the cone that a cue is.
fn taper(cue: &Cue) -> f64 {
    ((cue.butt_radius - cue.tip_radius) / cue.length).atan()
}

/// The least elevation over a thing behind the ball, worked out in the plane through the axis of the cue
/// (docs/derivations/cue.md): the thing is a point or a circle of the radius `size`, `far` behind the tip and
/// `up` above it. The side of the cone makes the angle `θ − α` with the cloth, and is to be `size` away:
/// `sin(θ − α − δ) = (size + r cos α)/D` with the distance `D` and the elevation `δ` of the middle.
fn over(cue: &Cue, far: f64, up: f64, size: f64) -> f64 {
    let sine = (size + cue.tip_radius * taper(cue).cos()) / far.hypot(up);
    taper(cue) + up.atan2(far) + sine.asin()
}

/// Ten cushions and ten balls behind the cue ball, with the tip at three heights.
#[test]
fn twenty_placements_are_those_of_plane_geometry() {
    let (table, cue) = (Table::pool_9ft(), Cue::POOL);
    let radius = table.ball.radius;
    let tip = |height: f64| [radius * (1.0 - height * height).sqrt(), radius * (1.0 + height)];
    let mut rows = 0;
    for (far, height) in
        [0.03, 0.05, 0.1, 0.3].into_iter().flat_map(|far| [0.0, 0.17, 0.45].map(|h| (far, h)))
    {
        let game = lay(&table, [("cue", [far, 0.9])]).build(&table).unwrap();
        let shot = Shot::new(1.0).with_offset(0.0, height);
        let [behind, up] = tip(height);
        let nose = over(&cue, far - behind, table.nose - up, 0.0);
        let rail = over(&cue, far - behind + 0.0508, table.rail - up, 0.0);
        let found = game.obstruction(&shot).unwrap();
        if nose.max(rail) <= 0.0 {
            // A level cue passes over both.
            assert_eq!(found, None);
            continue;
        }
        if nose.is_nan() || nose > FRAC_PI_2 {
            // The nose is as near to the tip as that is wide: no cue gets there.
            assert_eq!(found.unwrap().least_elevation, None);
            continue;
        }
        rows += 1;
        let found = found.unwrap();
        assert_eq!(found.by, if nose > rail { Obstacle::Cushion } else { Obstacle::Rail });
        assert_near(found.least_elevation.unwrap(), nose.max(rail), 2e-9);
        println!("cushion {far} {height}: {:.2}", nose.max(rail).to_degrees());
    }
    for (gap, height) in [0.005, 0.01, 0.05].into_iter().flat_map(|gap| [0.0, 0.17, 0.45].map(|h| (gap, h))) {
        let behind_it = 1.27 - 2.0 * radius - gap;
        let game = lay(&table, [("cue", [0.635, 1.27]), ("1", [0.635, behind_it])]).build(&table).unwrap();
        let shot = Shot::new(1.0).aimed_at(FRAC_PI_2).with_offset(0.0, height);
        let [behind, up] = tip(height);
        let expected = over(&cue, 2.0 * radius + gap - behind, radius - up, radius);
        let found = game.obstruction(&shot).unwrap().unwrap();
        if expected.is_nan() || expected > FRAC_PI_2 {
            // No steeper cue gets between the balls.
            assert_eq!(found.least_elevation, None, "{gap} {height}");
            continue;
        }
        rows += 1;
        assert_eq!(found.by, Obstacle::Ball("1".into()));
        assert_near(found.least_elevation.unwrap(), expected, 2e-9);
        assert_eq!(game.least_elevation(&shot).unwrap(), found.least_elevation);
        let clear = shot.clone().with_elevation(expected + 1e-8);
        assert_eq!(game.obstruction(&clear).unwrap(), None);
        println!("ball {gap} {height}: {:.2}", expected.to_degrees());
    }
    assert!(rows >= 16, "{rows}");
}

/// Beside the line of the cue a ball is in the way where the cone meets it: its radius there and that of the
/// ball. A level cue with its tip at the height of the centres meets a ball `x` behind the tip if it is less
/// than `(R + r cos α + x sin α)/cos α` beside.
#[test]
fn balls_beside_the_line() {
    let table = Table { width: 10.0, length: 10.0, ..Table::carom_10ft() };
    let (radius, cue) = (table.ball.radius, Cue::POOL);
    let alpha = taper(&cue);
    for far in [0.1, 0.5, 1.2] {
        let reach = (radius + cue.tip_radius * alpha.cos() + far * alpha.sin()) / alpha.cos();
        for (beside, is_hit) in [(reach - 1e-9, true), (reach + 1e-9, false), (-reach - 1e-9, false)] {
            let at = [5.0 + beside, 5.0 - radius - far];
            let game = lay(&table, [("cue", [5.0, 5.0]), ("red", at)]).build(&table).unwrap();
            let found = game.obstruction(&Shot::new(1.0).aimed_at(FRAC_PI_2)).unwrap();
            let hit = found.is_some_and(|found| found.by == Obstacle::Ball("red".into()));
            assert_eq!(hit, is_hit, "{far} {beside}");
        }
    }
}

/// A table with one cushion of its own, or one round one, as an outline.
fn behind(noses: Vec<Nose>, jaws: Vec<RoundNose>) -> Game {
    let outline = Some(Outline { noses, jaws, holes: Vec::new() });
    let table = Table { outline, ..Table::pool_9ft() };
    lay(&table, [(Layout::CUE, [0.6, 1.2])]).build(&table).unwrap()
}

/// Cushions of an outline are seen at their own heights: a straight one as on any table, however it lies, and
/// a round one by the point that faces the ball.
#[test]
fn outlines_are_in_the_way() {
    let (cue, radius) = (Cue::POOL, Table::pool_9ft().ball.radius);
    let shot = Shot::new(1.0).aimed_at(FRAC_PI_2);
    let expected = over(&cue, 0.1 - radius, 0.04 - radius, 0.0);
    let (height, rounding) = (0.04, 0.0);
    let nose = |from: [f64; 2], to: [f64; 2]| Nose { from: from.into(), to: to.into(), height, rounding };
    let straight = behind(vec![nose([0.3, 1.1], [0.9, 1.1])], Vec::new());
    let center = DVec2::new(0.6, 0.8);
    let round = behind(Vec::new(), vec![RoundNose { center, radius: 0.3, height, rounding }]);
    for game in [straight, round] {
        let found = game.obstruction(&shot).unwrap().unwrap();
        assert_eq!(found.by, Obstacle::Cushion);
        assert_near(found.least_elevation.unwrap(), expected, 2e-8);
    }
    // One that ends beside the cue is in the way as far as the cue is wide there.
    let width = |far: f64| cue.tip_radius + far * taper(&cue).tan();
    for (gap, is_hit) in [(-1e-4, true), (1e-4, false)] {
        let end = 0.6 + width(0.1 - radius) + gap;
        let game = behind(vec![nose([end, 1.1], [0.9, 1.1])], Vec::new());
        assert_eq!(game.obstruction(&shot).unwrap().is_some(), is_hit, "{gap}");
    }
}
