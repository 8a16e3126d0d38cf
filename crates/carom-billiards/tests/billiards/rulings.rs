//! Rulings one by one, each with the section that it tests: `rulings.txt`.
//!
//! A shot is made of what happens: a label that is met first (`1&2`: at one instant), `:4@2` a ball that
//! falls into a pocket, `|4` a ball that meets a cushion after the contact (`|4b` before it, `|4f`
//! frozen to it); `again` and `on` are what the tip does, `called` a foul that the referee calls, `beyond`
//! and `outside` are where the cue ball is played from. A setup has the balls that are gone. `me` is the
//! player who shoots.

use crate::support::racked;
use carom_billiards::rules::{Call, Colour, CueBall, EightBall, Intent, Next, NineBall};
use carom_billiards::rules::{Player, Ruling, Snooker, ThreeCushion};
use carom_billiards::{Error, Game, Outcome, Rack, Table, Tip};
use carom_engine::DVec2;

fn outcome(shot: &str) -> Outcome {
    let mut outcome = Outcome { from: DVec2::new(0.85, 0.7), ..Outcome::of("cue") };
    // Labels of snooker have two words.
    for word in shot.replace("red ", "red_").split_whitespace() {
        let word = word.replace('_', " ");
        outcome = match word.as_str() {
            "again" => Outcome { tip: Tip::Again, ..outcome },
            "on" => Outcome { tip: Tip::StaysOn, ..outcome },
            "called" => outcome.with_call(),
            "beyond" => Outcome { from_behind_string: false, ..outcome },
            "outside" => Outcome { from: DVec2::new(0.85, 0.8), ..outcome },
            word => match word.split_at(1) {
                (":", falls) => {
                    let (ball, pocket) = falls.split_once('@').unwrap_or((falls, "0"));
                    outcome.with_potted(ball, pocket.parse().unwrap(), 0.5)
                }
                ("|", driven) => {
                    let (ball, time) = driven.strip_suffix('b').map_or((driven, 0.4), |ball| (ball, 0.1));
                    let frozen = ball.strip_suffix('f');
                    let mut outcome = outcome.with_cushion(frozen.unwrap_or(ball), 0, time);
                    outcome.cushions.last_mut().unwrap().frozen = frozen.is_some();
                    outcome
                }
                _ => word.split('&').fold(outcome, |outcome, ball| outcome.with_hit(ball, 0.2)),
            },
        };
    }
    outcome
}

/// A game after a setup, and how it judges.
enum Ready {
    Nine(NineBall),
    Eight(EightBall),
    Snooker(Box<(Snooker, Game)>),
    Three(ThreeCushion),
}

impl Ready {
    fn new(game: &str, setup: &str) -> Ready {
        let (phase, gone) = setup.split_once(" -").unwrap_or((setup, ""));
        match (game, phase) {
            ("nine", "break") => Ready::Nine(NineBall::new()),
            ("nine", _) => {
                let mut rules = NineBall::new();
                let broken = gone.split(',').filter(|ball| !ball.is_empty());
                let broken =
                    broken.fold(outcome("1 |2 |3 |4 |5"), |shot, ball| shot.with_potted(ball, 0, 0.5));
                rules.judge(&broken, Intent::Play).unwrap();
                if phase == "play" {
                    let dry = outcome("|cue").with_hit(rules.ball_on().to_string(), 0.2);
                    rules.judge(&dry, Intent::Play).unwrap();
                }
                Ready::Nine(rules)
            }
            ("eight", _) => {
                let mut rules = EightBall::new();
                let mut play = |shot: &str, call| rules.judge(&outcome(shot), call).unwrap();
                let called = |ball| Call::Pot { ball, pocket: 0 };
                if phase != "break" {
                    play("1 |1 |2 |3 |4", Call::Nothing);
                }
                if phase == "solids" || phase == "eight" {
                    play("1 :1", called(1));
                }
                if phase == "eight" {
                    (2..8).for_each(|ball| drop(play(&format!("{ball} :{ball}"), called(ball))));
                }
                Ready::Eight(rules)
            }
            ("snooker", _) => {
                let mut ready = Ready::Snooker(Box::new((
                    Snooker::new(),
                    racked(Rack::snooker(), 0.0, &Table::snooker_12ft(), 1),
                )));
                if phase == "colour" {
                    ready.judge("red 1 :red 1", "-").unwrap();
                }
                ready
            }
            _ => {
                let mut ready = Ready::Three(ThreeCushion::new(50));
                if phase == "play" {
                    ready.judge("r|", "-").unwrap();
                }
                ready
            }
        }
    }

