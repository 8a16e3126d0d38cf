//! What the room of billiards shows is what the engine says, whatever is done in it.

use super::{Window, place};
use carom_billiards::{Game, Motion, Scene, Table};
use carom_engine::DVec2;
use carom_scene::RunHash;
use carom_viewer::{Aim, BilliardRoom, BilliardSession, Phase};
use eframe::egui::{Key, vec2};
use serde_json::Value;

fn open(text: &str) -> BilliardSession {
    BilliardSession::open(text).unwrap().unwrap()
}

fn hash(game: &Game) -> u64 {
    let mut hash = RunHash::new();
    hash.states(game.world());
    hash.value()
}

/// The oracle: the scene that is saved, built and played by the library alone.
fn native(saved: &str) -> (f64, u64) {
    let scene = Scene::from_json(saved, "saved").unwrap();
    let contact = scene.build().unwrap().first_contact(scene.shot.as_ref().unwrap()).unwrap().unwrap();
    let (game, _) = scene.record().unwrap();
    (contact.time, hash(&game))
}

#[test]
fn forecasts_and_shots_are_those_of_the_library() {
    for name in ["9-ball", "snooker", "three-cushion", "draw-shot", "masse-shot", "twice-around"] {
        let mut session = open(name);
        let saved = session.saved().unwrap();
        let (time, at_rest) = native(&saved);
        let forecast = session.forecast().unwrap();
        assert_eq!(forecast.contact.as_ref().unwrap().time, time, "{name}");
        let end = forecast.recording.as_ref().unwrap().outcome.duration;
        assert!(session.shoot(), "{name}: {}", session.message());
        assert_eq!((session.phase(), session.time()), (Phase::Rolling, Some((0.0, end))), "{name}");
        session.go_to(end);
        let lies: Vec<DVec2> = session.balls().iter().map(|ball| ball.position).collect();
        assert!(session.phase() != Phase::Rolling && !lies.is_empty());
        // What the rules put back is no longer where it came to rest.
        if !session.has_rules() {
            assert_eq!(session.hash(), at_rest, "{name}");
        }
    }
}

/// A link has the table and the stroke with every bit, and tells where the stroke leaves the balls.
#[test]
fn a_link_opens_the_same_table_and_stroke() {
    let mut session = open("9-ball");
    session.put("cue", DVec2::new(0.123_456_789, -0.7));
    session.set_aim(Aim { direction: 1.5, speed: 6.5, side: 0.1, height: -0.2, elevation: 0.1 });
    let link = session.share().unwrap();
    let mut other = open(&link);
    assert_eq!((other.hash(), other.shot()), (session.hash(), session.shot()));
    let times = [&mut session, &mut other].map(|s| s.forecast().unwrap().contact.as_ref().unwrap().time);
    assert_eq!(times[0], times[1]);
    assert_eq!(other.share().unwrap(), link);
    let promise = other.promise().unwrap();
    assert!(promise.is_kept() && other.message().is_empty());
    // The result is that of the library, and of the shot as it is played.
    assert_eq!(promise.here, native(&other.saved().unwrap()).1);
    assert!(other.shoot());
    other.finish();
    assert_eq!(other.hash(), promise.here);
    assert!(BilliardSession::open(&link[..link.len() / 2]).unwrap().is_err());
}

/// Without its result a link opens, with another one it says so, and with a part of it it is broken.
#[test]
fn a_link_with_another_result_says_so() {
    let link = open("stop-shot").share().unwrap();
    let (start, end) = link.rsplit_once('.').unwrap();
    let old = open(start);
    assert!(old.promise().is_none() && old.message().is_empty());
    let told = u64::from_str_radix(end, 16).unwrap();
    let mut window = Window::new(&format!("{start}.{:016x}", told ^ 1));
    let shown = window.describe();
    assert_eq!(shown["promise"], false);
    assert!(shown["message"].as_str().unwrap().contains("result"));
    let cut = BilliardSession::open(&link[..link.len() - 1]).unwrap();
    assert!(cut.is_err_and(|message| message.contains("broken")));
}

