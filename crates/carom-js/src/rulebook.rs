//! Verdicts by rules, from tables of numbers.

use crate::body::{self, DISC_NUMBERS};
use crate::handle::Numbered;
use carom_engine::{DVec2, WallId};
use carom_scene::verdicts::{Meets, Order, Rule, Rulebook, Ruling, Says, Who};

/// Numbers of a rule, in this order: of the first of two that meet the kind (0 any, 1 disc, 2 wall), the
/// least and the most user data, groups (0 any) and team (-1 any); the same of the second; least and most
/// speed of approach; a direction that the normal from the first to the second is to have (0, 0: any);
/// the verdict, its number, whom it is for (1 the first, 2 the second, 3 both); the first of its commands,
/// and how many they are. `package/verdicts.js` has the same list.
const RULE: usize = 19;
/// Numbers of a command: which, whom it is for, and those of a disc, which is the one that has most.
const COMMAND: usize = 2 + DISC_NUMBERS;

/// The rules of whole rules and commands, all of them finite numbers. Any numbers are allowed: what they do
/// not say is not done, and what they ask for is checked by the engine.
pub(crate) fn rulebook(rules: &[f64], commands: &[f64]) -> Option<Rulebook> {
    let is_whole = rules.len().is_multiple_of(RULE) && commands.len().is_multiple_of(COMMAND);
    let is_finite = rules.iter().chain(commands).all(|number| number.is_finite());
    let read = |rule: &[f64]| {
        let [first, count] = [rule[17] as usize, rule[18] as usize];
        let orders = commands.chunks_exact(COMMAND).skip(first).take(count).filter_map(order).collect();
        let toward = Some(DVec2::new(rule[12], rule[13])).filter(|toward| *toward != DVec2::ZERO);
        let ruling = Ruling { says: says(&rule[14..]), orders };
        Rule { first: side(rule), second: side(&rule[5..]), speeds: [rule[10], rule[11]], toward, ruling }
    };
    (is_whole && is_finite).then(|| Rulebook { rules: rules.chunks_exact(RULE).map(read).collect() })
}

fn side(side: &[f64]) -> Meets {
    let [groups, team] = [side[3] as u32, side[4] as u32];
    Meets {
        is_disc: (side[0] != 0.0).then_some(side[0] == 1.0),
        user_data: [side[1] as u64, side[2] as u64],
        membership: (groups != 0).then_some(groups),
        team: (side[4] >= 0.0).then_some(team),
    }
}

fn who(number: f64) -> Who {
    match number as u8 {
        1 => Who::First,
        2 => Who::Second,
        _ => Who::Both,
    }
}

/// What the numbers of a verdict say.
fn says(verdict: &[f64]) -> Says {
    let (number, who) = (verdict[1], who(verdict[2]));
    match verdict[0] as u8 {
        1 => Says::Restitution(number),
        2 => Says::Impulse(number),
        3 => Says::LeastImpulse(number),
        4 => Says::Kick(number),
        5 => Says::Pass,
        6 => Says::Capture(who),
        7 => Says::Remove(who),
        8 => Says::BounceAndRemove(who),
        _ => Says::Bounce,
    }
}

/// What the numbers of a command say.
fn order(command: &[f64]) -> Option<Order> {
    let numbers = &command[2..];
    let (who, vector) = (who(command[1]), DVec2::new(numbers[0], numbers[1]));
    let named = || WallId::of_number(numbers[3]).ok();
    match command[0] as u8 {
        0 => Some(Order::SetUserData(who, numbers[0] as u64)),
        1 => Some(Order::SetVelocity(who, vector)),
        2 => Some(Order::SetPosition(who, vector)),
        3 => Some(Order::ApplyImpulse(who, vector)),
        4 => Some(Order::SetEnabled(who, numbers[0] != 0.0)),
        5 => Some(Order::SetRules(who, body::rules(numbers[0], numbers[1], numbers[2]))),
        6 => Some(Order::SetTimer(numbers[0], numbers[1] as u64)),
        7 => named().map(|wall| Order::TurnArm(wall, numbers[0], numbers[1])),
        8 => named().map(|wall| Order::MoveWall(wall, vector, numbers[2])),
        9 => inserted(numbers, Some(who).filter(|who| *who != Who::Both)),
        10 => Some(Order::SetRadius(who, numbers[0])),
        11 => Some(Order::SetMass(who, unbounded(numbers[0]))),
        12 => Some(Order::SetRestitution(who, numbers[0])),
        _ => None,
    }
}

/// A number of the table: what is infinite is the largest number there.
fn unbounded(number: f64) -> f64 {
    if number == f64::MAX { f64::INFINITY } else { number }
}

/// The command to insert a disc.
fn inserted(numbers: &[f64], at: Option<Who>) -> Option<Order> {
    let numbers: [f64; DISC_NUMBERS] = numbers.try_into().ok()?;
    let disc = body::disc(&numbers.map(unbounded)).ok()?;
    Some(Order::Insert(at, Box::new(disc)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as `package/verdicts.js` writes them: a disc of group 2 meets a wall of team 3 with user data 5
    /// to 28, at up to 8 m/s, from above. It bounces, the wall is removed, a timer is set, a disc is heavy.
    #[test]
    fn rows_of_numbers_are_rules() {
        let rule = [
            1.0,
            0.0,
            f64::MAX,
            2.0,
            -1.0,
            2.0,
            5.0,
            28.0,
            0.0,
            3.0,
            -f64::MAX,
            8.0,
            0.0,
            -1.0,
            8.0,
            0.0,
            2.0,
            1.0,
            2.0,
        ];
        let command = |start: [f64; 4]| {
            let mut row = [0.0; COMMAND];
            row[..4].copy_from_slice(&start);
            row
        };
        let rows = [[9.0; 4], [6.0, 0.0, 0.25, 7.0], [11.0, 1.0, f64::MAX, 0.0]].map(command).concat();
        let expected = Rule {
            first: Meets { is_disc: Some(true), membership: Some(2), ..Meets::default() },
            second: Meets { is_disc: Some(false), user_data: [5, 28], membership: None, team: Some(3) },
            speeds: [-f64::MAX, 8.0],
            toward: Some(DVec2::new(0.0, -1.0)),
            ruling: Ruling {
                says: Says::BounceAndRemove(Who::Second),
                orders: vec![Order::SetTimer(0.25, 7), Order::SetMass(Who::First, f64::INFINITY)],
            },
        };
        assert_eq!(rulebook(&rule, &rows).unwrap().rules, [expected]);
        assert!(rulebook(&rule[1..], &rows).is_none() && rulebook(&[f64::NAN; RULE], &[]).is_none());
    }
}
