//! One entry of `[[verdicts]]`, as it stands in a file.

use super::program::Stored;
use crate::error::SceneError;
use crate::place::FieldPath;
use crate::values::{self, Pair, Real};
use crate::verdicts::{Meets, Order, Rule, Ruling, Says, Who};
use carom_engine::Rules;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Disc,
    Wall,
}

/// One of the two that a rule is for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct SideFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    is: Option<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    numbers: Option<[u64; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    membership: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<u32>,
}

impl From<Meets> for SideFile {
    fn from(Meets { is_disc, user_data, membership, team }: Meets) -> Self {
        let is = is_disc.map(|is_disc| if is_disc { Kind::Disc } else { Kind::Wall });
        let numbers = Some(user_data).filter(|numbers| *numbers != Meets::default().user_data);
        SideFile { is, numbers, membership, team }
    }
}

impl From<SideFile> for Meets {
    fn from(SideFile { is, numbers, membership, team }: SideFile) -> Self {
        let user_data = numbers.unwrap_or(Meets::default().user_data);
        Meets { is_disc: is.map(|is| is == Kind::Disc), user_data, membership, team }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum VerdictName {
    Bounce,
    Restitution,
    Impulse,
    LeastImpulse,
    Kick,
    Pass,
    Capture,
    Remove,
    BounceAndRemove,
}

/// From a table of commands: the entry of a file, and the way from one to the other. A file has no commands
/// that give a disc a number or make one, as its discs are known by their numbers.
macro_rules! orders {
    ($($name:ident { $($(#[$of:meta])* $field:ident: $type:ty),* })*) => {
        #[derive(Clone, Debug, Serialize, Deserialize)]
        #[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
        enum OrderFile {
            $($name { $($(#[$of])* $field: $type),* },)*
        }

        impl OrderFile {
            fn of(order: &Order<u64>) -> Option<Self> {
                Some(match *order {
                    $(Order::$name($($field),*) => OrderFile::$name { $($field: Stored::store($field)),* },)*
                    Order::SetUserData(..) | Order::Insert(..) => return None,
                })
            }

            fn into_order(self) -> Order<u64> {
                match self {
                    $(OrderFile::$name { $($field),* } => Order::$name($($field.load()),*),)*
                }
            }
        }
    };
}

orders! {
    SetVelocity { of: Who, velocity: Pair }
    SetPosition { of: Who, position: Pair }
    ApplyImpulse { of: Who, impulse: Pair }
    SetEnabled { of: Who, enabled: bool }
    SetRules { of: Who, #[serde(default, with = "values::rules")] rules: Rules }
    SetRadius { of: Who, radius: Real }
    SetMass { of: Who, #[serde(with = "values::mass")] mass: f64 }
    SetRestitution { of: Who, restitution: Real }
    SetTimer { seconds: Real, #[serde(default)] note: u64 }
    TurnArm { wall: u64, angle: Real, rate: Real }
    MoveWall { wall: u64, offset: Pair, seconds: Real }
}

/// One entry of `[[verdicts]]`, with the fields of all verdicts.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct VerdictFile {
    verdict: VerdictName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    restitution: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    impulse: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    speed: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    which: Option<Who>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    min_speed: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    max_speed: Option<Real>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    toward: Option<Pair>,
    #[serde(default, skip_serializing_if = "values::is_default")]
    first: SideFile,
    #[serde(default, skip_serializing_if = "values::is_default")]
    second: SideFile,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    commands: Vec<OrderFile>,
}

impl VerdictFile {
    /// `None` for a command that the format has no name for.
    pub(crate) fn of(rule: &Rule<u64>) -> Option<Self> {
        use VerdictName as V;
        let (verdict, number, which) = match rule.ruling.says {
            Says::Bounce => (V::Bounce, None, None),
            Says::Restitution(restitution) => (V::Restitution, Some(restitution), None),
            Says::Impulse(impulse) => (V::Impulse, Some(impulse), None),
            Says::LeastImpulse(impulse) => (V::LeastImpulse, Some(impulse), None),
            Says::Kick(speed) => (V::Kick, Some(speed), None),
            Says::Pass => (V::Pass, None, None),
            Says::Capture(who) => (V::Capture, None, Some(who)),
            Says::Remove(who) => (V::Remove, None, Some(who)),
            Says::BounceAndRemove(who) => (V::BounceAndRemove, None, Some(who)),
        };
        let number = |verdicts: &[VerdictName]| number.filter(|_| verdicts.contains(&verdict)).map(Real);
        let speed = |speed: f64| Some(Real(speed)).filter(|Real(speed)| speed.abs() < f64::MAX);
        Some(VerdictFile {
            verdict,
            restitution: number(&[V::Restitution]),
            impulse: number(&[V::Impulse, V::LeastImpulse]),
            speed: number(&[V::Kick]),
            which,
            min_speed: speed(rule.speeds[0]),
            max_speed: speed(rule.speeds[1]),
            toward: rule.toward.map(Pair),
            first: rule.first.into(),
            second: rule.second.into(),
            commands: rule.ruling.orders.iter().map(OrderFile::of).collect::<Option<_>>()?,
        })
    }

    /// The rule, when it has the fields of its verdict and no others.
    pub(crate) fn into_rule(self, path: &FieldPath) -> Result<Rule<u64>, SceneError> {
        use VerdictName as V;
        let wanted = match self.verdict {
            V::Bounce | V::Pass => None,
            V::Restitution => Some("restitution"),
            V::Impulse | V::LeastImpulse => Some("impulse"),
            V::Kick => Some("speed"),
            V::Capture | V::Remove | V::BounceAndRemove => Some("which"),
        };
        let numbers = [("restitution", self.restitution), ("impulse", self.impulse), ("speed", self.speed)];
        let given = numbers.iter().filter_map(|&(field, number)| number.map(|_| field));
        if let Some(field) = given.chain(self.which.map(|_| "which")).find(|field| wanted != Some(*field)) {
            let why = "`restitution` goes with the verdict of that name, `impulse` with `impulse` and \
                       `least_impulse`, `speed` with `kick`, `which` with those that capture or remove";
            return Err(SceneError::unexpected(path.clone().field(field), why));
        }
        let missing = |field: &str, what: &str| SceneError::missing(path.clone().field(field), what);
        let amount = |number: Option<Real>, field| match number {
            Some(Real(number)) => Ok(number),
            None => Err(missing(field, "the verdict needs this number")),
        };
        let who = || self.which.ok_or_else(|| missing("which", "who: `first`, `second` or `both`"));
        let says = match self.verdict {
            V::Bounce => Says::Bounce,
            V::Restitution => Says::Restitution(amount(self.restitution, "restitution")?),
            V::Impulse => Says::Impulse(amount(self.impulse, "impulse")?),
            V::LeastImpulse => Says::LeastImpulse(amount(self.impulse, "impulse")?),
            V::Kick => Says::Kick(amount(self.speed, "speed")?),
            V::Pass => Says::Pass,
            V::Capture => Says::Capture(who()?),
            V::Remove => Says::Remove(who()?),
            V::BounceAndRemove => Says::BounceAndRemove(who()?),
        };
        let least = self.min_speed.map_or(Rule::<u64>::ANY_SPEED[0], |Real(speed)| speed);
        let most = self.max_speed.map_or(Rule::<u64>::ANY_SPEED[1], |Real(speed)| speed);
        Ok(Rule {
            first: self.first.into(),
            second: self.second.into(),
            speeds: [least, most],
            toward: self.toward.map(|Pair(toward)| toward),
            ruling: Ruling { says, orders: self.commands.into_iter().map(OrderFile::into_order).collect() },
        })
    }
}
