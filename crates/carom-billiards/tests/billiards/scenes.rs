//! The scenes that come with the crate: each does what its name says, under the default physics.

use crate::scripted;
use carom_billiards::{Game, Happening, Motion, Recording, Scene};
use carom_engine::{DVec2, StopReason};

fn play(name: &str) -> (Game, Recording) {
    let scene = Scene::named(name).unwrap();
    assert!(!scene.title.is_empty() && !scene.description.is_empty(), "{name}");
    let (game, recording) = scene.record().unwrap();
    assert_eq!(recording.outcome.end, StopReason::Reached, "{name}");
    assert_eq!(recording.outcome.obstruction, None, "{name}");
    (game, recording)
}

fn potted(recording: &Recording) -> Vec<&str> {
    recording.outcome.potted.iter().map(|potted| potted.ball.as_str()).collect()
}

fn place(game: &Game, label: &str) -> DVec2 {
    game.table().from_world(scripted::place(game, label))
}

/// Of the first meeting: where the cue ball is, its velocity after it, and that of the other ball.
fn first_meeting(game: &Game, recording: &Recording) -> (DVec2, DVec2, DVec2) {
    let met = recording.moments.iter().find(|moment| moment.what == Happening::Balls).unwrap();
    let cue = game.index_of("cue").unwrap();
    let [cue, other] =
        [true, false].map(|is_cue| met.balls.iter().find(|ball| (ball.0 == cue) == is_cue).unwrap().2);
    (game.table().from_world(cue.position), cue.velocity, other.velocity)
}

/// How far the cue ball goes after the first meeting.
fn travel_after(game: &Game, recording: &Recording) -> f64 {
    let path = &recording.paths[game.index_of("cue").unwrap()];
    let from = recording.outcome.first_hit_at.unwrap();
    let ends = path.iter().skip(1).map(|piece| piece.start).chain([recording.outcome.duration]);
    let of_piece = |(piece, end): (&carom_billiards::Piece, f64)| {
        let start = piece.start.max(from);
        let at = |k: u32| piece.position(start + (end - start) * f64::from(k) / 64.0);
        if end > start { (0..64).map(|k| (at(k + 1) - at(k)).length()).sum() } else { 0.0 }
    };
    path.iter().zip(ends).map(of_piece).sum()
}

/// What the cue ball met, in order: a ball, or the number of a cushion.
fn met_by_cue(game: &Game, recording: &Recording) -> Vec<Result<String, usize>> {
    let cue = game.index_of("cue").unwrap();
    let with_cue = recording.moments.iter().filter(|moment| moment.balls.iter().any(|ball| ball.0 == cue));
    let met = with_cue.filter_map(|moment| match moment.what {
        Happening::Balls => {
            let other = moment.balls.iter().find(|ball| ball.0 != cue)?.0;
            Some(Ok(game.layout().balls[other].label.clone()))
        }
        Happening::Cushion(number) => Some(Err(number)),
        _ => None,
    });
    met.collect()
}

/// The cushions before the first ball, and those from there to the second one, which is met.
fn caroms(name: &str) -> (Vec<usize>, Vec<usize>) {
    let (game, recording) = play(name);
    let (mut before, mut between, mut first) = (Vec::new(), Vec::new(), None);
    for met in met_by_cue(&game, &recording) {
        match (met, &first) {
            (Err(cushion), None) => before.push(cushion),
            (Err(cushion), Some(_)) => between.push(cushion),
            (Ok(ball), None) => first = Some(ball),
            (Ok(ball), Some(first)) if ball != *first => return (before, between),
            _ => {}
        }
    }
    panic!("{name}: no point, {before:?} {between:?}");
}

/// The 1 falls; the cue ball stops within its radius of where they met, follows, comes back.
#[test]
fn stop_follow_and_draw() {
    for name in ["stop-shot", "follow-shot", "draw-shot"] {
        let (game, recording) = play(name);
        assert_eq!(potted(&recording), ["1"], "{name}");
        let (at, _, ahead) = first_meeting(&game, &recording);
        let radius = game.table().ball.radius;
        let moved = (place(&game, "cue") - at).dot(ahead.normalize());
        match name {
            "stop-shot" => assert!((place(&game, "cue") - at).length() < radius, "{moved}"),
            "follow-shot" => assert!(moved > 10.0 * radius, "{moved}"),
            _ => assert!(moved < -10.0 * radius, "{moved}"),
        }
    }
}

/// Stun: without spin about a level axis the cue ball leaves at right angles (except for some degrees, by
/// restitution and friction) and goes straight on. Kill: backspin leaves less than a third of the way that
/// topspin gives.
#[test]
fn stun_and_kill() {
    let (game, recording) = play("stun-shot");
    assert_eq!(potted(&recording), ["1"]);
    let (at, cue, other) = first_meeting(&game, &recording);
    assert!(cue.angle_to(other).abs().to_degrees() > 85.0 && cue.angle_to(other).abs().to_degrees() < 95.0);
    let met = recording.outcome.first_hit_at.unwrap();
    let rolls = recording.moments.iter().find(|moment| {
        let is_cue = moment.balls[0].0 == game.index_of("cue").unwrap();
        moment.time > met && is_cue && !matches!(moment.what, Happening::Balls)
    });
    let there = game.table().from_world(rolls.unwrap().balls[0].1.position);
    assert!(cue.angle_to(there - at).abs().to_degrees() < 0.1);

    let (game, recording) = play("kill-shot");
    assert_eq!(potted(&recording), ["1"]);
    let mut scene = Scene::named("kill-shot").unwrap();
    scene.shot.as_mut().unwrap().height = 0.4;
    let (with_topspin, topspin) = scene.record().unwrap();
    let [kill, follow] = [travel_after(&game, &recording), travel_after(&with_topspin, &topspin)];
    assert_eq!(potted(&topspin), ["1"]);
    assert!(kill < follow / 3.0, "{kill} {follow}");
}

