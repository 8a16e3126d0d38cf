//! Scenes as files: round trips, errors that say where, what a file means.

use crate::support::{lay, throw};
use carom_billiards::{BallState, CushionModel, Happening, Placed, Scene, SceneBall, Shot, Table};
use carom_engine::glam::DVec3;
use carom_engine::{DVec2, StopReason};
use carom_scene::{SceneError, Syntax};
use carom_testkit::refused::refusals;

/// A scene with every field but those of cushions one by one, which do not stand beside pockets.
const EVERY_FIELD: &str = include_str!("../every-field.toml");
const DOCUMENTATION: &str = include_str!("../../../../docs/billiard-scenes.md");

/// The files of the page.
fn documented() -> Vec<&'static str> {
    DOCUMENTATION.split("```toml\n").skip(1).map(|text| text.split("```").next().unwrap()).collect()
}

/// `Debug` of a float reads back to the same bits, and shows −0.
fn bits(scene: &Scene) -> String {
    format!("{scene:?}")
}

fn load(text: &str) -> Scene {
    Scene::from_toml(text, "a").unwrap()
}

/// Law: what is loaded, saved and loaded again is the same to the last bit, in both formats.
#[test]
fn files_keep_every_bit() {
    let named = Scene::NAMED.iter().map(|&(_, text)| text);
    let mut odd = load(EVERY_FIELD);
    odd.balls[1].velocity = DVec2::new(-0.0, 0.1 + 0.2);
    odd.shot.as_mut().unwrap().direction = -0.0;
    odd.table.ball.coefficients.rolling = f64::MIN_POSITIVE;
    let all = named.chain([EVERY_FIELD]).chain(documented()).map(load).chain([odd]);
    for scene in all {
        let toml = scene.to_text(Syntax::Toml).unwrap();
        let json = load(&toml).to_text(Syntax::Json).unwrap();
        let back = Scene::from_json(&json, "a.json").unwrap();
        assert_eq!(bits(&back), bits(&scene));
        assert_eq!(back.to_text(Syntax::Toml).unwrap(), toml);
    }
}

/// The page names each field that is written, and the round trip above covers each that the page names.
#[test]
fn the_page_has_every_field() {
    let written = |text: &str| load(text).to_text(Syntax::Json).unwrap();
    let json = [EVERY_FIELD, documented()[1]].map(written).concat();
    let mut count = 0;
    for line in json.lines() {
        let Some((name, _)) = line.trim().strip_prefix('"').and_then(|rest| rest.split_once("\":")) else {
            continue;
        };
        assert!(DOCUMENTATION.contains(&format!("`{name}`")) || DOCUMENTATION.contains(&format!("{name} =")));
        count += 1;
    }
    assert!(count > 60, "{count}");
    let fields = DOCUMENTATION.lines().filter(|line| line.starts_with("| `"));
    for cell in fields.filter_map(|line| line.split('|').nth(1)) {
        for name in cell.split(',').map(|name| name.trim().trim_matches('`')) {
            assert!(json.contains(&format!("\"{name}\"")), "{name} is documented and not written");
        }
    }
}

/// Law: an error names file, line, column, field, value and what is allowed.
#[test]
fn errors_say_where() {
    for [from, to, says] in refusals(include_str!("../refused.txt"), "scene") {
        let text = EVERY_FIELD.replacen(&from, &to, 1);
        assert!(text != EVERY_FIELD, "{from}");
        let error = Scene::from_toml(&text, "shot.toml").unwrap_err().to_string();
        assert!(error.contains(&says) && error.starts_with("shot.toml:"), "{from} -> {to}: {error}");
    }
    let unknown = Scene::named("stop-shto").unwrap_err();
    assert!(matches!(unknown, SceneError::NoSuchScene { closest: Some("stop-shot"), .. }), "{unknown}");
    let discs = Scene::from_toml("format = 1\nmodel = \"discs\"\nuntil = 1\n", "a").unwrap_err().to_string();
    assert!(discs.contains("allowed: \"billiards\""), "{discs}");
    let beside = "format = 1\nmodel = \"billiards\"\n[table]\nname = \"pool-9ft\"\n\
        holes = [{ center = [0, 0], radius = 0.1 }]\npockets = { cushion_width = 0.05 }\n";
    let beside = Scene::from_toml(beside, "a").unwrap_err().to_string();
    assert!(beside.starts_with("a:6:11: table.pockets: has no meaning here"), "{beside}");
}

/// Law: a file means what the library says: the same shot has the same bits.
#[test]
fn a_file_is_the_shot_of_the_library() {
    let (game, recording) = Scene::named("stop-shot").unwrap().record().unwrap();
    let table = Table::pool_9ft();
    let balls = [("cue", [0.4, 1.67]), ("1", [0.75, 2.02])];
    let layout = lay(&table, balls);
    let shot =
        Shot::new(2.5).aimed_at(core::f64::consts::FRAC_PI_4).with_elevation(0.06).with_offset(0.0, -0.05);
    let by_hand = layout.build(&table).unwrap().record(&shot).unwrap();
    assert_eq!((game.layout(), &recording), (&layout, &by_hand));
}