/// The balls that are drawn are where the engine has them, whichever way one came to the time.
#[test]
fn scrubbing_is_exact_both_ways() {
    let mut session = open("9-ball");
    assert!(session.shoot());
    let end = session.time().unwrap().1;
    let look = |session: &mut BilliardSession, part: f64| {
        session.go_to(part * end);
        (session.hash(), session.balls().iter().map(|ball| ball.position).collect::<Vec<DVec2>>())
    };
    let parts = [0.0, 0.01, 0.1, 0.3, 0.7, 0.95];
    let forwards = parts.map(|part| look(&mut session, part));
    for (part, seen) in parts.iter().zip(&forwards).rev() {
        assert_eq!(look(&mut session, *part), *seen);
    }
    // At rest all lie where the pieces of their paths end.
    let last = look(&mut session, 1.0 - 1e-12).1;
    session.finish();
    let lies: Vec<DVec2> = session.balls().iter().map(|ball| ball.position).collect();
    assert!(last.iter().zip(&lies).all(|(a, b)| a.distance(*b) < 1e-9), "{last:?} {lies:?}");
}

/// A ball that rolls without slip turns by its way over its radius: all of it, whatever the steps.
#[test]
fn balls_turn_by_their_way() {
    let scene = Scene {
        balls: vec![carom_billiards::SceneBall {
            velocity: DVec2::new(0.0, 0.4),
            ..carom_billiards::SceneBall::at_rest(carom_billiards::Placed {
                label: "cue".into(),
                ball: Table::pool_9ft().ball,
                at: DVec2::new(0.6, 0.6),
            })
        }],
        ..Scene::new("rolls", Table::pool_9ft())
    };
    let text = scene.to_text(carom_scene::Syntax::Json).unwrap();
    let mut session = open(&text);
    let start = session.balls()[0].position;
    for time in [0.25, 0.5, 0.1, 0.4] {
        session.go_to(time);
        let ball = &session.balls()[0];
        let angle = ball.position.distance(start) / ball.radius;
        // A turn about −x: the quaternion is of half the angle.
        assert!((ball.turned.x.atan2(ball.turned.w) + 0.5 * angle).sin().abs() < 1e-9, "{time}: {angle}");
        assert_eq!(ball.motion, Motion::Rolling);
    }
}

#[test]
fn what_cannot_be_is_refused_with_a_message() {
    let mut session = open("9-ball");
    let before = session.hash();
    session.put("cue", session.lies("1").unwrap());
    assert!(session.message().contains("head string"), "{}", session.message());
    session.put("cue", DVec2::new(5.0, -5.0));
    assert!(session.message().contains("on the table"), "{}", session.message());
    // Another ball than the cue ball is not moved in a game; in practice it is.
    session.put("1", DVec2::new(0.0, -0.3));
    assert_eq!(session.hash(), before);
    session.practise();
    session.put("1", session.lies("2").unwrap());
    assert!(session.message().contains("overlaps"), "{}", session.message());
    session.put("1", DVec2::new(0.0, -0.3));
    assert!(session.message().is_empty() && session.hash() != before);
    session.set_aim(Aim { side: 0.7, height: f64::NAN, ..session.aim() });
    assert!(session.forecast().unwrap().problem.contains("miscue"));
    assert!(!session.shoot() && !session.message().is_empty());
    session.set_aim(Aim { side: 0.0, height: 0.0, ..session.aim() });
    session.put("cue", DVec2::new(0.0, -1.22));
    session.set_aim(Aim { direction: 1.57, elevation: 0.01, ..session.aim() });
    assert!(session.forecast().unwrap().problem.contains("the cushion"));
    for text in ["b1.", "b1.@@", "model = \"billiards\"", "{\"model\": \"billiards\"}", "b1.e30"] {
        assert!(BilliardSession::open(text).unwrap().is_err(), "{text}");
    }
    for text in ["two discs", "", "{}", "model = \"discs\""] {
        assert!(BilliardSession::open(text).is_none(), "{text}");
    }
}