    fn judge(&mut self, shot: &str, call: &str) -> Result<Ruling, Error> {
        match self {
            Ready::Nine(rules) => {
                let intent = if call == "push" { Intent::PushOut } else { Intent::Play };
                rules.judge(&outcome(shot), intent)
            }
            Ready::Eight(rules) => {
                let call = match call.split_once('@') {
                    Some((ball, pocket)) => {
                        Call::Pot { ball: ball.parse().unwrap(), pocket: pocket.parse().unwrap() }
                    }
                    None if call == "safe" => Call::Safety,
                    None => Call::Nothing,
                };
                rules.judge(&outcome(shot), call)
            }
            Ready::Snooker(frame) => {
                let outcome = outcome(shot);
                for potted in &outcome.potted {
                    crate::scripted::take(&mut frame.1, &potted.ball);
                }
                let colour = Colour::ALL.into_iter().find(|colour| colour.label() == call);
                frame.0.judge(&outcome, colour, &frame.1)
            }
            Ready::Three(rules) => {
                let Next::Shoots { player, .. } = rules.next() else { panic!("it is over") };
                let own = rules.ball_of(player);
                // The other player's ball is `y`.
                let other = rules.ball_of(player.other());
                let mut made = Outcome::of(own);
                for (k, letter) in shot.split(' ').next().unwrap().chars().enumerate() {
                    let time = 0.1 * (k + 1) as f64;
                    made = match letter {
                        'r' => made.with_hit("red", time),
                        'y' => made.with_hit(other, time),
                        _ => made.with_cushion(own, k % 4, time),
                    };
                    if letter == 'f' {
                        made.cushions.last_mut().unwrap().frozen = true;
                    }
                }
                let seen = outcome(shot.split_once(' ').map_or("", |(_, seen)| seen));
                (made.tip, made.is_called) = (seen.tip, seen.is_called);
                rules.judge(&made)
            }
        }
    }

    fn shooter(&self) -> Player {
        let next = match self {
            Ready::Nine(rules) => rules.next(),
            Ready::Eight(rules) => rules.next(),
            Ready::Snooker(frame) => frame.0.next(),
            Ready::Three(rules) => rules.next(),
        };
        let Next::Shoots { player, .. } = next else { panic!("{next:?}") };
        player
    }

    /// The points of both players together, in games that count points.
    fn points(&self) -> Option<u32> {
        let both = |of: &dyn Fn(Player) -> u32| of(Player::First) + of(Player::Second);
        match self {
            Ready::Snooker(frame) => Some(both(&|player| frame.0.points(player))),
            Ready::Three(rules) => Some(both(&|player| rules.points(player))),
            _ => None,
        }
    }
}

/// What is next, in words.
fn words(next: Next, me: Player) -> String {
    let who = |player| if player == me { "me" } else { "opp" };
    match next {
        Next::Shoots { player, cue_ball } => {
            let from = match cue_ball {
                CueBall::InHand => "hand",
                CueBall::BehindHeadString => "string",
                CueBall::InD => "D",
                _ => "lies",
            };
            format!("{} {from}", who(player))
        }
        Next::Chooses { player } => format!("{} chooses", who(player)),
        Next::Won { player } => format!("{} wins", who(player)),
        _ => "drawn".into(),
    }
}

#[test]
fn every_ruling_is_that_of_its_section() {
    let mut count = 0;
    for line in
        include_str!("../rulings.txt").lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut columns = line.split(';').map(str::trim);
        let mut column = || columns.next().unwrap_or_default();
        let (head, setup, shot, call) = (column(), column(), column(), column());
        let (fouls, next, spotted) = (column(), column(), column());
        let (game, section) = head.split_once(' ').unwrap();
        assert!(section.starts_with(|first: char| first.is_ascii_digit()), "{line}");
        let mut ready = Ready::new(game, setup);
        let (me, before) = (ready.shooter(), ready.points());
        let ruling = ready.judge(shot, call);
        count += 1;
        if fouls == "error" {
            assert!(ruling.is_err(), "{line}");
            continue;
        }
        let ruling = ruling.unwrap_or_else(|error| panic!("{line}: {error}"));
        let found: Vec<String> = ruling.fouls.iter().map(|foul| format!("{foul:?}")).collect();
        let mut after = words(ruling.next, me);
        // The points of a legal stroke of snooker are those of its own tests.
        if let (Some(before), Some(now)) = (before, ready.points()) {
            let counts = game == "three" || !ruling.fouls.is_empty();
            after += &format!(" {}", if counts { now - before } else { 0 });
        }
        assert_eq!((found.join(" ").as_str(), after.as_str()), (fouls, next), "{line}");
        assert_eq!(ruling.spotted.join(" "), spotted_of(game, spotted, &ruling), "{line}");
    }
    assert!(count >= 200, "{count}");
}

/// What is put back in snooker has tests of its own.
fn spotted_of(game: &str, spotted: &str, ruling: &Ruling) -> String {
    if game == "snooker" { ruling.spotted.join(" ") } else { spotted.into() }
}
