//! Shots that no player would play: what all games keep to whatever happens.

use crate::scripted::{lies, put_in_hand, shot, take};
use crate::support::racked;
use carom_billiards::rules::{
    Call, Choice, Colour, CueBall, EightBall, Foul, Intent, Next, NineBall, On, Player, Snooker, ThreeCushion,
};
use carom_billiards::{BallHit, Outcome, Rack, Table};
use carom_testkit::rng::{Rng, cases};

/// A shot on which anything happens: some of the balls of `on` fall, and any is met first.
fn anything(on: &[String], rng: &mut Rng) -> Outcome {
    let mut fallen: Vec<&str> = on.iter().filter(|_| rng.chance(6)).map(String::as_str).collect();
    if rng.chance(10) {
        fallen.push("cue");
    }
    let driven: Vec<&str> = on.iter().filter(|_| rng.chance(20)).map(String::as_str).collect();
    let first = (rng.chance(85) && !on.is_empty()).then(|| on[rng.below(on.len())].clone());
    let hits = first.iter().map(|ball| BallHit { balls: ["cue".into(), ball.clone()], time: 0.2 });
    let touching = if rng.chance(5) { first.clone().into_iter().collect() } else { Vec::new() };
    Outcome {
        first_hit_at: first.as_ref().map(|_| 0.2),
        hits: hits.collect(),
        met_behind_string: rng.chance(10),
        first_hit: first,
        touching,
        ..shot(None, &fallen, &driven)
    }
}

/// Law: after a foul the other player is at the table or chooses, or has won; fouls are in order, each once;
/// a game that has been won takes no shot.
fn check(player: Player, fouls: &[Foul], next: Next) {
    assert!(fouls.windows(2).all(|pair| pair[0] < pair[1]), "{fouls:?}");
    if !fouls.is_empty() {
        let of = match next {
            Next::Shoots { player, .. } | Next::Chooses { player } | Next::Won { player } => player,
            next => unreachable!("{next:?}"),
        };
        assert_eq!(of, player.other(), "{fouls:?} {next:?}");
    }
}

fn labels(numbers: impl IntoIterator<Item = u32>) -> Vec<String> {
    numbers.into_iter().map(|number| number.to_string()).collect()
}

#[test]
fn pool_with_random_shots() {
    for seed in 0..cases(300) {
        let rng = &mut Rng::new(seed);
        let mut rules = EightBall::new();
        let mut left = 400;
        while !matches!(rules.next(), Next::Won { .. }) && left > 0 {
            left -= 1;
            if let Next::Chooses { .. } = rules.next() {
                let all = [Choice::Accept, Choice::CueBallInHand, Choice::Break, Choice::LetOtherBreak];
                let choice = all[rng.below(4)];
                assert_eq!(rules.choose(choice).is_ok(), rules.is_break() || rules.choices().is_empty());
                continue;
            }
            let Next::Shoots { player, .. } = rules.next() else { unreachable!() };
            let on_table = rules.on_table();
            let outcome = anything(&labels(on_table.clone()), rng);
            let call = match rng.below(4) {
                0 => Call::Nothing,
                1 => Call::Safety,
                _ => Call::Pot { ball: rng.below(40) as u32, pocket: rng.below(2) },
            };
            let ruling = rules.judge(&outcome, call).unwrap();
            check(player, &ruling.fouls, ruling.next);
            assert!(rules.on_table().iter().all(|ball| on_table.contains(ball)));
            let groups = [Player::First, Player::Second].map(|player| rules.group(player));
            assert_eq!(groups[0].map(|group| group.other()), groups[1]);
        }
        assert!(left > 0, "seed {seed} goes on and on");

        let (mut rules, mut on_table) = (NineBall::new(), labels(1..10));
        while !matches!(rules.next(), Next::Won { .. }) {
            let player = match rules.next() {
                Next::Chooses { player } => {
                    rules.choose(player).unwrap();
                    continue;
                }
                Next::Shoots { player, .. } => player,
                next => unreachable!("{next:?}"),
            };
            let outcome = anything(&on_table, rng);
            let push = if rules.may_push_out() && rng.chance(50) { Intent::PushOut } else { Intent::Play };
            let ruling = rules.judge(&outcome, push).unwrap();
            check(player, &ruling.fouls, ruling.next);
            let fell = |ball: &String| outcome.potted.iter().any(|potted| potted.ball == *ball);
            on_table.retain(|ball| !fell(ball) || ruling.spotted.contains(ball));
        }
    }
}

