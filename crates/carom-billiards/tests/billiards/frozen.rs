//! Balls that are put frozen to others and to cushions.

use carom_billiards::{Error, Hole, Layout, Nose, Outline, Place, RoundNose, Scene, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::rng::Rng;
use core::f64::consts::{FRAC_PI_2, TAU};

/// What touching is to the engine: a gap of at most 4·2⁻⁵² of the coordinates in the world.
fn slack(table: &Table, places: [DVec2; 2]) -> f64 {
    let largest = places.map(|at| table.to_world(at).abs().max_element());
    4.0 * f64::EPSILON * largest[0].max(largest[1]).max(2.0 * table.ball.radius)
}

fn frozen_to(ball: &str, direction: f64) -> Place {
    Place::FrozenToBall { ball: ball.into(), direction }
}

/// Law: a ball that is frozen to another has a gap of 0 to it, to the rounding of places, in the direction
/// that was asked for, everywhere on the table; a push on the other moves both at the instant at which they
/// meet. Near the centre the frame of the table has no such places for one ball of 80.
#[test]
fn a_ball_is_frozen_to_another() {
    let (table, mut rng) = (Table::pool_9ft(), Rng::new(43));
    for _ in 0..500 {
        let place =
            |rng: &mut Rng, half: f64| table.centre() + (DVec2::new(rng.unit(), rng.unit()) - 0.5) * half;
        let half = if rng.unit() < 0.5 { 0.2 } else { 1.0 };
        let (at, direction) = (place(&mut rng, half), TAU * rng.unit());
        let layout = Layout::new().with("1", table.ball, at);
        let beside = layout.find("2", &table.ball, &frozen_to("1", direction), &table).unwrap();
        let behind = at - DVec2::from_angle(direction) * 0.1;
        let layout = layout.with("2", table.ball, beside).with("cue", table.ball, behind);
        let mut game = layout.build(&table).unwrap();
        let gap = game.gap("1", "2").unwrap();
        assert!(gap.abs() <= slack(&table, [at, beside]), "{at} {direction}: {gap:e}");
        let off = (beside - at).normalize().perp_dot(DVec2::from_angle(direction));
        assert!(off.abs() < 1e-14, "{at} {direction}: {off}");
        let outcome = game.shoot(&Shot::new(1.0).aimed_at(direction)).unwrap();
        let met: Vec<f64> = outcome.hits.iter().take(2).map(|hit| hit.time).collect();
        assert_eq!(met[0], met[1], "{at} {direction}");
    }
}

/// Law: two radii apart is frozen, wherever balls lie: places in decimals as people write them.
#[test]
fn two_radii_apart_is_frozen() {
    let (table, mut rng) = (Table::pool_9ft(), Rng::new(44));
    for _ in 0..500 {
        let rounded = |least: f64, rng: &mut Rng| ((least + 0.3 * rng.unit()) * 1e3).round() / 1e3;
        let at = DVec2::new(rounded(0.485, &mut rng), rounded(1.12, &mut rng));
        let steps = [DVec2::X, DVec2::Y, DVec2::new(0.6, 0.8), DVec2::new(-0.28, 0.96)];
        let step = steps[(4.0 * rng.unit()) as usize];
        let beside = at + step * 0.05715;
        let layout = Layout::new().with("1", table.ball, at).with("2", table.ball, beside);
        let game = layout.build(&table).unwrap();
        assert!(game.gap("1", "2").unwrap().abs() <= slack(&table, [at, beside]), "{at} {beside}");
        // The same by hand, in a game that is there.
        let mut game = Layout::new().with("1", table.ball, at).with("2", table.ball, [0.1, 0.1]);
        game = game.with("3", table.ball, [0.1, 0.3]);
        let mut game = game.build(&table).unwrap();
        game.place("2", beside).unwrap();
        assert!(game.gap("1", "2").unwrap().abs() <= slack(&table, [at, beside]), "{at} {beside}");
    }
}

/// Law: a ball that is frozen to a cushion is a radius from it, where the point is nearest to it: a side, a
/// facing, a jaw; noses and posts that are placed one by one, near the centre as elsewhere.
#[test]
fn a_ball_is_frozen_to_a_cushion() {
    let table = Table::pool_9ft();
    let at = |near: [f64; 2], table: &Table| {
        let place = Place::FrozenToCushion { near: near.into() };
        Layout::new().find("1", &table.ball, &place, table).unwrap()
    };
    let radius = table.ball.radius;
    for (near, expected) in [
        ([0.2, 1.9], [radius, 1.9]),
        ([0.0, 1.9], [radius, 1.9]),
        ([1.27, 0.6], [1.27 - radius, 0.6]),
        ([0.635, 2.54], [0.635, 2.54 - radius]),
        ([0.4, 0.01], [0.4, radius]),
    ] {
        assert!((at(near, &table) - DVec2::from(expected)).length() < 1e-15, "{near:?}");
        let layout = Layout::new().with("cue", table.ball, at(near, &table));
        let outcome = layout.build(&table).unwrap().shoot(&Shot::new(1.0).with_elevation(0.2));
        assert!(outcome.is_ok());
    }
    let mut outlined = Table { rail: 0.0, ..Table::carom_10ft() };
    let (height, rounding) = (outlined.nose, 0.0);
    let [from, to] = [[0.5, 1.3], [0.9, 1.5]].map(DVec2::from);
    outlined.outline = Some(Outline {
        noses: vec![Nose { from, to, height, rounding }],
        jaws: vec![RoundNose { center: DVec2::new(0.6, 1.7), radius: 0.1, height, rounding }],
        holes: vec![Hole { center: DVec2::new(0.1, 0.1), radius: 0.06 }],
    });
    let mut rng = Rng::new(45);
    for _ in 0..500 {
        let near = [0.55 + 0.3 * rng.unit(), 1.2 + 0.6 * rng.unit()];
        let (centre, along) = (at(near, &outlined), (to - from).normalize());
        let to_nose = (centre - from).perp_dot(along).abs();
        let to_post = (centre - DVec2::new(0.6, 1.7)).length() - 0.1;
        let gap = to_nose.min(to_post) - outlined.ball.radius;
        let overlaps = to_nose.max(to_post) < outlined.ball.radius;
        assert!(gap.abs() < 1e-15 || overlaps, "{near:?} {gap}");
        let built = Layout::new().with("cue", outlined.ball, centre).build(&outlined);
        assert!(built.is_ok() || to_nose.max(to_post) < outlined.ball.radius * 1.01, "{near:?} {built:?}");
    }
}

/// What cannot be is said: a ball that is not there, itself, a point beside the table, a place that is taken.
#[test]
fn what_cannot_be_frozen_is_refused() {
    let table = Table::pool_9ft();
    let layout = Layout::new().with("1", table.ball, [0.6, 0.03]);
    let find = |place: Place| layout.find("2", &table.ball, &place, &table);
    let unknown = find(frozen_to("9", 0.0)).unwrap_err();
    assert_eq!(unknown.to_string(), "there is no ball to be frozen to: \"9\"; there are 1");
    let itself = layout.find("1", &table.ball, &frozen_to("1", 0.0), &table).unwrap_err();
    assert_eq!(itself.to_string(), "there is no ball to be frozen to: \"1\"; there are none so far");
    let far = find(frozen_to("1", f64::NAN)).unwrap_err();
    assert!(matches!(far, Error::OutOfRange { field: "direction", .. }), "{far}");
    let beside = find(Place::FrozenToCushion { near: DVec2::new(0.6, 3.0) }).unwrap_err();
    assert!(matches!(beside, Error::OffTable { y: 3.0, .. }), "{beside}");
    let build = |at: DVec2| layout.clone().with("2", table.ball, at).build(&table).unwrap_err();
    let outside = build(find(frozen_to("1", -FRAC_PI_2)).unwrap());
    assert!(matches!(outside, Error::OffTable { .. }), "{outside}");
    let taken = build(find(Place::FrozenToCushion { near: DVec2::new(0.61, 0.0) }).unwrap());
    assert!(matches!(taken, Error::Overlap { .. }), "{taken}");
}

/// In files: to a ball of the rack, to one before, to a cushion; what is written back has the same bits.
#[test]
fn scenes_have_frozen_balls() {
    let text = |balls: &str| {
        let table = "format = 1\nmodel = \"billiards\"\n[table]\nname = \"pool-9ft\"\n";
        format!("{table}[rack]\nname = \"9-ball\"\n{balls}")
    };
    let ball = |label: &str, more: &str| format!("[[balls]]\nlabel = \"{label}\"\n{more}\n");
    let all = ball("a", "frozen = { ball = \"1\", direction = -1.6 }")
        + &ball("b", "frozen = { ball = \"a\", direction = -0.5 }")
        + &ball("cue", "frozen = { cushion = [0.635, 0] }");
    let scene = Scene::from_toml(&text(&all), "a").unwrap();
    let game = scene.build().unwrap();
    for [a, b] in [["a", "1"], ["b", "a"]] {
        assert!(game.gap(a, b).unwrap().abs() < 1e-15);
    }
    assert!((scene.balls[2].placed.at - DVec2::new(0.635, 0.028575)).length() < 1e-15);
    assert_eq!(
        Scene::from_toml(&scene.to_toml().unwrap(), "b").unwrap(),
        Scene { name: "a".into(), ..scene }
    );
    for (balls, says) in [
        (ball("a", ""), "a:7:1: balls[0].position: missing; it is needed without `frozen`"),
        (ball("a", "position = [1, 1]\nfrozen = { ball = \"1\", direction = 0 }"), "instead of `position`"),
        (ball("a", "frozen = { ball = \"1\" }"), "balls[0].frozen: has no meaning here; it has `ball` and"),
        (ball("a", "frozen = { ball = \"b\", direction = 0 }"), "there is no ball to be frozen to: \"b\""),
        (ball("a", "frozen = { cushion = [3, 1] }"), "ball \"a\" is at (3, 1)"),
    ] {
        let error = Scene::from_toml(&text(&balls), "a").unwrap_err().to_string();
        assert!(error.contains(says), "{error}");
    }
}
