//! The games: what the player does reaches them, scores are theirs, and nothing makes them panic.

use super::touch::drawn;
use super::{Window, button};
use carom_engine::DVec2;
use carom_viewer::{Controls, GAMES, game};
use eframe::egui::{Event, Key, pos2};

/// A hand that moves over the whole plane and presses now and then, always in the same way.
fn hand(frame: u32, (low, high): (DVec2, DVec2)) -> Controls {
    let part = |period: u32| f64::from(frame % period) / f64::from(period);
    let sign = |period: u32| f64::from(frame / period % 3) - 1.0;
    Controls {
        pointer: (frame % 200 > 20).then(|| low + (high - low) * DVec2::new(part(97), part(61))),
        is_pressed: (frame / 40).is_multiple_of(3),
        is_touch: frame / 400 % 2 == 1,
        arrows: if (frame / 150).is_multiple_of(2) { DVec2::ZERO } else { DVec2::new(sign(20), sign(35)) },
        space: frame / 70 % 4 == 1,
    }
}

#[test]
fn games_go_on_whatever_the_player_does_and_the_same_every_time() {
    for name in GAMES {
        let mut plays = [game(name).unwrap().unwrap(), game(name).unwrap().unwrap()];
        let mut statuses = Vec::new();
        // Two minutes; of the merge game a part, whose heaps cost milliseconds a frame.
        for frame in 0..if name == "merge" { 900 } else { 7200 } {
            for play in &mut plays {
                let controls = hand(frame, play.bounds());
                play.advance(1.0 / 60.0, &controls).unwrap_or_else(|error| panic!("{name}: {error}"));
            }
            statuses.push(plays[0].status());
            assert_eq!(plays[0].status(), plays[1].status(), "{name}");
        }
        // By then something happens in each: a goal, points, a checkpoint, a hit.
        statuses.dedup();
        assert!(
            statuses.len() > 1 || plays[0].outcome().is_some(),
            "{name}: {statuses:?} {}",
            plays[0].now()
        );
    }
    assert!(game("chess").is_none());
}

#[test]
fn pinball_is_over_after_three_balls() {
    let mut play = game("pinball").unwrap().unwrap();
    let mut frame = 0;
    while play.outcome().is_none() {
        frame += 1;
        // The plunger is drawn and let go of, and the flippers rest.
        let controls = Controls { space: frame % 60 < 30, ..Controls::default() };
        play.advance(1.0 / 60.0, &controls).unwrap();
        assert!(frame < 60 * 600, "{}", play.status());
    }
    assert!(play.status().ends_with("ball 3 of 3"), "{}", play.status());
}

/// A finger or Space aims while it is down, and drops once as it is lifted; the arrows move the dropper even
/// where the pointer lies still.
#[test]
fn the_merge_game_drops_at_a_release() {
    let mut play = game("merge").unwrap().unwrap();
    let mut run = |frames: u32, controls: Controls| {
        (0..frames).for_each(|_| play.advance(1.0 / 60.0, &controls).unwrap());
        play.status()
    };
    let pointer = Some(DVec2::new(2.0, 8.0));
    let still = Controls { pointer, ..Controls::default() };
    assert_eq!(run(30, Controls { is_pressed: true, ..still }), "0 points, 0 dropped");
    assert_eq!(run(60, still), "0 points, 1 dropped");
    assert_eq!(run(20, Controls { arrows: DVec2::NEG_X, space: true, ..still }), "0 points, 1 dropped");
    assert_eq!(run(1, Controls::default()), "0 points, 2 dropped");
    let discs = drawn(play.as_ref());
    assert!(
        discs.iter().any(|at| at.x == 2.0) && discs.iter().any(|at| (at.x - 0.0).abs() < 1e-9),
        "{discs:?}"
    );
}

#[test]
fn games_are_played_in_the_window_with_keys_mouse_and_pauses() {
    for name in GAMES {
        let mut window = Window::new(name);
        assert_eq!(window.describe()["room"], "game");
        assert_eq!(window.describe()["playing"], false);
        window.press(Key::Space);
        assert_eq!(window.describe()["playing"], true, "{name}");
        let at = pos2(400.0, 400.0);
        window.frame(vec![Event::PointerMoved(at), button(at, true)]);
        (0..30).for_each(|_| window.frame(Vec::new()));
        window.frame(vec![button(at, false)]);
        window.press(Key::ArrowLeft);
        window.press(Key::P);
        let shown = window.describe();
        assert!(shown["time"].as_f64().unwrap() > 0.3, "{name}: {shown}");
        (0..5).for_each(|_| window.frame(Vec::new()));
        assert_eq!(window.describe()["time"], shown["time"], "{name}");
        assert_eq!((window.viewer.command("restart"), &shown["message"]), (String::new(), &"".into()));
        assert_eq!(window.describe()["time"], 0.0);
    }
}
