//! Eight-ball: shots made up for each rule, and matches of simple players.

use crate::scripted::{aim, break_shot, in_hand, lies, place, put_in_hand, shoots, shot};
use crate::support::{lay, one, racked};
use carom_billiards::rules::{Call, Choice, CueBall, EightBall, Foul, Group, Next, Player, Ruling};
use carom_billiards::{Error, Layout, Rack, Shot, Table};
use carom_testkit::rng::{Rng, cases};
use core::f64::consts::FRAC_PI_2;

use Player::{First, Second};

const DRIVEN: &[&str] = &["2", "3", "4", "5"];

fn behind_string(player: Player) -> Next {
    Next::Shoots { player, cue_ball: CueBall::BehindHeadString }
}

fn pot(ball: u32) -> Call {
    Call::Pot { ball, pocket: 0 }
}

/// A shot that meets a ball first, and then a cushion.
fn play(rules: &mut EightBall, first: u32, fallen: &[&str], call: Call) -> Ruling {
    rules.judge(&shot(Some(first), fallen, &["cue"]), call).unwrap()
}

/// After a break on which these balls fall.
fn broken(fallen: &[&str]) -> EightBall {
    let mut rules = EightBall::new();
    rules.judge(&shot(Some(1), fallen, DRIVEN), Call::Nothing).unwrap();
    rules
}

/// Section 3.4, letter by letter: what follows a break, and who may choose what.
#[test]
fn eight_ball_breaks() {
    use Choice::{Accept, Break, CueBallInHand, LetOtherBreak};
    use Foul::{NoContact, Scratch, WeakBreak};
    let (first, second) = (Next::Chooses { player: First }, Next::Chooses { player: Second });
    let any = [Accept, CueBallInHand, Break, LetOtherBreak];
    for (met, fallen, driven, fouls, next, choices) in [
        (Some(1), &["3"][..], &[][..], &[][..], shoots(First), &[][..]),
        (Some(9), &[], DRIVEN, &[], shoots(Second), &[]),
        (Some(1), &[], &["2", "3", "4", "cue"], &[WeakBreak], second, &[Accept, Break, LetOtherBreak]),
        (Some(1), &["8"], &[], &[], first, &[Accept, Break]),
        (Some(1), &["8", "cue"], &[], &[Scratch], second, &[CueBallInHand, Break]),
        (Some(1), &["3", "cue"], &[], &[Scratch], behind_string(Second), &[]),
        (Some(1), &["cue"], DRIVEN, &[Scratch], behind_string(Second), &[]),
        (Some(1), &["cue"], &[], &[Scratch, WeakBreak], second, &[CueBallInHand, Break, LetOtherBreak]),
        (None, &[], &[], &[NoContact], second, &any),
    ] {
        let mut rules = EightBall::new();
        assert_eq!((rules.next(), rules.is_break()), (behind_string(First), true));
        let ruling = rules.judge(&shot(met, fallen, driven), Call::Nothing).unwrap();
        assert_eq!((ruling.fouls.as_slice(), ruling.next), (fouls, next), "{fallen:?} {driven:?}");
        assert_eq!(rules.choices(), choices, "{fallen:?} {driven:?}");
        for &choice in choices {
            let mut rules = rules.clone();
            let (Next::Chooses { player }, chosen) = (rules.next(), rules.choose(choice).unwrap()) else {
                unreachable!()
            };
            let expected = match choice {
                Accept => shoots(player),
                CueBallInHand | Break => behind_string(player),
                LetOtherBreak => behind_string(player.other()),
            };
            let again = matches!(choice, Break | LetOtherBreak);
            assert_eq!((chosen.next, chosen.rerack, rules.is_break()), (expected, again, again));
            let is_spotted = fallen.contains(&"8") && !again;
            assert_eq!(chosen.spotted, if is_spotted { vec!["8"] } else { vec![] });
            assert!(rules.on_table().contains(&8) && rules.choose(choice).is_err());
        }
        if let Some(other) = any.into_iter().find(|choice| !choices.contains(choice)) {
            assert!(matches!(rules.choose(other), Err(Error::OutOfTurn(_))));
        }
    }
}

