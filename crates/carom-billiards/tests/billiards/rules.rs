//! Nine-ball: shots made up for each rule, and matches of simple players. Where balls are spotted.

use crate::scripted::{aim, break_shot, in_hand, lies, put_in_hand, shoots, shot};
use crate::support::{lay, racked};
use carom_billiards::rules::{CueBall, Foul, Intent, Next, NineBall, Player};
use carom_billiards::{Error, Rack, Shot, Table};
use carom_engine::DVec2;
use carom_testkit::rng::{Rng, cases};
use core::f64::consts::FRAC_PI_2;

use Player::{First, Second};

/// After a break on which these balls fall.
fn broken(fallen: &[&str]) -> NineBall {
    let mut rules = NineBall::new();
    rules.judge(&shot(Some(1), fallen, &["2", "3", "4", "5"]), Intent::Play).unwrap();
    rules
}

/// Section 2.3: four object balls at cushions, or one that falls; the shooter goes on if one falls.
#[test]
fn nine_ball_breaks() {
    for (fallen, driven, fouls, next) in [
        (&[][..], &["2", "3", "4", "5"][..], &[][..], shoots(Second)),
        (&[], &["2", "2", "3", "cue", "4"], &[Foul::WeakBreak], in_hand(Second)),
        (&["7"], &[], &[], shoots(First)),
        (&["9"], &[], &[], Next::Won { player: First }),
        (&["7", "cue"], &[], &[Foul::Scratch], in_hand(Second)),
    ] {
        let mut rules = NineBall::new();
        let start = Next::Shoots { player: First, cue_ball: CueBall::BehindHeadString };
        assert_eq!((rules.next(), rules.ball_on()), (start, 1));
        let ruling = rules.judge(&shot(Some(1), fallen, driven), Intent::Play).unwrap();
        assert_eq!((ruling.fouls.as_slice(), ruling.next), (fouls, next), "{fallen:?} {driven:?}");
        assert_eq!(rules.may_push_out(), fouls.is_empty() && !fallen.contains(&"9"));
    }
}

/// Sections 2.5 and 6: the lowest ball first, then a ball that falls or a cushion; the 9 wins, or is put back
/// after a foul; no other ball is.
#[test]
fn nine_ball_shots_and_fouls() {
    for (first, fallen, driven, fouls, spotted, next) in [
        (Some(1), &[][..], &["cue"][..], &[][..], &[][..], shoots(First)),
        (Some(1), &["4"], &[], &[], &[], shoots(Second)),
        (Some(1), &["9"], &[], &[], &[], Next::Won { player: Second }),
        (Some(1), &[], &[], &[Foul::NoCushion], &[], in_hand(First)),
        (Some(3), &[], &["3"], &[Foul::WrongBall], &[], in_hand(First)),
        (Some(3), &["3"], &[], &[Foul::WrongBall], &[], in_hand(First)),
        (Some(3), &["9"], &[], &[Foul::WrongBall], &["9"], in_hand(First)),
        (None, &[], &["cue"], &[Foul::NoContact], &[], in_hand(First)),
        (Some(1), &["9", "cue"], &[], &[Foul::Scratch], &["9"], in_hand(First)),
        (Some(2), &["cue"], &[], &[Foul::Scratch, Foul::WrongBall, Foul::NoCushion], &[], in_hand(First)),
    ] {
        let mut rules = broken(&[]);
        let ruling = rules.judge(&shot(first, fallen, driven), Intent::Play).unwrap();
        let found = (ruling.fouls.as_slice(), ruling.next);
        assert_eq!(found, (fouls, next), "{first:?} {fallen:?} {driven:?}");
        assert_eq!(ruling.spotted, spotted);
    }
    // What has fallen is off the table for good.
    let mut rules = broken(&["1", "2"]);
    assert_eq!(rules.ball_on(), 3);
    rules.judge(&shot(Some(5), &["3"], &[]), Intent::Play).unwrap();
    assert_eq!(rules.ball_on(), 4);
}

/// A cushion before the contact does not count.
#[test]
fn a_cushion_counts_after_the_contact() {
    let mut outcome = shot(Some(1), &[], &["cue"]);
    outcome.cushions[0].time = 0.1;
    assert_eq!(broken(&[]).judge(&outcome, Intent::Play).unwrap().fouls, [Foul::NoCushion]);
}

/// Section 2.4: after the break a push-out may meet nothing; the other player chooses. The 9 comes back.
#[test]
fn nine_ball_push_outs() {
    for shooter in [First, Second] {
        let mut rules = broken(&[]);
        let ruling = rules.judge(&shot(None, &["9"], &[]), Intent::PushOut).unwrap();
        assert_eq!((ruling.fouls, ruling.spotted), (vec![], vec!["9".to_owned()]));
        assert_eq!(ruling.next, Next::Chooses { player: First });
        let refused = rules.judge(&shot(Some(1), &[], &["1"]), Intent::Play);
        assert!(matches!(refused, Err(Error::OutOfTurn(_))));
        assert_eq!(rules.choose(shooter), Ok(shoots(shooter)));
        assert!(rules.choose(shooter).is_err() && !rules.may_push_out());
        assert!(rules.judge(&shot(None, &[], &[]), Intent::PushOut).is_err());
    }
    let mut rules = broken(&[]);
    let ruling = rules.judge(&shot(None, &["cue"], &[]), Intent::PushOut).unwrap();
    assert_eq!((ruling.fouls.as_slice(), ruling.next), (&[Foul::Scratch][..], in_hand(First)));
}