/// Massé: the 8 lies on the straight way to the 1, and the path bends round it by more than 60°.
#[test]
fn the_masse_bends_round_the_8() {
    let scene = Scene::named("masse-shot").unwrap();
    let (game, recording) = play("masse-shot");
    assert_eq!((potted(&recording), recording.outcome.first_hit.as_deref()), (vec!["1"], Some("1")));
    let [cue, eight, one] = [0, 1, 2].map(|k| scene.balls[k].placed.at);
    let (way, aside) = ((one - cue).normalize(), eight - cue);
    assert!(
        way.perp_dot(aside).abs() < 2.0 * game.table().ball.radius && way.dot(aside) < (one - cue).length()
    );
    let met = recording.moments.iter().find(|moment| moment.what == Happening::Balls).unwrap();
    let arrives = met.balls.iter().find(|ball| ball.0 == 0).unwrap().1.velocity;
    let bend = recording.outcome.strike.velocity.angle_to(arrives).abs().to_degrees();
    assert!(bend > 60.0, "{bend}");
    assert!(recording.outcome.cushions.iter().all(|hit| hit.time > met.time), "no cushion on the way");
}

/// The ball hangs: it rests nearer to the pocket's circle than its radius. It falls, and the cue ball does
/// not.
#[test]
fn the_hanger_falls_and_so_does_the_9_of_the_combination() {
    let (game, recording) = play("hanger");
    let hanging = game.table().to_world(game.layout().balls[1].at);
    let (center, radius) = game.table().pocket_circles()[5];
    assert!((hanging - center).length() - radius < game.table().ball.radius);
    assert_eq!(recording.paths[1][0].at.motion, Motion::Resting);
    assert_eq!(potted(&recording), ["1"]);
    // With a lip it falls over the hole first, and all that was before that is the same.
    let (_, lip) = play("hanger-lip");
    assert_eq!(potted(&lip), ["1"]);
    let [mouth, over] =
        [(&recording, Happening::Potted), (&lip, Happening::OverLip)].map(|(recording, what)| {
            let at = recording.moments.iter().position(|moment| moment.what == what).unwrap();
            &recording.moments[..at]
        });
    assert!(!mouth.is_empty() && mouth == over);
    let (game, recording) = play("combination");
    assert_eq!((potted(&recording), recording.outcome.first_hit.as_deref()), (vec!["9"], Some("1")));
    assert!(!met_by_cue(&game, &recording).contains(&Ok("9".into())), "the cue ball leaves it to the 1");
}

/// Cushions of a carom table: 0 and 2 are short, 1 and 3 long, counted round the table.
#[test]
fn three_cushion_shots_score() {
    assert_eq!(caroms("three-cushion-natural"), (vec![], vec![1, 2, 3]));
    // Five in a row round the table: more than once round.
    let (before, between) = caroms("twice-around");
    assert!(before.is_empty() && between.starts_with(&[3, 0, 1, 2, 3]), "{between:?}");
    // Cushion, ball, the same cushion again, and on.
    let (before, between) = caroms("ticky");
    assert!(before == [1] && between[0] == 1 && between.len() >= 2, "{between:?}");
    // Long, the long one opposite, long again.
    assert_eq!(caroms("z-shot"), (vec![], vec![3, 1, 3]));
    let (before, between) = caroms("three-cushion-break");
    assert!(before.is_empty() && between.len() >= 3, "{between:?}");
}

/// Breaks: balls fall and the cue ball stays; the safety of straight pool pots none and brings two balls and
/// the cue ball to cushions; that of snooker comes back to baulk and leaves the colours alone.
#[test]
fn breaks_are_breaks() {
    for name in ["8-ball-break", "9-ball-break", "10-ball-break"] {
        let (_, recording) = play(name);
        let fallen = potted(&recording);
        assert!(
            fallen.len() >= 3 && !fallen.contains(&"cue") && !fallen.contains(&"8"),
            "{name}: {fallen:?}"
        );
    }
    let (_, recording) = play("straight-pool-break");
    let mut railed: Vec<&str> = recording.outcome.cushions.iter().map(|hit| hit.ball.as_str()).collect();
    railed.sort_unstable();
    railed.dedup();
    assert!(potted(&recording).is_empty() && railed.len() >= 3 && railed.contains(&"cue"), "{railed:?}");
    let (game, recording) = play("snooker-break");
    assert!(
        recording.outcome.first_hit.as_deref().unwrap().starts_with("red") && potted(&recording).is_empty()
    );
    assert!(place(&game, "cue").y < 0.737, "behind the baulk line");
    for placed in game.layout().balls.iter().filter(|placed| !placed.label.starts_with("red")) {
        let is_at_its_spot = (place(&game, &placed.label) - placed.at).length() < 1e-12;
        assert!(is_at_its_spot || placed.label == "cue", "{}", placed.label);
    }
}