/// Section 3.5: the table stays open until a called ball falls; the 8 may not be met first.
#[test]
fn eight_ball_groups() {
    let mut rules = broken(&["3", "11"]);
    assert_eq!((rules.group(First), rules.balls_on(First).len()), (None, 12));
    // Not as called: by another ball, in another pocket, without a call, as a safety.
    for (fallen, call) in [
        (&["4"][..], pot(5)),
        (&["5"], Call::Pot { ball: 5, pocket: 1 }),
        (&["6"], Call::Nothing),
        (&["7"], Call::Safety),
    ] {
        let Next::Shoots { player, .. } = rules.next() else { unreachable!() };
        assert_eq!(play(&mut rules, 1, fallen, call).next, shoots(player.other()), "{fallen:?}");
        assert_eq!(rules.group(First), None);
    }
    let mut to_eight = rules.clone();
    assert_eq!(play(&mut to_eight, 8, &[], pot(1)).fouls, [Foul::WrongBall]);
    // A stripe may be met first for a solid.
    assert_eq!(play(&mut rules, 9, &["1"], pot(1)).next, shoots(First));
    assert_eq!((rules.group(First), rules.group(Second)), (Some(Group::Solids), Some(Group::Stripes)));
    assert_eq!(rules.balls_on(First), [2]);
    assert_eq!(rules.balls_on(Second), [9, 10, 12, 13, 14, 15]);
    // Now the own group alone, and its balls alone count.
    let mut wrong = rules.clone();
    assert_eq!(play(&mut wrong, 9, &["2"], pot(2)).next, in_hand(Second));
    assert_eq!(play(&mut rules, 2, &["9"], pot(9)).next, shoots(Second));
    let mut rules = broken(&["3"]);
    play(&mut rules, 9, &["9"], pot(9));
    assert_eq!((rules.group(First), rules.group(Second)), (Some(Group::Stripes), Some(Group::Solids)));
}

/// Section 3.10 and 6: the fouls, after which the cue ball is in hand.
#[test]
fn eight_ball_fouls() {
    for (first, fallen, driven, fouls) in [
        (Some(1), &["cue"][..], &["1"][..], &[Foul::Scratch][..]),
        (Some(1), &["2", "cue"], &[], &[Foul::Scratch]),
        (Some(8), &[], &["1"], &[Foul::WrongBall]),
        (Some(1), &[], &[], &[Foul::NoCushion]),
        (None, &[], &["cue"], &[Foul::NoContact]),
        (Some(8), &["cue"], &[], &[Foul::Scratch, Foul::WrongBall, Foul::NoCushion]),
    ] {
        let mut rules = broken(&["3"]);
        let ruling = rules.judge(&shot(first, fallen, driven), pot(2)).unwrap();
        assert_eq!((ruling.fouls.as_slice(), ruling.next), (fouls, in_hand(Second)), "{first:?} {fallen:?}");
        assert_eq!(rules.group(First), None);
    }
    // 8.4: frozen to the cushion is not driven to it.
    let mut frozen = shot(Some(1), &[], &["1"]);
    frozen.cushions[0].frozen = true;
    assert_eq!(broken(&["3"]).judge(&frozen, pot(2)).unwrap().fouls, [Foul::NoCushion]);
    // 6.11: after a break with a foul from behind the head string.
    let mut rules = broken(&["3", "cue"]);
    let mut behind = shot(Some(1), &[], &["1"]);
    behind.met_behind_string = true;
    assert_eq!(broken(&["3"]).judge(&behind, pot(2)).unwrap().fouls, []);
    let ruling = rules.judge(&behind, pot(2)).unwrap();
    assert_eq!((ruling.fouls.as_slice(), ruling.next), (&[Foul::BehindHeadString][..], in_hand(First)));
    let refused = rules.judge(&shot(Some(1), &["16"], &[]), Call::Nothing);
    assert!(matches!(refused, Err(Error::NoSuchBall { .. })));
}

/// Section 3.9: the 8 wins in the called pocket after the group, and loses in all other cases.
#[test]
fn eight_ball_ends() {
    let solids = ["1", "2", "3", "4", "5", "6"];
    let near = {
        let mut rules = broken(&solids);
        play(&mut rules, 7, &["7"], pot(7));
        assert_eq!((rules.balls_on(First), rules.next()), (vec![8], shoots(First)));
        rules
    };
    for (first, fallen, call, winner) in [
        (8, &["8"][..], pot(8), First),
        (8, &["8", "9"], pot(8), First),
        (8, &["8"], Call::Pot { ball: 8, pocket: 3 }, Second),
        (8, &["8"], Call::Nothing, Second),
        (8, &["8"], Call::Safety, Second),
        (8, &["8", "cue"], pot(8), Second),
        (9, &["8"], pot(8), Second),
    ] {
        let mut rules = near.clone();
        let ruling = play(&mut rules, first, fallen, call);
        assert_eq!(ruling.next, Next::Won { player: winner }, "{first} {fallen:?} {call:?}");
        assert!(rules.judge(&shot(Some(1), &[], &[]), call).is_err());
    }
    // Before the group is gone, or with its last ball.
    let mut early = broken(&solids);
    assert_eq!(play(&mut early.clone(), 7, &["7", "8"], pot(8)).next, Next::Won { player: Second });
    assert_eq!(play(&mut early, 7, &["8"], pot(8)).next, Next::Won { player: Second });
    // A foul on the 8 without it is a foul like others.
    let mut rules = near;
    assert_eq!(play(&mut rules, 9, &[], pot(8)).next, in_hand(Second));
}