#[test]
fn a_shot_that_is_undone_is_as_if_it_had_not_been() {
    for name in ["8-ball", "combination"] {
        let mut session = open(name);
        session.forecast();
        let (before, aim) = (session.hash(), session.aim());
        session.shoot();
        session.finish();
        assert_ne!(session.hash(), before);
        session.undo();
        assert_eq!((session.hash(), session.aim(), session.phase()), (before, aim, Phase::Aiming));
        session.undo();
        assert!(session.message().contains("nothing"));
    }
}

/// Games of the simple player against one that shoots straight at what is on: the rules and the table go
/// together, and neither waits for ever.
#[test]
fn games_against_the_simple_player_go_on() {
    for (name, shots) in [("9-ball", 40), ("8-ball", 30), ("snooker", 12), ("three-cushion", 12)] {
        let mut session = open(name);
        let (mut simple, mut played, mut potted) = (0, 0, 0);
        while played < shots && session.phase() != Phase::Over {
            match session.phase() {
                Phase::Aiming => {
                    session.set_push_out(session.push_out().0);
                    session.set_aim(Aim { speed: 3.0 + 0.1 * f64::from(played), ..session.aim() });
                    assert!(session.shoot(), "{name}: {}", session.message());
                    played += 1;
                }
                Phase::Choosing => session.choose(0),
                Phase::Rolling => {
                    potted += session.recording().unwrap().outcome.potted.len();
                    session.finish();
                }
                Phase::Thinking => {
                    let mut frames = 0;
                    while session.phase() == Phase::Thinking {
                        session.frame(0.1);
                        frames += 1;
                        assert!(frames < 400, "{name}: the simple player does not play");
                    }
                    (simple, played) = (simple + 1, played + 1);
                }
                Phase::Over => {}
            }
            assert!(session.message().is_empty(), "{name}: {}", session.message());
        }
        println!("{name}: {played} shots, {simple} of the simple player, {potted} balls; {}", session.said());
        assert!(simple > 0, "{name}");
        assert!(name == "three-cushion" || potted > 1, "{name}: {potted}");
    }
}

#[test]
fn every_game_and_scene_is_drawn_aimed_at_and_shot() {
    for name in BilliardSession::names() {
        let mut window = Window::new(name);
        let shown = window.describe();
        assert_eq!(shown["room"], "billiards");
        if shown["phase"] != "aiming" {
            continue;
        }
        assert!(shown["forecast"]["duration"].as_f64().unwrap() > 0.0, "{name}");
        window.press(Key::Space);
        (0..12).for_each(|_| window.frame(Vec::new()));
        let shown = window.describe();
        assert!(shown["time"].as_f64().unwrap() > 0.0, "{name}: {shown}");
        assert_eq!(shown["message"], "", "{name}");
    }
}

#[test]
fn a_drag_aims_and_another_one_draws_the_cue_back() {
    let mut window = Window::new("9-ball");
    let shown = window.describe();
    let ball = |shown: &Value, label: &str| {
        let balls = shown["balls"].as_array().unwrap().clone();
        place(&balls.iter().find(|ball| ball["label"] == label).unwrap()["screen"])
    };
    let target = ball(&shown, "1");
    window.drag(target - vec2(60.0, 80.0), target + vec2(0.0, 6.0));
    let aimed = window.describe();
    assert_ne!(aimed["aim"]["direction"], shown["aim"]["direction"]);
    let saved = window.viewer.command("save");
    assert_eq!(aimed["forecast"]["first_contact"]["time"].as_f64().unwrap(), native(&saved).0);
    let [tip, butt] = [0, 1].map(|end| place(&aimed["cue_screen"][end]));
    let middle = tip.lerp(butt, 0.3);
    window.drag(middle, middle + (butt - tip).normalized() * 12.0);
    let drawn = window.describe();
    assert!(drawn["aim"]["speed"].as_f64().unwrap() > aimed["aim"]["speed"].as_f64().unwrap());
    // The cue ball is in hand before the break.
    let cue = ball(&drawn, "cue");
    window.drag(cue, cue + vec2(0.0, 30.0));
    assert_ne!(window.describe()["hash"], drawn["hash"]);
    assert_eq!(window.viewer.command("shoot"), "");
    window.viewer.command("finish");
    let end = window.describe();
    assert_ne!(end["phase"], "rolling");
    assert!(window.viewer.room::<BilliardRoom>().is_some());
}