/// Law: points only grow, by at most 7 for a foul or a colour and by the reds that fall; the frame ends with
/// the scores apart.
#[test]
fn snooker_with_random_shots() {
    let rack = racked(Rack::snooker(), 0.0, &Table::snooker_12ft(), 1);
    for seed in 0..cases(40) {
        let (rng, mut game, mut rules) = (&mut Rng::new(seed), rack.clone(), Snooker::new());
        let points = |rules: &Snooker| [Player::First, Player::Second].map(|player| rules.points(player));
        while !matches!(rules.next(), Next::Won { .. }) {
            if let Next::Chooses { player } = rules.next() {
                rules.choose(if rng.chance(50) { player } else { player.other() }).unwrap();
            }
            let Next::Shoots { player, cue_ball } = rules.next() else { unreachable!() };
            let cue_ball = if lies(&game, "cue") { cue_ball } else { CueBall::InD };
            put_in_hand(&mut game, cue_ball, rng);
            let outcome = anything(&rules.on_table(), rng);
            for potted in &outcome.potted {
                take(&mut game, &potted.ball);
            }
            let (before, was_on) = (points(&rules), rules.on());
            let colour = Colour::ALL[rng.below(6)];
            let nominated = (was_on == On::AnyColour || rules.has_free_ball()).then_some(colour);
            let ruling = rules.judge(&outcome, nominated, &game).unwrap_or_else(|_| {
                // A free ball that is on the table no more.
                assert!(nominated.is_some() && points(&rules) == before);
                rules.judge(&outcome, None, &game).unwrap()
            });
            Snooker::spot(&mut game, &ruling.spotted).unwrap();
            let next = if ruling.fouls.is_empty() { ruling.next } else { turn(&rules, player) };
            check(player, &ruling.fouls, next);
            let won = [0, 1].map(|k| points(&rules)[k] - before[k]);
            let reds = outcome.potted.iter().filter(|potted| potted.ball.starts_with("red")).count() as u32;
            let most = if was_on == On::Red { 7.max(reds + 1) } else { 7 };
            assert!(won[0].min(won[1]) == 0 && won[0].max(won[1]) <= most, "{won:?} {outcome:?}");
            assert_eq!(ruling.fouls.is_empty(), won[usize::from(player == Player::First)] == 0);
        }
        let [first, second] = points(&rules);
        assert_ne!(first, second);
    }
}

/// Whose turn it is after a foul: that of the other player, unless the frame has ended or lots are drawn.
fn turn(rules: &Snooker, player: Player) -> Next {
    match rules.next() {
        Next::Chooses { player: chooser } if chooser == player.other() => rules.next(),
        _ => Next::Chooses { player: player.other() },
    }
}

#[test]
fn three_cushion_with_random_shots() {
    let balls = ["cue", "yellow", "red"].map(String::from);
    for seed in 0..cases(300) {
        let rng = &mut Rng::new(seed);
        let mut rules = ThreeCushion::new(1 + rng.below(3) as u32).with_most_innings(8);
        if rng.chance(50) {
            rules = rules.with_equal_innings();
        }
        while let Next::Shoots { player, .. } = rules.next() {
            let own = if rng.chance(95) { rules.ball_of(player).to_owned() } else { "red".to_owned() };
            let others: Vec<String> = balls.iter().filter(|ball| **ball != own).cloned().collect();
            let mut outcome = Outcome { potted: Vec::new(), ball: own.clone(), ..anything(&others, rng) };
            outcome.hits =
                others.iter().map(|ball| BallHit { balls: [own.clone(), ball.clone()], time: 0.5 }).collect();
            outcome.cushions.iter_mut().for_each(|hit| hit.ball = own.clone());
            let before = rules.points(player);
            let ruling = rules.judge(&outcome).unwrap();
            let scored = rules.points(player) > before;
            assert!(!scored || (ruling.fouls.is_empty() && rules.points(player) == before + 1));
            assert!(rules.innings(Player::First) <= 8 && rules.innings(Player::Second) <= 8);
        }
        let points = [Player::First, Player::Second].map(|player| rules.points(player));
        match rules.next() {
            Next::Won { player } => {
                assert!(rules.points(player) > rules.points(player.other()), "{points:?}");
            }
            next => assert_eq!((next, points[0]), (Next::Drawn, points[1])),
        }
    }
}