/// Section 2.8: three fouls in a row lose; a legal shot in between forgives.
#[test]
fn nine_ball_three_fouls() {
    let (foul, legal) = (shot(None, &[], &[]), shot(Some(1), &[], &["1"]));
    let mut rules = broken(&[]);
    for shot in [&foul, &legal, &foul, &legal, &legal, &legal, &foul, &legal, &foul, &legal] {
        rules.judge(shot, Intent::Play).unwrap();
    }
    assert_eq!((rules.fouls(Second), rules.fouls(First)), (2, 0));
    let ruling = rules.judge(&foul, Intent::Play).unwrap();
    assert_eq!(ruling.next, Next::Won { player: First });
    assert!(rules.judge(&legal, Intent::Play).is_err());
}

/// A match of simple players runs to its end; the rules and the table agree on what lies there.
#[test]
fn nine_ball_matches_end() {
    let table = Table::pool_9ft();
    let mut shots = 0;
    let mut won = [0, 0];
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed);
        let (mut game, mut rules) = (racked(Rack::nine_ball(), 1e-4, &table, seed), NineBall::new());
        let winner = loop {
            let (player, cue_ball) = match rules.next() {
                Next::Won { player } => break player,
                Next::Chooses { player } => {
                    rules.choose(if rng.chance(50) { player } else { player.other() }).unwrap();
                    continue;
                }
                Next::Shoots { player, cue_ball } => (player, cue_ball),
                next => unreachable!("{next:?}"),
            };
            let is_break = cue_ball == CueBall::BehindHeadString;
            put_in_hand(&mut game, cue_ball, rng);
            let shot = if is_break {
                break_shot(&game, "1")
            } else {
                aim(&game, &rules.ball_on().to_string(), rng).0
            };
            let intent = if rules.may_push_out() && rng.chance(20) { Intent::PushOut } else { Intent::Play };
            let ruling = rules.judge(&game.shoot(&shot).unwrap(), intent).unwrap();
            shots += 1;
            for ball in &ruling.spotted {
                game.spot(ball).unwrap();
            }
            if !matches!(ruling.next, Next::Won { .. }) {
                let lowest = (1..=9_u32).find(|ball| lies(&game, &ball.to_string()));
                assert_eq!(lowest, Some(rules.ball_on()), "seed {seed}, {player:?}");
            }
            assert!(
                ruling.fouls.is_empty() || !matches!(ruling.next, Next::Won { player: w } if w == player)
            );
            assert!(shots < 500 * (seed + 1), "seed {seed} goes on and on");
        };
        won[usize::from(winner == Second)] += 1;
    }
    assert!(won.iter().all(|&won| won > 0), "{won:?} in {shots} shots");
}

/// WPA 1.4: on the foot spot; behind what is in the way, touching it; and in front of it where there is no
/// room behind.
#[test]
fn balls_are_spotted() {
    let table = Table::pool_9ft();
    let spot = DVec2::new(0.5 * table.width, 0.75 * table.length);
    let diameter = 2.0 * table.ball.radius;
    let layout = |others: &[f64]| {
        let own = [("cue", DVec2::new(0.3, 0.3)), ("9", DVec2::new(0.3, 0.6))];
        let own = own.map(|(label, at)| (label.to_owned(), at));
        let others = others.iter().enumerate();
        let others = others.map(|(k, y)| (format!("ball {k}"), spot + DVec2::new(0.0, *y)));
        lay(&table, own.into_iter().chain(others))
    };
    let to_cushion: Vec<f64> = (0..11).map(|k| f64::from(k) * diameter).collect();
    for (others, off) in [
        (&[][..], 0.0),
        (&[0.0][..], diameter),
        (&[-0.5 * diameter][..], 0.5 * diameter),
        (&[0.0, 1.5 * diameter][..], 2.5 * diameter),
        (&to_cushion[..], -diameter),
    ] {
        let mut game = layout(others).build(&table).unwrap();
        let at = game.spot("9").unwrap();
        assert!((at - spot - DVec2::new(0.0, off)).length() < 1e-12, "{others:?}: {at}");
        assert_eq!(game.shoot(&Shot::new(1.0).aimed_at(-FRAC_PI_2)).unwrap().first_hit, None);
    }
    let mut game = layout(&[]).build(&table).unwrap();
    for at in [[0.3, 0.31], [-0.1, 0.5], [0.0, 0.0], [f64::NAN, 0.5], [0.01, 0.5]] {
        assert!(game.place("9", at).is_err(), "{at:?}");
    }
    assert!(matches!(game.place("9", [0.3, 0.3]), Err(Error::Overlap { .. })));
    assert!(matches!(game.spot("7"), Err(Error::NoSuchBall { .. })));
}
