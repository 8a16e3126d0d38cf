//! Verdicts by rules: what becomes of bodies that meet, as a table of numbers.
//!
//! A table and no function of JavaScript: the same table gives the same bits on every machine, goes into
//! snapshots and to workers, and costs a few comparisons where two meet.

use crate::body::{self, DISC_NUMBERS};
use crate::handle::Numbered;
use carom_engine::{
    Command, Commands, DVec2, DiscForces, Encounter, Forces, Judge, Judged, Party, Verdict, WallId, Which,
};
use serde::{Deserialize, Serialize};

/// Forces, with a table of rules: that without rules is the physics of forces alone, to the last bit.
pub(crate) type Ruled = Judged<Forces, Rulebook>;

/// Numbers of a rule, in this order: of the first of two that meet the kind (0 any, 1 disc, 2 wall), the
/// least and the most user data, groups (0 any) and team (-1 any); the same of the second; least and most
/// speed of approach; a direction that the normal from the first to the second is to have (0, 0: any);
/// the verdict, its number, whom it is for (1 the first, 2 the second, 3 both); the first of its commands,
/// and how many they are. `package/verdicts.js` has the same list.
const RULE: usize = 19;
/// Numbers of a command: which, whom it is for, and those of a disc, which is the one that has most.
const COMMAND: usize = 2 + DISC_NUMBERS;

const SIDE: usize = 5;
const SPEEDS: usize = 10;
const TOWARD: usize = 12;
const VERDICT: usize = 14;
const COMMANDS: usize = 17;

/// Rules, of which the first that fits two that meet says what becomes of them.
///
/// Any numbers are allowed: what they do not say is not done, and what they ask for is checked by the engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rulebook {
    rules: Vec<f64>,
    commands: Vec<f64>,
}

type Side<'w> = Party<'w, DiscForces>;
type Met<'w> = Encounter<'w, DiscForces>;

impl Rulebook {
    /// Of whole rules and commands, all of them finite numbers.
    pub(crate) fn new(rules: &[f64], commands: &[f64]) -> Option<Self> {
        let is_whole = rules.len().is_multiple_of(RULE) && commands.len().is_multiple_of(COMMAND);
        let is_finite = rules.iter().chain(commands).all(|number| number.is_finite());
        let book = Rulebook { rules: rules.to_vec(), commands: commands.to_vec() };
        (is_whole && is_finite).then_some(book)
    }

    fn commands_of(&self, rule: &[f64]) -> impl Iterator<Item = &[f64]> {
        let [first, count] = [rule[COMMANDS] as usize, rule[COMMANDS + 1] as usize];
        self.commands.chunks_exact(COMMAND).skip(first).take(count)
    }
}

impl Judge<DiscForces> for Rulebook {
    fn verdict(&self, met: &Met<'_>, commands: &mut Commands<DiscForces>) -> Verdict {
        for rule in self.rules.chunks_exact(RULE) {
            if let Some([first, second]) = parties(rule, met) {
                for command in self.commands_of(rule) {
                    push(command, [first, second], met.point, commands);
                }
                return verdict(&rule[VERDICT..], [first, second], met);
            }
        }
        Verdict::Bounce
    }

    fn has_rules(&self) -> bool {
        !self.rules.is_empty()
    }
}

/// The two that meet, in the order in which the rule has them, if it is for them.
fn parties<'e, 'w>(rule: &[f64], met: &'e Met<'w>) -> Option<[&'e Side<'w>; 2]> {
    let toward = DVec2::new(rule[TOWARD], rule[TOWARD + 1]);
    let is_fast = met.approach_speed >= rule[SPEEDS] && met.approach_speed <= rule[SPEEDS + 1];
    let fits = |first: &Side<'_>, second: &Side<'_>, normal: DVec2| {
        is_side(&rule[..SIDE], first)
            && is_side(&rule[SIDE..], second)
            && (toward == DVec2::ZERO || normal.dot(toward) > 0.0)
    };
    match () {
        () if !is_fast => None,
        () if fits(&met.a, &met.b, met.normal) => Some([&met.a, &met.b]),
        () if fits(&met.b, &met.a, -met.normal) => Some([&met.b, &met.a]),
        () => None,
    }
}