/// The head string and frozen balls on a real table.
#[test]
fn outcomes_know_the_head_string_and_frozen_balls() {
    let table = Table::pool_9ft();
    let radius = table.ball.radius;
    let layout = |ball: [f64; 2]| lay(&table, [("cue", [0.3, 0.3]), ("1", ball)]);
    let play = |ball: [f64; 2], shot: Shot| layout(ball).build(&table).unwrap().shoot(&shot).unwrap();
    let (right, up) = (Shot::new(2.0), Shot::new(3.0).aimed_at(FRAC_PI_2));
    assert!(play([0.7, 0.3], right.clone()).met_behind_string);
    assert!(!play([0.3, 0.7], up.clone()).met_behind_string);
    // Over the cushion at the foot and back: from beyond the string.
    let back = up.clone().aimed_at(-FRAC_PI_2);
    let behind = layout([0.3, 0.2]).moved(Layout::CUE, [0.3, 0.5]).unwrap();
    assert!(play([0.3, 0.2], back.clone()).met_behind_string);
    let far = Shot::new(6.0).aimed_at(FRAC_PI_2);
    let outcome = behind.build(&table).unwrap().shoot(&far).unwrap();
    assert_eq!((outcome.first_hit.as_deref(), outcome.met_behind_string), (Some("1"), false));
    // Frozen to the right cushion and pressed onto it; and the same with a gap that can be seen.
    for (gap, frozen) in [(0.0, true), (1e-4, false)] {
        let outcome = play([table.width - radius - gap, 0.3], right.clone());
        let own: Vec<_> = outcome.cushions.iter().filter(|hit| hit.ball == "1").collect();
        assert_eq!(own[0].frozen, frozen, "{gap}");
        assert!(own[1..].iter().all(|hit| !hit.frozen), "{own:?}");
    }
    // A cue ball that leaves its cushion and comes back is driven to it.
    let alone = one(&table, table.ball, [radius, 0.6]);
    let outcome = alone.clone().shoot(&Shot::new(4.0)).unwrap();
    assert!(outcome.cushions.len() >= 2 && outcome.cushions.iter().all(|hit| !hit.frozen));
    let outcome = alone.clone().shoot(&Shot::new(1.0).aimed_at(3.0)).unwrap();
    assert!(outcome.cushions[0].frozen && outcome.touching.is_empty());
    let touching = play([0.3 + 2.0 * radius, 0.3], Shot::new(1.0));
    assert_eq!((touching.touching, touching.hits[0].balls[1].as_str()), (vec!["1".to_owned()], "1"));
}

/// A match of simple players runs to its end; the rules and the table agree on what lies there.
#[test]
fn eight_ball_matches_end() {
    let table = Table::pool_9ft();
    let (mut shots, mut won) = (0, [0, 0]);
    for seed in 0..cases(60) {
        let rng = &mut Rng::new(seed);
        let (mut game, mut rules) = (racked(Rack::eight_ball(), 1e-4, &table, seed), EightBall::new());
        let (mut rerack, mut racks) = (false, seed);
        let winner = loop {
            let (player, cue_ball) = match rules.next() {
                Next::Won { player } => break player,
                Next::Chooses { .. } => {
                    let choice = rules.choices()[rng.below(rules.choices().len())];
                    let ruling = rules.choose(choice).unwrap();
                    rerack = ruling.rerack;
                    assert!(ruling.spotted.iter().all(|ball| game.spot(ball).is_ok()));
                    continue;
                }
                Next::Shoots { player, cue_ball } => (player, cue_ball),
                next => unreachable!("{next:?}"),
            };
            if rerack {
                racks += 1_000_000;
                (game, rerack) = (racked(Rack::eight_ball(), 1e-4, &table, racks), false);
            }
            put_in_hand(&mut game, cue_ball, rng);
            let (shot, call) = if rules.is_break() {
                let front = game.layout().balls[1].label.clone();
                (break_shot(&game, &front), Call::Nothing)
            } else {
                let on = rules.balls_on(player);
                let from = |ball: &u32| place(&game, &ball.to_string()).distance(place(&game, Layout::CUE));
                let ball = *on.iter().min_by(|a, b| from(a).total_cmp(&from(b))).unwrap();
                let (shot, pocket) = aim(&game, &ball.to_string(), rng);
                (shot, Call::Pot { ball, pocket })
            };
            let ruling = rules.judge(&game.shoot(&shot).unwrap(), call).unwrap();
            shots += 1;
            assert!(ruling.spotted.is_empty());
            let on_table: Vec<u32> = (1..=15_u32).filter(|ball| lies(&game, &ball.to_string())).collect();
            assert_eq!(rules.on_table(), on_table, "seed {seed}");
            assert!(shots < 1000 * (seed + 1), "seed {seed} goes on and on");
        };
        won[usize::from(winner == Second)] += 1;
    }
    assert!(won.iter().all(|&won| won > 0), "{won:?} in {shots} shots");
    println!("{won:?} in {shots} shots");
}
