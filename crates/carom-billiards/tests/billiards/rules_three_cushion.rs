//! Three-cushion billiards: shots made up for each rule, real ones, and matches of simple players.

use crate::scripted::{lies, place, shoots, shot};
use crate::support::{lay, one, racked};
use carom_billiards::rules::{Foul, Next, Player, ThreeCushion};
use carom_billiards::{BallHit, CushionHit, Error, Outcome, Rack, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::rng::{Rng, cases};

use Player::{First, Second};

/// What a shot would have to look like, in order: `r` and `y` for balls that are met, `|` for cushions, `f`
/// for one that does not count, as the ball is frozen to it. The cue ball is called `c` or `y` in `ball`.
fn played(ball: &str, contacts: &str) -> Outcome {
    let name = |letter: char| match letter {
        'r' => "red".to_owned(),
        'y' => "yellow".to_owned(),
        _ => "cue".to_owned(),
    };
    let mut outcome = Outcome { ball: ball.into(), ..shot(None, &[], &[]) };
    for (k, letter) in contacts.chars().enumerate() {
        let time = 0.1 * (k + 1) as f64;
        if letter == '|' || letter == 'f' {
            let hit = CushionHit { ball: ball.into(), cushion: k % 4, time, frozen: letter == 'f' };
            outcome.cushions.push(hit);
        } else {
            outcome.hits.push(BallHit { balls: [ball.into(), name(letter)], time });
            outcome.first_hit.get_or_insert_with(|| name(letter));
            outcome.first_hit_at.get_or_insert(time);
        }
    }
    outcome
}

/// After an opening shot that misses: the second player's turn.
fn opened(target: u32) -> ThreeCushion {
    let mut rules = ThreeCushion::new(target);
    rules.judge(&played("cue", "r|")).unwrap();
    assert_eq!((rules.next(), rules.is_opening()), (shoots(Second), false));
    rules
}

/// Article 83: both balls, and three cushions before the second of them, in any order.
#[test]
fn three_cushion_points() {
    for (contacts, is_point) in [
        ("r|||c", true),
        ("|||rc", true),
        ("c|r||c|r", false),
        ("||r|c", true),
        ("r||c|", false),
        ("r|||", false),
        ("rr|||rc", true),
        ("|c||r", true),
        ("rc|||", false),
        ("f||r|c", true),
        ("f||rc", false),
        ("f|||rc", true),
        ("", false),
        ("|||", false),
    ] {
        let mut rules = opened(10);
        let ruling = rules.judge(&played("yellow", contacts)).unwrap();
        assert_eq!(rules.points(Second), u32::from(is_point), "{contacts}");
        assert_eq!(ruling.next, shoots(if is_point { Second } else { First }), "{contacts}");
        assert_eq!(rules.innings(Second), u32::from(!is_point));
        assert_eq!(ruling.fouls.is_empty(), contacts.contains(['r', 'c']), "{contacts}");
    }
}

/// Article 23: the opening shot goes to the red first. Article 41: the own ball, no ball that is touched.
#[test]
fn three_cushion_fouls() {
    let mut rules = ThreeCushion::new(10);
    assert!(rules.is_opening());
    let ruling = rules.judge(&played("cue", "y|||r")).unwrap();
    assert_eq!((ruling.fouls, ruling.next), (vec![Foul::WrongBall], shoots(Second)));
    let ruling = rules.judge(&played("cue", "r|||y")).unwrap();
    assert_eq!((ruling.fouls, ruling.next), (vec![Foul::WrongCueBall], shoots(First)));
    let touching = |contacts| Outcome { touching: vec!["red".into()], ..played("cue", contacts) };
    let ruling = rules.judge(&touching("r|||y")).unwrap();
    assert_eq!(ruling.fouls, [Foul::TouchingBall]);
    rules.judge(&played("yellow", "r")).unwrap();
    for away in ["|r||y", "y|||r"] {
        assert_eq!(rules.clone().judge(&touching(away)).unwrap().fouls, [], "{away}");
    }
    assert!(matches!(
        rules.judge(&Outcome { ball: "8".into(), ..played("cue", "r") }),
        Err(Error::NoSuchBall { .. })
    ));
    assert_eq!((rules.points(First), rules.points(Second)), (0, 0));
}

/// The target ends the game; with equal innings the second player may follow, from the starting position; and
/// so does a number of innings.
#[test]
fn three_cushion_ends() {
    let point = |ball| played(ball, if ball == "cue" { "r|||y" } else { "r|||c" });
    let mut rules = ThreeCushion::new(2);
    rules.judge(&point("cue")).unwrap();
    assert_eq!(rules.judge(&point("cue")).unwrap().next, Next::Won { player: First });
    assert!(matches!(rules.judge(&point("cue")), Err(Error::OutOfTurn(_))));

    for (points, end) in
        [(0, Next::Won { player: First }), (1, Next::Won { player: First }), (2, Next::Drawn)]
    {
        let mut rules = ThreeCushion::new(2).with_equal_innings();
        rules.judge(&point("cue")).unwrap();
        let ruling = rules.judge(&point("cue")).unwrap();
        assert_eq!((ruling.next, ruling.rerack, rules.is_opening()), (shoots(Second), true, true));
        for _ in 0..points {
            rules.judge(&point("yellow")).unwrap();
        }
        if points < 2 {
            rules.judge(&played("yellow", "r")).unwrap();
        }
        assert_eq!((rules.next(), rules.innings(First), rules.innings(Second)), (end, 1, 1));
    }
    // The second player reaches it in the same inning: the game ends.
    let mut rules = ThreeCushion::new(1).with_equal_innings();
    rules.judge(&played("cue", "r")).unwrap();
    assert_eq!(rules.judge(&point("yellow")).unwrap().next, Next::Won { player: Second });

    let mut rules = ThreeCushion::new(9).with_most_innings(2);
    for ball in ["cue", "yellow", "cue"] {
        rules.judge(&played(ball, "r")).unwrap();
    }
    let mut behind = rules.clone();
    assert_eq!(rules.judge(&played("yellow", "r")).unwrap().next, Next::Drawn);
    behind.judge(&point("yellow")).unwrap();
    assert_eq!(behind.judge(&played("yellow", "r")).unwrap().next, Next::Won { player: Second });
}

fn spots(table: &Table) -> [DVec2; 3] {
    [0.25, 0.5, 0.75].map(|share| table.to_world(DVec2::new(0.5 * table.width, share * table.length)))
}

/// Articles 23 and 27: where the balls are put.
#[test]
fn three_cushion_spots() {
    let table = Table::carom_10ft();
    let [bottom, centre, top] = spots(&table);
    let diameter = 2.0 * table.ball.radius;
    let rules = ThreeCushion::new(10);
    let labels = ["cue", "yellow", "red"];
    let check = |lie: [DVec2; 3], moved: &[&str], places: [DVec2; 3]| {
        let balls = labels.into_iter().zip(lie.map(|at| table.from_world(at)));
        let mut game = lay(&table, balls).build(&table).unwrap();
        assert_eq!(rules.respot(&mut game).unwrap(), moved);
        for (label, expected) in labels.into_iter().zip(places) {
            let off = (place(&game, label) - expected).length();
            assert!(off < 1e-15, "{moved:?}: {label} is off by {off}");
        }
        game
    };
    let (away, beside) = (DVec2::new(0.3, 0.2), DVec2::new(diameter, 0.0));
    // Nothing touches; the red; the yellow; both.
    let apart = [away, away + 2.0 * beside, -away];
    check(apart, &[], apart);
    check([away, -away, away + beside], &["cue", "red"], [bottom, -away, top]);
    check([away, away + beside, -away], &["cue", "yellow"], [bottom, centre, -away]);
    check([away, away + beside, away - beside], &["cue", "yellow", "red"], [bottom, centre, top]);
    // The yellow lies where the red belongs: the red goes where the yellow would.
    let on_spot = top + 0.4 * beside;
    check([away, on_spot, away + beside], &["cue", "red"], [bottom, on_spot, centre]);
    // They touch on each other's spots.
    let mut game = check([bottom + beside, bottom, -away], &["cue", "yellow"], [bottom, centre, -away]);

    let mut rules = opened(10);
    rules.set_up(&mut game).unwrap();
    let start = ["yellow", "cue", "red"].map(|label| place(&game, label));
    assert_eq!(start, [bottom + DVec2::new(0.1825, 0.0), bottom, top]);
    rules.judge(&played("yellow", "r")).unwrap();
    rules.set_up(&mut game).unwrap();
    let start = Rack::three_cushion().place(&table, 1).unwrap();
    assert!(start.balls.iter().all(|placed| place(&game, &placed.label) == table.to_world(placed.at)));
}

/// A shot on a table without pockets, around it: the sides have numbers, and the point counts.
#[test]
fn three_cushion_on_a_table() {
    let table = Table::carom_10ft();
    let mut game = one(&table, table.ball, [0.71, 0.4]);
    let outcome = game.shoot(&Shot::new(3.0).aimed_at(-1.2)).unwrap();
    let sides: Vec<usize> = outcome.cushions.iter().map(|hit| hit.cushion).collect();
    assert_eq!(sides[..3], [0, 1, 2], "{sides:?}");
}

/// A match of simple players, who shoot anywhere, runs to its end.
#[test]
fn three_cushion_matches_end() {
    let table = Table::carom_10ft();
    let (mut shots, mut points, mut ends) = (0, 0, [0, 0, 0]);
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed);
        let mut game = racked(Rack::three_cushion(), 0.0, &table, seed);
        let mut rules = ThreeCushion::new(3).with_equal_innings().with_most_innings(25);
        let end = loop {
            let player = match rules.next() {
                Next::Shoots { player, .. } => player,
                Next::Won { player } => break usize::from(player == Second),
                _ => break 2,
            };
            rules.respot(&mut game).unwrap();
            let own = rules.ball_of(player);
            let at_red = place(&game, "red") - place(&game, own);
            // Somewhere on the red: half a ball to the side at most.
            let off = at_red.perp().normalize() * (table.ball.radius * rng.range(-1.5, 1.5));
            let shot = Shot::new(rng.range(2.0, 6.0)).aimed_at((at_red + off).to_angle()).of_ball(own);
            let shot = shot.with_offset(rng.range(-0.3, 0.3), rng.range(-0.3, 0.3));
            let ruling = rules.judge(&game.shoot(&shot).unwrap()).unwrap();
            if ruling.rerack {
                rules.set_up(&mut game).unwrap();
            }
            assert!(["cue", "yellow", "red"].iter().all(|ball| lies(&game, ball)));
            shots += 1;
        };
        ends[end] += 1;
        points += rules.points(First) + rules.points(Second);
    }
    assert!(ends[0] > 0 && ends[1] > 0 && points > 0, "{ends:?}, {points} in {shots} shots");
    println!("{ends:?}, {points} points in {shots} shots");
}