fn is_side(side: &[f64], party: &Side<'_>) -> bool {
    let user_data = party.user_data as f64;
    let (groups, team) = (side[3] as u32, side[4]);
    let is_kind = match side[0] as u8 {
        0 => true,
        1 => party.disc().is_some(),
        _ => party.wall().is_some(),
    };
    is_kind
        && user_data >= side[1]
        && user_data <= side[2]
        && (groups == 0 || party.rules.membership & groups != 0)
        && (team < 0.0 || party.rules.team == team as u32)
}

/// What the numbers of a verdict say.
fn verdict(says: &[f64], [first, second]: [&Side<'_>; 2], met: &Met<'_>) -> Verdict {
    let number = says[1];
    let which = match says[2] as u8 {
        1 => first.which,
        2 => second.which,
        _ => Which::Both,
    };
    match says[0] as u8 {
        1 => Verdict::Restitution(number),
        2 => Verdict::Impulse(number),
        3 => Verdict::Impulse(met.stopping_impulse + met.stopping_impulse.max(number)),
        4 => Verdict::Kick(number),
        5 => Verdict::Pass,
        6 => Verdict::Capture(which),
        7 => Verdict::Remove(which),
        8 => Verdict::BounceAndRemove(which),
        _ => Verdict::Bounce,
    }
}

/// Adds what the numbers of a command say, if it is one for a disc, or a wall, and that is one.
fn push(command: &[f64], sides: [&Side<'_>; 2], point: DVec2, commands: &mut Commands<DiscForces>) {
    let side = match command[1] as u8 {
        1 => Some(sides[0]),
        2 => Some(sides[1]),
        _ => None,
    };
    let numbers = &command[2..];
    let vector = DVec2::new(numbers[0], numbers[1]);
    let disc = side.and_then(|side| side.disc());
    let wall = side.and_then(|side| side.wall());
    let named = || WallId::of_number(numbers[3]).ok();
    let made = match command[0] as u8 {
        0 => disc.map(|disc| Command::SetUserData(disc, numbers[0] as u64)),
        1 => disc.map(|disc| Command::SetVelocity(disc, vector)),
        2 => disc.map(|disc| Command::SetPosition(disc, vector)),
        3 => disc.map(|disc| Command::ApplyImpulse(disc, vector)),
        4 => disc.map(|disc| Command::SetEnabled(disc, numbers[0] != 0.0)),
        5 => {
            let rules = body::rules(numbers[0], numbers[1], numbers[2]);
            let of_wall = wall.map(|wall| Command::SetWallRules(wall, rules));
            disc.map(|disc| Command::SetRules(disc, rules)).or(of_wall)
        }
        6 => Some(Command::SetTimer(numbers[0], numbers[1] as u64)),
        7 => named().map(|wall| Command::TurnArm(wall, numbers[0], numbers[1])),
        8 => named().map(|wall| Command::MoveWall(wall, vector, numbers[2])),
        9 => inserted(numbers, side.map_or(point, |side| side.position)),
        10 => disc.map(|disc| Command::SetRadius(disc, numbers[0])),
        11 => disc.map(|disc| Command::SetMass(disc, unbounded(numbers[0]))),
        12 => disc.map(|disc| Command::SetRestitution(disc, numbers[0])),
        _ => None,
    };
    if let Some(command) = made {
        commands.push(command);
    }
}

/// A number of the table: what is infinite is the largest number there.
fn unbounded(number: f64) -> f64 {
    if number == f64::MAX { f64::INFINITY } else { number }
}

/// The command to insert a disc, placed relative to `origin`.
fn inserted(numbers: &[f64], origin: DVec2) -> Option<Command<DiscForces>> {
    let mut numbers: [f64; DISC_NUMBERS] = numbers.try_into().ok()?;
    numbers = numbers.map(unbounded);
    numbers[0] += origin.x;
    numbers[1] += origin.y;
    body::disc(&numbers, Ok).ok().map(Command::Insert)
}