/// Law: the states of an event are a scene again, and what follows is what followed.
#[test]
fn a_state_can_be_gone_on_from() {
    let scene = Scene::named("three-cushion-natural").unwrap();
    let (game, recording) = scene.record().unwrap();
    let half = 0.5 * recording.outcome.duration;
    let mut rest = Scene { shot: None, ..scene };
    // Where all are at the last event of the first half.
    let mut played = game.layout().build(game.table()).unwrap();
    let until =
        played.record_until(Scene::named("three-cushion-natural").unwrap().shot.as_ref(), half).unwrap();
    assert_eq!((until.outcome.end, until.outcome.duration), (StopReason::Stopped, half));
    rest.balls = (0..3)
        .map(|k| {
            let ball = played.world().get(played.discs()[k]).unwrap();
            let at = game.table().from_world(ball.position());
            let placed = Placed { at, ..game.layout().balls[k].clone() };
            SceneBall { placed, velocity: ball.velocity(), state: ball.extra() }
        })
        .collect();
    let last = until.moments.last().unwrap().time;
    let text = rest.to_text(Syntax::Json).unwrap();
    let (_, followed) = Scene::from_json(&text, "rest").unwrap().record().unwrap();
    // Places are rounded once more in the frame of the table: the impacts are the same, a little off.
    let later = |moments: &[carom_billiards::Moment]| -> Vec<Happening> {
        moments.iter().filter(|moment| !matches!(moment.what, Happening::Change(_))).map(|m| m.what).collect()
    };
    let expected = later(&recording.moments[until.moments.len()..]);
    assert_eq!(later(&followed.moments), expected);
    assert!((followed.outcome.duration - (recording.outcome.duration - last)).abs() < 1e-6);
}

/// Cushions one by one: in a channel of two noses a ball goes to and fro, and a hole takes another.
#[test]
fn cushions_and_pockets_can_be_placed_one_by_one() {
    let text = "format = 1\nmodel = \"billiards\"\nuntil = 9\n[table]\nname = \"carom-10ft\"\nwidth = 4\n\
        cushion = \"restitution\"\nball = { rolling = 0, cushion_restitution = 1 }\n\
        noses = [{ from = [0, 0], to = [0, 2] }, { from = [4, 0], to = [4, 2], height = 0.036 }]\n\
        jaws = [{ center = [2, 2], radius = 0.1 }]\nholes = [{ center = [3, 0.5], radius = 0.1 }]\n\
        [[balls]]\nlabel = \"a\"\nposition = [2, 1]\nvelocity = [2, 0]\nhold = \"grips\"\n\
        [[balls]]\nlabel = \"b\"\nposition = [2, 0.5]\nvelocity = [1, 0]\nhold = \"grips\"\n\
        [[balls]]\nlabel = \"c\"\nposition = [2, 1.5]\nvelocity = [0, 1]\nhold = \"grips\"\n";
    let scene = load(text);
    let outline = scene.table.outline.as_ref().unwrap();
    assert_eq!((outline.noses[0].height, outline.noses[1].height), (Table::CAROM_NOSE, 0.036));
    assert_eq!(scene.table.physics.cushion, CushionModel::Restitution);
    let (game, recording) = scene.record().unwrap();
    assert_eq!((recording.outcome.end, recording.outcome.duration), (StopReason::Stopped, 9.0));
    let potted = &recording.outcome.potted;
    assert_eq!((potted.len(), potted[0].ball.as_str(), potted[0].pocket), (1, "b", 0));
    assert!((potted[0].time - 0.9).abs() < 1e-9);
    let hits = |label: &str| -> Vec<(usize, f64)> {
        let hits = recording.outcome.cushions.iter().filter(|hit| hit.ball == label);
        hits.map(|hit| (hit.cushion, hit.time)).collect()
    };
    let (a, c) = (hits("a"), hits("c"));
    let first = (4.0 - 2.0 - game.table().ball.radius) / 2.0;
    assert!(a[0].0 == 1 && (a[0].1 - first).abs() < 1e-9 && a[1].0 == 0, "{a:?}");
    assert!(c[0].0 == 2 && (c[0].1 - (0.5 - 0.1 - game.table().ball.radius)).abs() < 1e-9, "{c:?}");
}

/// Law: without a stroke a ball rolls as it would after one.
#[test]
fn balls_may_move_by_themselves() {
    let text = "format = 1\nmodel = \"billiards\"\n[table]\nname = \"pool-9ft\"\n[[balls]]\nlabel = \"cue\"\n\
        position = [0.6, 0.6]\nvelocity = [0.1, 0.5]\nspin = [0, 0, 20]\n";
    let scene = load(text);
    let (game, recording) = scene.record().unwrap();
    let mut by_hand = game.layout().build(game.table()).unwrap();
    throw(&mut by_hand, "cue", DVec2::new(0.1, 0.5), BallState::turning(DVec3::new(0.0, 0.0, 20.0)));
    by_hand.world_mut().advance_to(100.0).unwrap();
    let place = |game: &carom_billiards::Game| game.world().get(game.discs()[0]).unwrap().position();
    assert_eq!(place(&game), place(&by_hand));
    assert_eq!((recording.outcome.first_hit, recording.outcome.strike.velocity), (None, DVec2::ZERO));
}
